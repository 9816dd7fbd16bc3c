/* fuzz_json.c: whatever the reader accepts is written and read again to the
 * same text, plain, pretty and canonical; whatever it refuses has a place. */
#include "json/reader.h"
#include "json/writer.h"

#include <stdlib.h>
#include <string.h>

#define MAX_TEXT ((size_t)64 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool ok) {
  if (!ok)
    abort();
}

/* Writes value, reads that, and writes it again plainly: the result must be
 * plain. */
static void check_round(const struct eh_json *value, unsigned flags,
                        const struct eh_buf *plain) {
  struct eh_arena arena;
  struct eh_json again;
  struct eh_buf text, second;
  struct eh_json_opts opts = {.max_depth = EH_JSON_DEPTH_MAX};
  eh_arena_init(&arena);
  eh_buf_init(&text, MAX_TEXT);
  eh_buf_init(&second, MAX_TEXT);
  check(eh_json_write(&text, value, flags, NULL) == 0);
  check(eh_json_parse(&arena, text.data, text.len, &opts, &again, NULL) == 0);
  check(eh_json_write(&second, &again, flags & EH_JSON_CANONICAL, NULL) == 0);
  check(second.len == plain->len &&
        memcmp(second.data, plain->data, plain->len) == 0);
  eh_buf_free(&second);
  eh_buf_free(&text);
  eh_arena_free(&arena);
}

static void check_value(const struct eh_json *value) {
  struct eh_buf plain;
  eh_buf_init(&plain, MAX_TEXT);
  check(eh_json_write(&plain, value, 0, NULL) == 0);
  check_round(value, 0, &plain);
  check_round(value, EH_JSON_PRETTY, &plain);
  check_round(value, EH_JSON_HTML, &plain);
  eh_buf_clear(&plain);
  check(eh_json_write(&plain, value, EH_JSON_CANONICAL, NULL) == 0);
  check_round(value, EH_JSON_CANONICAL, &plain);
  eh_buf_free(&plain);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const char *text = (const char *)data;
  struct eh_arena arena;
  struct eh_json value;
  struct eh_err err;
  struct eh_json_opts loose = {.last_wins = true, .bom = true};
  int rc;
  eh_arena_init(&arena);
  rc = eh_json_parse(&arena, text, size, NULL, &value, &err);
  if (rc == EH_EEXIST) {
    check(err.offset < size && text[err.offset] == '"');
    check(eh_json_parse(&arena, text, size, &loose, &value, NULL) == 0 ||
          eh_json_parse(&arena, text, size, &loose, &value, &err) != EH_EEXIST);
  } else if (rc == 0) {
    check_value(&value);
  } else {
    check(err.code == rc && err.line >= 1 && err.column >= 1);
    check(err.offset <= size && err.msg[0] != '\0');
    eh_json_hint(text, size, &err);
  }
  eh_arena_free(&arena);
  return 0;
}
