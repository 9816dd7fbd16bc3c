/* sse.c: the reader of server-sent events. */
#include "net/sse.h"

#include <string.h>

#define BOM_PAST 4

void eh_sse_init(struct eh_sse *sse, size_t max, eh_sse_fn *fn, void *arg) {
  memset(sse, 0, sizeof *sse);
  sse->fn = fn;
  sse->arg = arg;
  eh_buf_init(&sse->line, max);
  eh_buf_init(&sse->data, max);
  eh_buf_init(&sse->event, max);
  eh_buf_init(&sse->id, max);
}

void eh_sse_free(struct eh_sse *sse) {
  eh_buf_free(&sse->line);
  eh_buf_free(&sse->data);
  eh_buf_free(&sse->event);
  eh_buf_free(&sse->id);
}

static void dispatch(struct eh_sse *sse) {
  if (sse->has_data) {
    struct eh_sse_event event = {.event = "message", .event_len = 7};
    if (sse->event.len > 0) {
      event.event = sse->event.data;
      event.event_len = sse->event.len;
    }
    event.data = sse->data.data;
    event.data_len = sse->data.len;
    event.id = sse->id.data;
    event.id_len = sse->id.len;
    sse->fn(sse->arg, &event);
  }
  eh_buf_clear(&sse->data);
  eh_buf_clear(&sse->event);
  sse->has_data = false;
}

static void set_retry(struct eh_sse *sse, const char *value, size_t len) {
  uint64_t ms = 0;
  size_t i;
  if (len == 0 || len > 18)
    return;
  for (i = 0; i < len; i++) {
    if (value[i] < '0' || value[i] > '9')
      return;
    ms = ms * 10 + (uint64_t)(value[i] - '0');
  }
  sse->retry_ms = ms;
}

/* The lines of data are joined by LF. */
static int add_data(struct eh_sse *sse, const char *value, size_t len) {
  if (sse->has_data && eh_buf_addc(&sse->data, '\n') != 0)
    return EH_ELIMIT;
  sse->has_data = true;
  return eh_buf_add(&sse->data, value, len);
}

static bool is(const char *name, size_t len, const char *field) {
  return strlen(field) == len && memcmp(name, field, len) == 0;
}

static int field(struct eh_sse *sse, const char *name, size_t name_len,
                 const char *value, size_t len) {
  if (is(name, name_len, "data"))
    return add_data(sse, value, len);
  if (is(name, name_len, "event")) {
    eh_buf_clear(&sse->event);
    return eh_buf_add(&sse->event, value, len);
  }
  if (is(name, name_len, "id") && memchr(value, '\0', len) == NULL) {
    eh_buf_clear(&sse->id);
    return eh_buf_add(&sse->id, value, len);
  }
  if (is(name, name_len, "retry"))
    set_retry(sse, value, len);
  return 0;
}

static int line(struct eh_sse *sse, const char *text, size_t len) {
  const char *colon, *value, *end = text + len;
  if (len == 0) {
    dispatch(sse);
    return 0;
  }
  colon = memchr(text, ':', len);
  if (colon == text)
    return 0; /* a comment */
  if (colon == NULL)
    return field(sse, text, len, end, 0);
  value = colon + 1;
  if (value < end && *value == ' ')
    value++;
  return field(sse, text, (size_t)(colon - text), value, (size_t)(end - value));
}

/* The line that ends here: what was kept of it, and text. */
static int end_line(struct eh_sse *sse, const char *text, size_t len) {
  int rc;
  if (sse->line.len == 0)
    return len > sse->line.max ? EH_ELIMIT : line(sse, text, len);
  rc = eh_buf_add(&sse->line, text, len);
  if (rc == 0)
    rc = line(sse, sse->line.data, sse->line.len);
  eh_buf_clear(&sse->line);
  return rc;
}

/* Steps over a byte order mark at the start, which may come in pieces. */
static int skip_bom(struct eh_sse *sse, const char **at, const char *end) {
  static const char bom[] = "\xef\xbb\xbf";
  int rc = 0;
  while (sse->bom < 3 && *at < end) {
    if (**at != bom[sse->bom]) {
      rc = eh_buf_add(&sse->line, bom, sse->bom); /* it was none */
      sse->bom = BOM_PAST;
      return rc;
    }
    sse->bom++;
    ++*at;
  }
  if (sse->bom == 3)
    sse->bom = BOM_PAST;
  return rc;
}

static const char *line_end(const char *at, const char *end) {
  while (at < end && *at != '\n' && *at != '\r')
    at++;
  return at;
}

int eh_sse_feed(struct eh_sse *sse, const void *bytes, size_t len,
                struct eh_err *err) {
  const char *at = bytes, *end = at + len;
  int rc = 0;
  if (sse->bom != BOM_PAST)
    rc = skip_bom(sse, &at, end);
  while (rc == 0 && at < end) {
    const char *stop;
    if (sse->after_cr && *at == '\n')
      at++;
    sse->after_cr = false;
    stop = line_end(at, end);
    if (stop == end) {
      rc = eh_buf_add(&sse->line, at, (size_t)(end - at));
      break;
    }
    rc = end_line(sse, at, (size_t)(stop - at));
    sse->after_cr = *stop == '\r';
    at = stop + 1;
  }
  return rc == 0 ? 0 : eh_err_set(err, rc, "an event is larger than allowed");
}

bool eh_sse_end(struct eh_sse *sse) {
  bool whole = sse->line.len == 0 && !sse->has_data && sse->event.len == 0 &&
               (sse->bom == 0 || sse->bom == BOM_PAST);
  eh_buf_clear(&sse->line);
  eh_buf_clear(&sse->data);
  eh_buf_clear(&sse->event);
  sse->has_data = false;
  return whole;
}
