/* sentences.c: splitting text into sentences. */
#include "text/sentences.h"

#include "text/words.h"

#include <string.h>

#define MAX_ABBREVIATION 12

/* Never the end of a sentence. */
static const char *const titles[] = {
    "mr",  "mrs",    "ms",  "dr",   "prof",   "rev", "gen", "sen", "rep",
    "gov", "capt",   "sgt", "hon",  "messrs", "vs",  "cf",  "e.g", "i.e",
    "viz", "approx", "fig", "figs", "eq",     "eqs", "pp",  NULL};

/* Not the end when a number follows. */
static const char *const counters[] = {"no", "nos", "vol", "art", "sec",
                                       "ch", "p",   "par", NULL};

/* The end only when a capitalised starter follows. */
static const char *const abbreviations[] = {
    "inc",  "corp", "ltd",  "co",   "llc", "plc", "bros", "st",  "ave",
    "blvd", "rd",   "mt",   "jr",   "sr",  "esq", "etc",  "al",  "dept",
    "univ", "assn", "intl", "est",  "jan", "feb", "mar",  "apr", "jun",
    "jul",  "aug",  "sep",  "sept", "oct", "nov", "dec",  NULL};

/* Words that often begin a sentence. */
static const char *const starters[] = {
    "a",       "after", "all",   "although", "an",   "and",   "another",
    "are",     "as",    "at",    "before",   "both", "but",   "by",
    "each",    "for",   "from",  "he",       "her",  "his",   "how",
    "however", "i",     "if",    "in",       "is",   "it",    "its",
    "my",      "no",    "not",   "of",       "on",   "or",    "our",
    "she",     "since", "so",    "some",     "that", "the",   "their",
    "then",    "there", "these", "they",     "this", "those", "thus",
    "to",      "was",   "we",    "what",     "when", "while", "who",
    "with",    "you",   "your",  NULL};

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

static bool is_break(int32_t point) {
  return point == '\n' || point == '\r' || point == 0x85 || point == 0x2028 ||
         point == 0x2029;
}

/* Is the ASCII word of len bytes, in lower case, in the list? */
static bool listed(const char *const *list, const char *word, size_t len) {
  char lower[MAX_ABBREVIATION + 1];
  if (len == 0 || len > MAX_ABBREVIATION)
    return false;
  for (size_t i = 0; i < len; i++)
    lower[i] =
        (char)(word[i] >= 'A' && word[i] <= 'Z' ? word[i] + 32 : word[i]);
  lower[len] = '\0';
  for (; *list != NULL; list++)
    if (strcmp(*list, lower) == 0)
      return true;
  return false;
}

/* The character at pos, or -1 at the end. */
static int32_t peek(const char *text, size_t len, size_t pos) {
  return pos < len ? eh_utf8_next(text, len, &pos) : -1;
}

/* The first position from pos on that is no white space. *line is set when a
 * line break was passed, *gap when an empty line was. */
static size_t skip_space(const char *text, size_t len, size_t pos, bool *line,
                         bool *gap) {
  size_t breaks = 0;
  while (pos < len) {
    size_t next = pos;
    int32_t point = eh_utf8_next(text, len, &next);
    if (!eh_utf8_is_space(point))
      break;
    if (is_break(point)) {
      breaks++;
      if (point == '\r' && next < len && text[next] == '\n')
        next++;
    }
    pos = next;
  }
  *line = breaks > 0;
  *gap = breaks > 1;
  return pos;
}

static bool is_bullet(int32_t point) {
  return point == '-' || point == '*' || point == '+' || point == '#' ||
         point == '>' || point == '|' || point == 0x2022 || point == 0x2023 ||
         point == 0x25E6 || point == 0x2013 || point == 0x2014 || point == 0xB7;
}

/* The end of the mark of a list item, heading or quotation at the start of a
 * line; pos when there is none. */
static size_t skip_mark(const char *text, size_t len, size_t pos) {
  size_t at = pos;
  while (at < len && at - pos < 3 && is_digit(text[at]))
    at++;
  if (at > pos) {
    if (at == len || (text[at] != '.' && text[at] != ')'))
      return pos;
    at++;
  } else {
    while (at < len && is_bullet(peek(text, len, at)))
      eh_utf8_next(text, len, &at);
  }
  return at == len || eh_utf8_is_space(peek(text, len, at)) ? at : pos;
}

/* Where a sentence that starts at or after pos begins. */
static size_t find_start(const char *text, size_t len, size_t pos) {
  bool line, gap, at_line = pos == 0;
  for (;;) {
    size_t after;
    pos = skip_space(text, len, pos, &line, &gap);
    at_line = at_line || line;
    after = at_line && pos < len ? skip_mark(text, len, pos) : pos;
    if (after == pos)
      return pos;
    pos = after;
  }
}

static bool is_closer(int32_t point) {
  return point == '"' || point == '\'' || point == ')' || point == ']' ||
         point == '}' || point == '*' || point == '_' || point == 0x2019 ||
         point == 0x201D || point == 0xBB || point == 0x300D ||
         point == 0x300F || point == 0xFF09;
}

static bool is_wide_stop(int32_t point) {
  return point == 0x3002 || point == 0xFF01 || point == 0xFF1F ||
         point == 0xFF61;
}

static bool is_stop(int32_t point) {
  return point == '.' || point == '!' || point == '?' || point == 0x2026 ||
         is_wide_stop(point);
}

/* The end of a reference such as [12] at pos, else pos. */
static size_t skip_reference(const char *text, size_t len, size_t pos) {
  size_t at = pos;
  if (at == len || text[at] != '[')
    return pos;
  for (at++; at < len && at - pos < 6 && is_digit(text[at]);)
    at++;
  return at > pos + 1 && at < len && text[at] == ']' ? at + 1 : pos;
}

/* The end of the stops, closing quotes and references at pos. */
static size_t skip_closing(const char *text, size_t len, size_t pos) {
  for (;;) {
    int32_t point = peek(text, len, pos);
    size_t after = skip_reference(text, len, pos);
    if (is_stop(point) || is_closer(point))
      eh_utf8_next(text, len, &pos);
    else if (after > pos)
      pos = after;
    else
      return pos;
  }
}

/* Does a capitalised word that often begins a sentence stand at pos? */
static bool is_starter(const char *text, size_t len, size_t pos) {
  size_t end = pos;
  while (end < len && is_letter(text[end]))
    end++;
  return end > pos && text[pos] <= 'Z' &&
         listed(starters, text + pos, end - pos);
}

/* Is the full stop at `dot`, in a sentence that began at `first`, part of an
 * abbreviation, given that the text goes on at `next`? */
static bool is_abbreviation(const char *text, size_t len, size_t first,
                            size_t dot, size_t next) {
  size_t start = dot, size;
  const char *word;
  bool initials;
  while (start > first && dot - start <= MAX_ABBREVIATION &&
         (is_letter(text[start - 1]) || text[start - 1] == '.'))
    start--;
  size = dot - start;
  word = text + start;
  if (size == 0 || (start > first && (is_digit(text[start - 1]) ||
                                      (unsigned char)text[start - 1] >= 0x80)))
    return false;
  if (listed(titles, word, size))
    return true;
  if (listed(counters, word, size) && next < len && is_digit(text[next]))
    return true;
  initials = size % 2 == 1; /* J. or U.S. */
  for (size_t i = 0; i < size; i++)
    if (i % 2 == 0 ? !is_letter(word[i]) : word[i] != '.')
      initials = false;
  if (!initials && !listed(abbreviations, word, size))
    return false;
  return next < len && !is_starter(text, len, next);
}

/* Does the sentence go on after the stop at `stop`, its closing marks ending
 * at `end`, although white space follows? */
static bool goes_on(const char *text, size_t len, size_t first, size_t stop,
                    size_t end) {
  bool line, gap;
  size_t next = skip_space(text, len, end, &line, &gap);
  if (gap || next == len)
    return false;
  if (text[stop] == '.' && end == stop + 1)
    return is_abbreviation(text, len, first, stop, next);
  if (text[stop] == '.' && text[stop + 1] != '.') /* (e.g.) "Inc." */
    return eh_utf8_is_lower(peek(text, len, next)) &&
           is_abbreviation(text, len, first, stop, next);
  if (text[stop] == '!' || text[stop] == '?')
    return false;
  return eh_utf8_is_lower(peek(text, len, next)); /* an ellipsis */
}

/* Does the line break that ends at pos end the sentence? */
static bool breaks(const char *text, size_t len, size_t pos) {
  bool line, gap;
  size_t next = skip_space(text, len, pos, &line, &gap);
  return line || !eh_utf8_is_lower(peek(text, len, next));
}

/* The end of the sentence that begins at first. */
static size_t find_end(const char *text, size_t len, size_t first) {
  size_t pos = first;
  while (pos < len) {
    size_t at = pos;
    int32_t point = eh_utf8_next(text, len, &pos);
    if (is_break(point)) {
      if (point == '\r' && pos < len && text[pos] == '\n')
        pos++;
      if (breaks(text, len, pos))
        return at;
    } else if (is_stop(point)) {
      pos = skip_closing(text, len, pos);
      if (is_wide_stop(point) || pos == len)
        return pos;
      if (eh_utf8_is_space(peek(text, len, pos)) &&
          !goes_on(text, len, first, at, pos))
        return pos;
    }
  }
  return len;
}

/* The end of the text [first, end) without white space behind it. */
static size_t trim_end(const char *text, size_t first, size_t end) {
  size_t solid = first;
  for (size_t pos = first; pos < end;)
    if (!eh_utf8_is_space(eh_utf8_next(text, end, &pos)))
      solid = pos;
  return solid;
}

bool eh_sentences_next(const char *text, size_t len, size_t *pos,
                       struct eh_span *sentence) {
  while (*pos < len) {
    size_t first = find_start(text, len, *pos), inner = first;
    struct eh_span word;
    *pos = find_end(text, len, first);
    if (eh_words_next(text, *pos, &inner, &word)) {
      sentence->first = first;
      sentence->end = trim_end(text, first, *pos);
      return true;
    }
  }
  return false;
}
