/* test_sse.c: server-sent events, whole and in pieces. */
#include "net/sse.h"

#include "check_main.h"

#include <stdio.h>
#include <string.h>

/* Events as text: "event|id|data;" each, NUL as '0'. */
struct trace {
  char text[1024];
  size_t len;
};

static void put(struct trace *trace, const char *text, size_t len) {
  size_t i;
  for (i = 0; i < len && trace->len < sizeof trace->text - 1; i++)
    trace->text[trace->len++] = text[i] == '\0' ? '0' : text[i];
}

static void note(void *arg, const struct eh_sse_event *event) {
  put(arg, event->event, event->event_len);
  put(arg, "|", 1);
  put(arg, event->id, event->id_len);
  put(arg, "|", 1);
  put(arg, event->data, event->data_len);
  put(arg, ";", 1);
}

struct example {
  const char *stream;
  const char *events;
  bool whole;
};

static const struct example examples[] = {
    {"", "", true},
    {"data: a\n\n", "message||a;", true},
    {"data:a\r\n\r\n", "message||a;", true},
    {"data:a\r\r", "message||a;", true},
    {"data: a\rdata: b\r\ndata: c\n\n", "message||a\nb\nc;", true},
    {"\xef\xbb\xbf"
     "data: a\n\n",
     "message||a;", true},
    {"\xef\xbb\xbf\xef\xbb\xbf"
     "data: a\n\n",
     "", true},
    {"\xef\xbb"
     "data: a\n\n",
     "", true},
    {"data:  a\n\n", "message|| a;", true},
    {"data\n\n", "message||;", true},
    {"data:\n\n", "message||;", true},
    {"data\ndata\n\ndata:\n", "message||\n;", false},
    {"\n\n\n", "", true},
    {": comment\n\n:\n\ndata: a\n\n", "message||a;", true},
    {"event: x\ndata: a\n\ndata: b\n\n", "x||a;message||b;", true},
    {"event: x\n\ndata: b\n\n", "message||b;", true},
    {"event: x\nevent:\ndata: b\n\n", "message||b;", true},
    {"id: 7\ndata: a\n\ndata: b\n\nid\ndata: c\n\n",
     "message|7|a;message|7|b;message||c;", true},
    {"Data: a\n data: b\nfoo: c\n\n", "", true},
    {"data: a: b\n\n", "message||a: b;", true},
    {"data: a", "", false},
    {"data: a\n", "", false},
    {"event: x\n", "", false},
    {"data: a\n\ndata: [DO", "message||a;", false},
    {"data: caf\xc3\xa9 \xff\n\n", "message||caf\xc3\xa9 \xff;", true},
};

static bool parse(const char *stream, size_t len, size_t step,
                  struct trace *trace) {
  struct eh_sse sse;
  size_t at;
  bool whole;
  trace->len = 0;
  eh_sse_init(&sse, 1000, note, trace);
  for (at = 0; at < len; at += step) {
    size_t some = len - at < step ? len - at : step;
    ck_assert_int_eq(eh_sse_feed(&sse, stream + at, some, NULL), 0);
  }
  whole = eh_sse_end(&sse);
  eh_sse_free(&sse);
  trace->text[trace->len] = '\0';
  return whole;
}

START_TEST(test_examples_in_all_pieces) {
  size_t i, step;
  for (i = 0; i < sizeof examples / sizeof examples[0]; i++) {
    const struct example *e = &examples[i];
    size_t len = strlen(e->stream);
    for (step = 1; step <= len + 1; step++) {
      struct trace trace;
      bool whole = parse(e->stream, len, step, &trace);
      ck_assert_msg(strcmp(trace.text, e->events) == 0,
                    "example %zu by %zu: %s", i, step, trace.text);
      ck_assert_msg(whole == e->whole, "example %zu by %zu", i, step);
    }
  }
}
END_TEST

START_TEST(test_id_with_nul_is_ignored) {
  static const char stream[] = "id: 1\ndata: a\0b\n\nid: 2\0\ndata: c\n\n";
  struct trace trace;
  ck_assert(parse(stream, sizeof stream - 1, 1, &trace));
  ck_assert_str_eq(trace.text, "message|1|a0b;message|1|c;");
}
END_TEST

START_TEST(test_retry) {
  struct eh_sse sse;
  struct trace trace = {0};
  static const char stream[] =
      "retry: 1500\nretry: 12a\nretry: -1\nretry\nretry: \n";
  eh_sse_init(&sse, 100, note, &trace);
  ck_assert_int_eq(eh_sse_feed(&sse, stream, sizeof stream - 1, NULL), 0);
  ck_assert_uint_eq(sse.retry_ms, 1500);
  eh_sse_free(&sse);
}
END_TEST

/* A line, and the data of many lines, stay under the cap. */
START_TEST(test_caps) {
  static const char *const units[] = {"x", "data: 123456789\n"};
  size_t i;
  for (i = 0; i < 2; i++) {
    struct eh_sse sse;
    struct eh_err err;
    struct trace trace = {0};
    int rc = 0, n = 0;
    eh_sse_init(&sse, 100, note, &trace);
    while (rc == 0 && n++ < 1000)
      rc = eh_sse_feed(&sse, units[i], strlen(units[i]), &err);
    ck_assert_int_eq(rc, EH_ELIMIT);
    ck_assert_int_lt(n, 110);
    eh_sse_free(&sse);
  }
}
END_TEST

/* The cap does not depend on how the bytes were cut. */
START_TEST(test_cap_of_a_line_in_one_piece) {
  char text[103] = {0};
  struct eh_sse sse;
  struct trace trace = {0};
  memset(text, 'x', 101);
  text[101] = '\n';
  eh_sse_init(&sse, 100, note, &trace);
  ck_assert_int_eq(eh_sse_feed(&sse, text, 102, NULL), EH_ELIMIT);
  eh_sse_free(&sse);
}
END_TEST

CHECK_MAIN(sse, test_examples_in_all_pieces, test_id_with_nul_is_ignored,
           test_retry, test_caps, test_cap_of_a_line_in_one_piece)
