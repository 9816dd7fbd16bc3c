/* regex.h: Perl-compatible regular expressions over UTF-8 (PCRE2), with
 * limits: no pattern can take unbounded time or memory.
 *
 * eh_regex_compile makes an object that its caller owns (eh_regex_free). An
 * object serves one search at a time; the spans of the last successful search
 * stay until the next. */
#ifndef EH_TEXT_REGEX_H
#define EH_TEXT_REGEX_H

#include "base/err.h"
#include "text/utf8.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct eh_regex;

/* 0 in a limit means the default. */
struct eh_regex_options {
  bool icase;
  uint32_t match_limit; /* steps of one search */
  uint32_t depth_limit; /* nested backtracking points */
  uint32_t heap_kib;    /* memory of one search, KiB */
};

#define EH_REGEX_MATCH_LIMIT UINT32_C(1000000)
#define EH_REGEX_DEPTH_LIMIT UINT32_C(250000)
#define EH_REGEX_HEAP_KIB    UINT32_C(32768)
#define EH_REGEX_MAX_PATTERN ((size_t)64 << 10)

/* options may be NULL. Returns 0, or EH_EPARSE (err->offset: where in the
 * pattern), EH_EUTF8 or EH_ELIMIT (the pattern is too long). */
int eh_regex_compile(struct eh_regex **regex, const char *pattern, size_t len,
                     const struct eh_regex_options *options,
                     struct eh_err *err);
void eh_regex_free(struct eh_regex *regex);

/* Searches text from byte `start` on (a boundary; <= len). Returns 0 and sets
 * *found; or EH_EMATCHLIMIT when a limit was reached (it is then not known
 * whether there is a match), EH_EUTF8 or EH_EARG (start is inside a
 * character). */
int eh_regex_search(struct eh_regex *regex, const char *text, size_t len,
                    size_t start, bool *found, struct eh_err *err);

/* The number of capture groups of the pattern, and the span of group i of the
 * last match (0 is the whole match); false if it took no part in it. */
size_t eh_regex_groups(const struct eh_regex *regex);
bool eh_regex_group(const struct eh_regex *regex, size_t i,
                    struct eh_span *span);

#endif
