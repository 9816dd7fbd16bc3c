/* json_valid.c: is a text JSON? Keys are told apart by their hashes; where
 * these do not say, the text is read again into a tree. */
#include "bind/json.h"

#define MAX_KEYS 512 /* of the objects that are open */

struct checker {
  size_t depth, count;
  uint64_t hashes[MAX_KEYS];
  size_t starts[EH_JSON_DEPTH_MAX + 1]; /* of the keys at each depth */
};

static int on_value(void *ctx) {
  (void)ctx;
  return 0;
}

static int on_boolean(void *ctx, bool value) {
  (void)value;
  return on_value(ctx);
}

static int on_integer(void *ctx, int64_t value) {
  (void)value;
  return on_value(ctx);
}

static int on_real(void *ctx, double value) {
  (void)value;
  return on_value(ctx);
}

static int on_text(void *ctx, const char *text, size_t len) {
  (void)text;
  (void)len;
  return on_value(ctx);
}

static int on_begin(void *ctx) {
  struct checker *c = ctx;
  c->starts[++c->depth] = c->count;
  return 0;
}

static int on_end(void *ctx) {
  struct checker *c = ctx;
  c->count = c->starts[c->depth--];
  return 0;
}

static int on_key(void *ctx, const char *text, size_t len, size_t offset) {
  struct checker *c = ctx;
  uint64_t hash = eh_json_key_hash(text, len);
  (void)offset;
  for (size_t i = c->starts[c->depth]; i < c->count; i++)
    if (c->hashes[i] == hash)
      return EH_EBUSY;
  if (c->count == MAX_KEYS)
    return EH_EBUSY;
  c->hashes[c->count++] = hash;
  return 0;
}

int eh_json_valid(const char *text, size_t len, struct eh_buf *scratch,
                  struct eh_err *err) {
  static const struct eh_json_sink sink = {
      .null = on_value,
      .boolean = on_boolean,
      .integer = on_integer,
      .real = on_real,
      .big = on_text,
      .string = on_text,
      .begin_array = on_begin,
      .end_array = on_end,
      .begin_object = on_begin,
      .key = on_key,
      .end_object = on_end,
  };
  struct eh_json_opts opts = {.scratch = scratch};
  struct checker checker;
  struct eh_arena arena;
  struct eh_json value;
  int rc;
  checker.depth = checker.count = 0;
  rc = eh_json_read(text, len, &opts, &sink, &checker, err);
  if (rc != EH_EBUSY)
    return rc;
  eh_arena_init(&arena);
  rc = eh_json_parse(&arena, text, len, &opts, &value, err);
  eh_arena_free(&arena);
  return rc;
}
