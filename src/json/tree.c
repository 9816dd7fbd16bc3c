/* tree.c: the sink that builds a value tree.
 *
 * Values wait on one stack until their container ends; then its share of the
 * stack is copied to the arena. */
#include "base/alloc.h"
#include "json/private.h"
#include "json/reader.h"

#include <stdlib.h>

struct slot {
  struct eh_json_member member; /* an array's items have no key */
  size_t offset;                /* of the key */
  bool dropped;                 /* a repetition of an earlier key */
};

struct builder {
  struct eh_arena *arena;
  bool last_wins;
  const struct slot *twice; /* the key that ended the reading */
  bool keyed; /* the top slot has its key and waits for its value */
  struct slot *slots;
  size_t count, cap;
  size_t depth;
  struct {
    size_t start;
    bool keyed;
  } frames[EH_JSON_DEPTH_MAX];
};

static struct slot *push(struct builder *b) {
  if (b->count == b->cap) {
    b->cap *= 2;
    b->slots = eh_realloc(b->slots, b->cap * sizeof *b->slots);
  }
  memset(&b->slots[b->count], 0, sizeof *b->slots);
  return &b->slots[b->count++];
}

static int put(struct builder *b, struct eh_json value) {
  struct slot *slot = b->keyed ? &b->slots[b->count - 1] : push(b);
  slot->member.value = value;
  b->keyed = false;
  return 0;
}

static int put_text(struct builder *b, enum eh_json_type type, const char *text,
                    size_t len) {
  struct eh_json value = {.type = type};
  value.as.text.ptr = eh_arena_strndup(b->arena, text, len);
  value.as.text.len = len;
  return put(b, value);
}

static int on_null(void *ctx) {
  return put(ctx, (struct eh_json){.type = EH_JSON_NULL});
}

static int on_boolean(void *ctx, bool value) {
  return put(ctx, (struct eh_json){.type = EH_JSON_BOOL, .as.boolean = value});
}

static int on_integer(void *ctx, int64_t value) {
  return put(ctx, (struct eh_json){.type = EH_JSON_INT, .as.integer = value});
}

static int on_real(void *ctx, double value) {
  return put(ctx, (struct eh_json){.type = EH_JSON_REAL, .as.real = value});
}

static int on_big(void *ctx, const char *digits, size_t len) {
  return put_text(ctx, EH_JSON_BIG, digits, len);
}

static int on_string(void *ctx, const char *text, size_t len) {
  return put_text(ctx, EH_JSON_STRING, text, len);
}

static int on_begin(void *ctx) {
  struct builder *b = ctx;
  b->frames[b->depth].start = b->count;
  b->frames[b->depth].keyed = b->keyed;
  b->depth++;
  b->keyed = false;
  return 0;
}

static int on_key(void *ctx, const char *text, size_t len, size_t offset) {
  struct builder *b = ctx;
  struct slot *slot = push(b);
  slot->member.key = eh_arena_strndup(b->arena, text, len);
  slot->member.key_len = len;
  slot->offset = offset;
  b->keyed = true;
  return 0;
}

/* Drops the innermost container's slots and puts its value in their place. */
static int finish(struct builder *b, struct eh_json value) {
  b->depth--;
  b->count = b->frames[b->depth].start;
  b->keyed = b->frames[b->depth].keyed;
  return put(b, value);
}

static int on_end_array(void *ctx) {
  struct builder *b = ctx;
  size_t start = b->frames[b->depth - 1].start, n = b->count - start;
  struct eh_json *items = NULL;
  struct eh_json value = {.type = EH_JSON_ARRAY};
  if (n > 0)
    items = eh_arena_alloc(b->arena, n * sizeof *items);
  for (size_t i = 0; i < n; i++)
    items[i] = b->slots[start + i].member.value;
  value.as.array.items = items;
  value.as.array.count = n;
  return finish(b, value);
}

/* By key, then by place. */
static int compare(const void *left, const void *right) {
  const struct slot *a = *(const struct slot *const *)left;
  const struct slot *b = *(const struct slot *const *)right;
  size_t len = a->member.key_len < b->member.key_len ? a->member.key_len
                                                     : b->member.key_len;
  int order = memcmp(a->member.key, b->member.key, len);
  if (order == 0)
    order = (a->member.key_len > b->member.key_len) -
            (a->member.key_len < b->member.key_len);
  return order != 0 ? order : (a->offset > b->offset) - (a->offset < b->offset);
}

static bool same_key(const struct slot *a, const struct slot *b) {
  return a->member.key_len == b->member.key_len &&
         memcmp(a->member.key, b->member.key, a->member.key_len) == 0;
}

/* Finds equal keys among n slots: the last value moves to the first place,
 * the other slots are dropped. Returns the repetition that comes first in the
 * text, or NULL. */
static const struct slot *merge(struct slot *slots, size_t n) {
  struct slot **order = eh_malloc(n * sizeof *order);
  const struct slot *found = NULL;
  for (size_t i = 0; i < n; i++)
    order[i] = &slots[i];
  qsort(order, n, sizeof *order, compare);
  for (size_t i = 0, j; i < n; i = j) {
    for (j = i + 1; j < n && same_key(order[i], order[j]); j++) {
      order[i]->member.value = order[j]->member.value;
      order[j]->dropped = true;
      if (found == NULL || order[j]->offset < found->offset)
        found = order[j];
    }
  }
  eh_free(order);
  return found;
}

static bool keys_differ(const struct slot *slots, size_t n) {
  for (size_t i = 1; i < n; i++)
    for (size_t j = 0; j < i; j++)
      if (same_key(&slots[i], &slots[j]))
        return false;
  return true;
}

static int on_end_object(void *ctx) {
  struct builder *b = ctx;
  size_t start = b->frames[b->depth - 1].start, n = b->count - start;
  struct slot *slots = b->slots + start;
  struct eh_json_member *members = NULL;
  struct eh_json value = {.type = EH_JSON_OBJECT};
  if (n > 12 || !keys_differ(slots, n))
    b->twice = merge(slots, n);
  if (b->twice != NULL && !b->last_wins)
    return EH_EEXIST;
  if (n > 0)
    members = eh_arena_alloc(b->arena, n * sizeof *members);
  value.as.object.members = members;
  for (size_t i = 0; i < n; i++)
    if (!slots[i].dropped)
      members[value.as.object.count++] = slots[i].member;
  return finish(b, value);
}

int eh_json_parse(struct eh_arena *arena, const char *text, size_t len,
                  const struct eh_json_opts *opts, struct eh_json *out,
                  struct eh_err *err) {
  static const struct eh_json_sink sink = {
      .null = on_null,
      .boolean = on_boolean,
      .integer = on_integer,
      .real = on_real,
      .big = on_big,
      .string = on_string,
      .begin_array = on_begin,
      .end_array = on_end_array,
      .begin_object = on_begin,
      .key = on_key,
      .end_object = on_end_object,
  };
  struct builder b = {.arena = arena, .cap = 32};
  int rc;
  b.slots = eh_malloc(b.cap * sizeof *b.slots);
  b.last_wins = opts != NULL && opts->last_wins;
  rc = eh_json_read(text, len, opts, &sink, &b, err);
  if (rc == EH_EEXIST)
    eh_json_fail_key(err, text, text + b.twice->offset, b.twice->member.key,
                     b.twice->member.key_len);
  if (rc == 0)
    *out = b.slots[0].member.value;
  eh_free(b.slots);
  return rc;
}
