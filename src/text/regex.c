/* regex.c: PCRE2 with Unicode rules and limits. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "text/regex.h"

#include "base/alloc.h"

#include <assert.h>
#include <pcre2.h>

struct eh_regex {
  pcre2_code *code;
  pcre2_match_context *limits;
  pcre2_match_data *match;
  uint32_t groups;
};

static void *allocate(size_t size, void *unused) {
  (void)unused;
  return eh_malloc(size);
}

static void release(void *ptr, void *unused) {
  (void)unused;
  eh_free(ptr);
}

static uint32_t or_default(uint32_t value, uint32_t standard) {
  return value > 0 ? value : standard;
}

static bool is_utf8_error(int rc) {
  return rc <= PCRE2_ERROR_UTF8_ERR1 && rc >= PCRE2_ERROR_UTF8_ERR21;
}

static int compile_error(struct eh_err *err, int number, size_t offset) {
  char text[200];
  pcre2_get_error_message(number, (PCRE2_UCHAR *)text, sizeof text);
  if (is_utf8_error(number))
    return eh_err_at(err, EH_EUTF8, 0, 0, offset,
                     "the pattern is not valid UTF-8 at byte %zu", offset + 1);
  return eh_err_at(err, EH_EPARSE, 0, 0, offset, "pattern: %s at byte %zu",
                   text, offset + 1);
}

static void set_limits(struct eh_regex *regex,
                       const struct eh_regex_options *options) {
  static const struct eh_regex_options standard;
  if (options == NULL)
    options = &standard;
  pcre2_set_match_limit(regex->limits,
                        or_default(options->match_limit, EH_REGEX_MATCH_LIMIT));
  pcre2_set_depth_limit(regex->limits,
                        or_default(options->depth_limit, EH_REGEX_DEPTH_LIMIT));
  pcre2_set_heap_limit(regex->limits,
                       or_default(options->heap_kib, EH_REGEX_HEAP_KIB));
}

int eh_regex_compile(struct eh_regex **out, const char *pattern, size_t len,
                     const struct eh_regex_options *options,
                     struct eh_err *err) {
  uint32_t flags = PCRE2_UTF | PCRE2_UCP | PCRE2_NEVER_BACKSLASH_C;
  pcre2_general_context *memory;
  pcre2_compile_context *context;
  struct eh_regex *regex;
  size_t offset = 0;
  int number = 0;
  *out = NULL;
  if (len > EH_REGEX_MAX_PATTERN)
    return eh_err_set(err, EH_ELIMIT, "a pattern has at most %zu bytes",
                      EH_REGEX_MAX_PATTERN);
  if (options != NULL && options->icase)
    flags |= PCRE2_CASELESS;
  memory = pcre2_general_context_create(allocate, release, NULL);
  context = pcre2_compile_context_create(memory);
  regex = eh_calloc(1, sizeof *regex);
  regex->code =
      pcre2_compile((PCRE2_SPTR)pattern, len, flags, &number, &offset, context);
  pcre2_compile_context_free(context);
  if (regex->code != NULL) {
    regex->limits = pcre2_match_context_create(memory);
    regex->match = pcre2_match_data_create_from_pattern(regex->code, memory);
    pcre2_pattern_info(regex->code, PCRE2_INFO_CAPTURECOUNT, &regex->groups);
    set_limits(regex, options);
  }
  pcre2_general_context_free(memory);
  if (regex->code == NULL) {
    eh_free(regex);
    return compile_error(err, number, offset);
  }
  *out = regex;
  return 0;
}

void eh_regex_free(struct eh_regex *regex) {
  if (regex == NULL)
    return;
  pcre2_match_data_free(regex->match);
  pcre2_match_context_free(regex->limits);
  pcre2_code_free(regex->code);
  eh_free(regex);
}

static int search_error(const struct eh_regex *regex, int rc,
                        struct eh_err *err) {
  char text[200];
  switch (rc) {
  case PCRE2_ERROR_MATCHLIMIT:
  case PCRE2_ERROR_DEPTHLIMIT:
  case PCRE2_ERROR_HEAPLIMIT:
    return eh_err_set(err, EH_EMATCHLIMIT, NULL);
  case PCRE2_ERROR_BADUTFOFFSET:
    return eh_err_set(err, EH_EARG, "the search starts inside a character");
  default:
    if (is_utf8_error(rc)) {
      size_t bad = pcre2_get_startchar(regex->match);
      return eh_err_at(err, EH_EUTF8, 0, 0, bad,
                       "the text is not valid UTF-8 at byte %zu", bad + 1);
    }
    pcre2_get_error_message(rc, (PCRE2_UCHAR *)text, sizeof text);
    return eh_err_set(err, EH_EINTERNAL, "pattern: %s", text);
  }
}

int eh_regex_search(struct eh_regex *regex, const char *text, size_t len,
                    size_t start, bool *found, struct eh_err *err) {
  int rc;
  *found = false;
  if (start > len)
    return eh_err_set(err, EH_EARG, "the search starts behind the text");
  rc = pcre2_match(regex->code, (PCRE2_SPTR)text, len, start, 0, regex->match,
                   regex->limits);
  if (rc == PCRE2_ERROR_NOMATCH)
    return 0;
  if (rc < 0)
    return search_error(regex, rc, err);
  *found = true;
  return 0;
}

size_t eh_regex_groups(const struct eh_regex *regex) {
  return regex->groups;
}

bool eh_regex_group(const struct eh_regex *regex, size_t i,
                    struct eh_span *span) {
  const size_t *ends = pcre2_get_ovector_pointer(regex->match);
  assert(i <= regex->groups);
  span->first = ends[2 * i];
  span->end = ends[2 * i + 1];
  if (span->first == PCRE2_UNSET)
    return false;
  if (span->first > span->end) /* \K inside a lookahead */
    span->first = span->end;
  return true;
}
