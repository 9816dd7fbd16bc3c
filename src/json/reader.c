/* reader.c: the grammar of RFC 8259, without recursion. */
#include "json/reader.h"

#include "json/private.h"

#include <stdarg.h>
#include <stdio.h>

struct reader {
  const char *start, *p, *end;
  const struct eh_json_sink *sink;
  void *ctx;
  struct eh_buf *scratch;
  struct eh_err *err;
  size_t depth, max_depth;
  bool fresh; /* the innermost container was just opened */
  bool in_object[EH_JSON_DEPTH_MAX + 1];
};

/* What stands at p, for a message: a word, a character, or the end. */
static void describe(const struct reader *r, char *out, size_t size) {
  size_t left = (size_t)(r->end - r->p), len = 0, step;
  if (left == 0) {
    snprintf(out, size, "the end of the text");
    return;
  }
  while (len < left && len < 24 &&
         ((r->p[len] | 0x20) >= 'a' && (r->p[len] | 0x20) <= 'z'))
    len++;
  step = eh_json_utf8(r->p, r->end);
  if (len == 0)
    len = step;
  if (len == 0 || (unsigned char)*r->p < 0x20 || *r->p == 0x7f)
    snprintf(out, size, "the byte 0x%02X", (unsigned)(unsigned char)*r->p);
  else
    snprintf(out, size, *r->p == '\'' ? "%.*s" : "'%.*s'", (int)len, r->p);
}

static int expected(struct reader *r, const char *what) {
  char found[48];
  describe(r, found, sizeof found);
  return eh_json_fail_at(r->err, EH_EPARSE, r->start, r->p,
                         "expected %s, found %s", what, found);
}

/* A token was malformed. */
static int bad_token(struct reader *r, int code,
                     const struct eh_json_token *token, const char *kind) {
  char found[48];
  if (token->why == NULL)
    return eh_json_fail_at(r->err, code, r->start, token->bad,
                           "the text ends inside a %s", kind);
  if (strncmp(token->why, "expected", 8) == 0) {
    r->p = token->bad;
    describe(r, found, sizeof found);
    return eh_json_fail_at(r->err, code, r->start, token->bad, "%s, found %s",
                           token->why, found);
  }
  return eh_json_fail_at(r->err, code, r->start, token->bad, "%s", token->why);
}

/* The sink refused what begins at `at`. */
static int refused(struct reader *r, int code, const char *at) {
  return eh_json_fail_at(r->err, code, r->start, at, "%s", eh_err_text(code));
}

static void skip_space(struct reader *r) {
  while (r->p < r->end &&
         (*r->p == ' ' || *r->p == '\n' || *r->p == '\r' || *r->p == '\t'))
    r->p++;
}

static int read_string(struct reader *r) {
  struct eh_json_token token;
  const char *at = r->p;
  int rc = eh_json_string_read(r->p + 1, r->end, r->scratch, &token);
  if (rc != 0)
    return bad_token(r, rc, &token, "string");
  r->p = token.next;
  rc = r->sink->string(r->ctx, token.ptr, token.len);
  return rc == 0 ? 0 : refused(r, rc, at);
}

static int read_number(struct reader *r) {
  struct eh_json_number number;
  const char *at = r->p;
  int rc = eh_json_number_read(r->p, r->end, &number);
  if (rc != 0)
    return bad_token(r, rc, &number.token, "number");
  r->p = number.token.next;
  if (number.kind == EH_NUMBER_INT)
    rc = r->sink->integer(r->ctx, number.integer);
  else if (number.kind == EH_NUMBER_REAL)
    rc = r->sink->real(r->ctx, number.real);
  else
    rc = r->sink->big(r->ctx, number.token.ptr, number.token.len);
  return rc == 0 ? 0 : refused(r, rc, at);
}

static bool literal(struct reader *r, const char *word, size_t len) {
  if ((size_t)(r->end - r->p) < len || memcmp(r->p, word, len) != 0)
    return false;
  r->p += len;
  return true;
}

static int read_literal(struct reader *r) {
  const char *at = r->p;
  int rc;
  if (literal(r, "true", 4))
    rc = r->sink->boolean(r->ctx, true);
  else if (literal(r, "false", 5))
    rc = r->sink->boolean(r->ctx, false);
  else if (literal(r, "null", 4))
    rc = r->sink->null(r->ctx);
  else
    return expected(r, "a value");
  return rc == 0 ? 0 : refused(r, rc, at);
}

static int open_container(struct reader *r, bool object) {
  int rc;
  if (r->depth >= r->max_depth)
    return eh_json_fail_at(r->err, EH_EDEPTH, r->start, r->p,
                           "nested more than %zu deep", r->max_depth);
  rc = object ? r->sink->begin_object(r->ctx) : r->sink->begin_array(r->ctx);
  if (rc != 0)
    return refused(r, rc, r->p);
  r->p++;
  r->in_object[++r->depth] = object;
  r->fresh = true;
  return 0;
}

static int close_container(struct reader *r) {
  int rc = r->in_object[r->depth] ? r->sink->end_object(r->ctx)
                                  : r->sink->end_array(r->ctx);
  if (rc != 0)
    return refused(r, rc, r->p);
  r->p++;
  r->depth--;
  r->fresh = false;
  return 0;
}

static int read_value(struct reader *r) {
  skip_space(r);
  r->fresh = false;
  if (r->p == r->end)
    return expected(r, "a value");
  switch (*r->p) {
  case '"':
    return read_string(r);
  case '{':
    return open_container(r, true);
  case '[':
    return open_container(r, false);
  case '-':
  case '0':
  case '1':
  case '2':
  case '3':
  case '4':
  case '5':
  case '6':
  case '7':
  case '8':
  case '9':
    return read_number(r);
  default:
    return read_literal(r);
  }
}

/* A key and its colon; p is at the opening quote. */
static int read_key(struct reader *r) {
  struct eh_json_token token;
  const char *at = r->p;
  int rc = eh_json_string_read(r->p + 1, r->end, r->scratch, &token);
  if (rc != 0)
    return bad_token(r, rc, &token, "key");
  rc = r->sink->key(r->ctx, token.ptr, token.len, (size_t)(at - r->start));
  if (rc == EH_EEXIST)
    return eh_json_fail_key(r->err, r->start, at, token.ptr, token.len);
  if (rc != 0)
    return refused(r, rc, at);
  r->p = token.next;
  skip_space(r);
  if (r->p == r->end || *r->p != ':')
    return expected(r, "':' after a key");
  r->p++;
  return 0;
}

/* One item of the innermost array, or its end. */
static int step_array(struct reader *r) {
  bool fresh = r->fresh;
  skip_space(r);
  if (r->p < r->end && *r->p == ']')
    return close_container(r);
  if (!fresh) {
    if (r->p == r->end || *r->p != ',')
      return expected(r, "',' or ']' after an array item");
    r->p++;
  }
  return read_value(r);
}

/* One member of the innermost object, or its end. */
static int step_object(struct reader *r) {
  bool fresh = r->fresh;
  int rc;
  skip_space(r);
  if (r->p < r->end && *r->p == '}')
    return close_container(r);
  if (!fresh) {
    if (r->p == r->end || *r->p != ',')
      return expected(r, "',' or '}' after an object member");
    r->p++;
    skip_space(r);
  }
  if (r->p == r->end || *r->p != '"')
    return expected(r, fresh ? "a key in double quotes or '}'"
                             : "a key in double quotes");
  rc = read_key(r);
  return rc == 0 ? read_value(r) : rc;
}

static int read_text(struct reader *r, bool bom) {
  int rc;
  if (bom && r->end - r->p >= 3 && memcmp(r->p, "\xef\xbb\xbf", 3) == 0)
    r->p += 3;
  rc = read_value(r);
  while (rc == 0 && r->depth > 0)
    rc = r->in_object[r->depth] ? step_object(r) : step_array(r);
  if (rc != 0)
    return rc;
  skip_space(r);
  if (r->p < r->end)
    return expected(r, "the end of the text after the value");
  return 0;
}

int eh_json_read(const char *text, size_t len, const struct eh_json_opts *opts,
                 const struct eh_json_sink *sink, void *ctx,
                 struct eh_err *err) {
  static const struct eh_json_opts defaults;
  struct eh_buf own;
  struct reader r;
  size_t max_bytes;
  int rc;
  if (opts == NULL)
    opts = &defaults;
  max_bytes = opts->max_bytes > 0 ? opts->max_bytes : EH_MAX_JSON_TEXT;
  if (len > max_bytes)
    return eh_err_set(err, EH_ELIMIT,
                      "the JSON text has %zu bytes, more than %zu", len,
                      max_bytes);
  eh_buf_init(&own, max_bytes);
  r.start = r.p = text;
  r.end = text + len;
  r.sink = sink;
  r.ctx = ctx;
  r.scratch = opts->scratch != NULL ? opts->scratch : &own;
  r.err = err;
  r.depth = 0;
  r.max_depth = opts->max_depth > 0 ? opts->max_depth : EH_JSON_DEPTH;
  if (r.max_depth > EH_JSON_DEPTH_MAX)
    r.max_depth = EH_JSON_DEPTH_MAX;
  rc = read_text(&r, opts->bom);
  eh_buf_free(&own);
  return rc;
}
