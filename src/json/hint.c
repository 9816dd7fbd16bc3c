/* hint.c: how a person might repair a malformed text. */
#include "json/private.h"
#include "json/reader.h"

struct place {
  const char *text, *p, *end;
  char prev; /* the last byte before p that is no space, or 0 */
  char c;    /* the byte at p, or 0 at the end */
};

static bool is_space(char c) {
  return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

static bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         c == '$' || (c >= '0' && c <= '9');
}

static bool starts(const struct place *at, const char *word) {
  size_t len = strlen(word);
  return (size_t)(at->end - at->p) >= len && memcmp(at->p, word, len) == 0;
}

/* What other languages write where JSON has its own words. */
static const char *word_hint(const struct place *at) {
  static const struct {
    const char *word, *hint;
  } words[] = {
      {"NaN", "JSON has no NaN; use null"},
      {"nan", "JSON has no NaN; use null"},
      {"Infinity", "JSON has no Infinity; use null"},
      {"inf", "JSON has no Infinity; use null"},
      {"None", "use null instead of None"},
      {"nil", "use null instead of nil"},
      {"undefined", "use null instead of undefined"},
      {"True", "use true instead of True"},
      {"TRUE", "use true instead of TRUE"},
      {"False", "use false instead of False"},
      {"FALSE", "use false instead of FALSE"},
      {"NULL", "use null instead of NULL"},
      {"```", "keep only what is between the Markdown fences"},
      {"//", "JSON has no comments"},
      {"/*", "JSON has no comments"},
      {"#", "JSON has no comments"},
      {"'", "JSON strings use double quotes, not single quotes"},
      {"`", "JSON strings use double quotes, not backquotes"},
      {"\xe2\x80\x9c", "use straight double quotes"},
      {"\xe2\x80\x9d", "use straight double quotes"},
      {"\xe2\x80\x98", "use straight double quotes"},
      {"\xe2\x80\x99", "use straight double quotes"},
      {"\\'", "an apostrophe needs no backslash"},
      {"\\x", "write the character as \\u and four hex digits"},
      {"\\", "write a backslash itself as two"},
      {"+", "write the number without the plus sign"},
      {".", "write a digit before the decimal point"},
      {"=", "use a colon between key and value"},
  };
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    if (starts(at, words[i].word))
      return words[i].hint;
  return NULL;
}

static const char *string_hint(const struct place *at) {
  if (at->c == '\n' || at->c == '\r')
    return "write a line break inside a string as \\n";
  if (at->c == '\t')
    return "write a tab inside a string as \\t";
  return NULL;
}

/* A string just ended before p, and what follows cannot be. */
static const char *after_string(const struct place *at) {
  bool touches = at->p[-1] == '"';
  if (at->c == '"' && !touches)
    return "a comma or colon is missing here";
  return "a double quote inside a string is written \\\"";
}

static const char *key_hint(const struct place *at) {
  const char *p = at->p;
  if (at->prev != '{' && at->prev != ',')
    return NULL;
  while (p < at->end && is_word(*p))
    p++;
  if (p == at->p)
    return NULL;
  while (p < at->end && is_space(*p))
    p++;
  return p < at->end && *p == ':' ? "keys need double quotes" : NULL;
}

static const char *comma_hint(const struct place *at) {
  if ((at->c == ']' || at->c == '}') && at->prev == ',')
    return "remove the comma before it";
  if (at->c == ',' && at->prev != 0 && strchr(",[{:", at->prev) != NULL)
    return "something is missing before the comma, or it is one too many";
  if (at->prev == '0' && at->c >= '0' && at->c <= '9')
    return "write the number without leading zeros, or as a string";
  if (at->prev != 0 && strchr("]}", at->prev) != NULL &&
      strchr("[{", at->c) != NULL)
    return "several values need an array around them, or one line each "
           "(.jsonl)";
  return NULL;
}

static const char *parse_hint(const struct place *at) {
  const char *hint;
  if (at->c == 0 && at->p == at->end)
    return at->prev == 0 ? "the text is empty"
                         : "a quote, bracket or brace is not closed";
  if ((hint = comma_hint(at)) != NULL || (hint = key_hint(at)) != NULL)
    return hint;
  if (at->prev == '"' && at->c != ']' && at->c != '}' && !is_space(at->c) &&
      !starts(at, "//") && !starts(at, "/*") && !starts(at, "\\"))
    return after_string(at);
  if ((hint = word_hint(at)) != NULL)
    return hint;
  return string_hint(at);
}

const char *eh_json_hint(const char *text, size_t len,
                         const struct eh_err *err) {
  struct place at = {.text = text, .end = text + len};
  const char *p;
  if (err->offset > len)
    return NULL;
  at.p = p = text + err->offset;
  at.c = at.p < at.end ? *at.p : '\0';
  while (p > text && is_space(p[-1]))
    p--;
  at.prev = p > text ? p[-1] : '\0';
  switch (err->code) {
  case EH_EPARSE:
    if (starts(&at, "\xef\xbb\xbf"))
      return "remove the byte order mark";
    if (starts(&at, "\xff\xfe") || starts(&at, "\xfe\xff"))
      return "this looks like UTF-16; save it as UTF-8";
    return parse_hint(&at);
  case EH_EUTF8:
    return at.c == '\\' ? "write both halves of the surrogate pair"
                        : "save the text as UTF-8";
  case EH_EEXIST:
    return "keep one of the two";
  case EH_ERANGE:
    return "the largest number is about 1.8e308";
  default:
    return NULL;
  }
}
