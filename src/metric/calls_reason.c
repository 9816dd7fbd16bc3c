/* calls_reason.c: what argument_match found, for people. */
#include "metric/calls.h"
#include "json/number.h"

#include <string.h>

#define MAX_SHOWN 80 /* bytes of one value */

static void show(struct eh_buf *out, const struct eh_json *value);

static void show_text(struct eh_buf *out, const char *text, size_t len) {
  eh_buf_addc(out, '"');
  for (size_t i = 0; i < len && out->len <= MAX_SHOWN; i++) {
    unsigned char c = (unsigned char)text[i];
    if (c == '"' || c == '\\')
      eh_buf_addf(out, "\\%c", c);
    else if (c == '\n')
      eh_buf_adds(out, "\\n");
    else if (c < 0x20)
      eh_buf_addf(out, "\\u%04x", c);
    else
      eh_buf_addc(out, (char)c);
  }
  eh_buf_addc(out, '"');
}

static void show_container(struct eh_buf *out, const struct eh_json *value) {
  bool array = value->type == EH_JSON_ARRAY;
  size_t count = array ? value->as.array.count : value->as.object.count;
  eh_buf_addc(out, array ? '[' : '{');
  for (size_t i = 0; i < count && out->len <= MAX_SHOWN; i++) {
    if (i > 0)
      eh_buf_adds(out, ", ");
    if (array) {
      show(out, &value->as.array.items[i]);
      continue;
    }
    show_text(out, value->as.object.members[i].key,
              value->as.object.members[i].key_len);
    eh_buf_adds(out, ": ");
    show(out, &value->as.object.members[i].value);
  }
  eh_buf_addc(out, array ? ']' : '}');
}

static void show(struct eh_buf *out, const struct eh_json *value) {
  char digits[EH_JSON_NUMBER_SIZE];
  switch (value->type) {
  case EH_JSON_NULL:
    eh_buf_adds(out, "null");
    break;
  case EH_JSON_BOOL:
    eh_buf_adds(out, value->as.boolean ? "true" : "false");
    break;
  case EH_JSON_INT:
    eh_json_format_int(value->as.integer, digits);
    eh_buf_adds(out, digits);
    break;
  case EH_JSON_REAL:
    eh_json_format_real(value->as.real, digits);
    eh_buf_adds(out, digits);
    break;
  case EH_JSON_BIG:
    eh_buf_add(out, value->as.text.ptr, value->as.text.len);
    break;
  case EH_JSON_STRING:
    show_text(out, value->as.text.ptr, value->as.text.len);
    break;
  default:
    show_container(out, value);
  }
}

/* The value in at most MAX_SHOWN bytes, cut between characters. */
static void add_value(struct eh_buf *reason, const struct eh_json *value) {
  struct eh_buf shown;
  size_t len;
  eh_buf_init(&shown, EH_MAX_MESSAGE);
  show(&shown, value);
  len = shown.len;
  if (len > MAX_SHOWN) {
    len = MAX_SHOWN - 3;
    while (len > 0 && ((unsigned char)shown.data[len] & 0xc0) == 0x80)
      len--;
  }
  eh_buf_add(reason, shown.data, len);
  if (len < shown.len)
    eh_buf_adds(reason, "...");
  eh_buf_free(&shown);
}

static void add_finding(struct eh_buf *reason, const struct eh_finding *f) {
  const char *wanted, *got;
  if (f->kind == EH_FIELD_EXTRA) {
    eh_buf_addf(reason, "; extra %s", f->path);
    return;
  }
  if (f->kind == EH_FIELD_MISSING) {
    eh_buf_addf(reason, "; missing %s (expected ", f->path);
    add_value(reason, f->expected);
    eh_buf_addc(reason, ')');
    return;
  }
  wanted = eh_json_type_name(f->expected);
  got = eh_json_type_name(f->actual);
  eh_buf_addf(reason, "; %s: expected ", f->path);
  if (strcmp(wanted, got) == 0)
    wanted = got = "";
  eh_buf_addf(reason, "%s%s", wanted, *wanted != '\0' ? " " : "");
  add_value(reason, f->expected);
  eh_buf_addf(reason, ", got %s%s", got, *got != '\0' ? " " : "");
  add_value(reason, f->actual);
}

static void add_call(struct eh_buf *reason, const struct eh_call *call,
                     const struct eh_call_match *match) {
  eh_buf_add(reason, call->name, call->name_len);
  if (match->partner == EH_NO_PARTNER) {
    eh_buf_adds(reason, ": not called");
    return;
  }
  if (match->flags & EH_ARGS_UNPARSEABLE) {
    eh_buf_adds(reason, ": args_unparseable");
    return;
  }
  if (match->fields == 0)
    eh_buf_adds(reason, ": called, no fields expected");
  else
    eh_buf_addf(reason, ": %zu/%zu fields", match->matched, match->fields);
  for (const struct eh_finding *f = match->findings; f != NULL; f = f->next)
    add_finding(reason, f);
}

void eh_calls_args_reason(struct eh_calls expected,
                          const struct eh_args_result *result,
                          struct eh_buf *reason) {
  if (expected.count == 0)
    eh_buf_adds(reason, "no calls expected");
  for (size_t i = 0; i < expected.count; i++) {
    if (i > 0)
      eh_buf_addc(reason, '\n');
    add_call(reason, &expected.items[i], &result->calls[i]);
  }
}
