/* test_quote.c: strings as JSON text, against a writer of one character at a
 * time. */
#include "base/alloc.h"
#include "check_main.h"
#include "json/writer.h"

#include <stdbool.h>
#include <string.h>

static const char *const pieces[] = {"\"",
                                     "\\",
                                     "\n",
                                     "\b",
                                     "\x01",
                                     "\x1f",
                                     "\x7f",
                                     "\xc3\xa9",
                                     "\xe2\x80\xa8",
                                     "\xe2\x80\xa9",
                                     "/",
                                     "</",
                                     "\xe2\x80\xa7",
                                     "\xef\xbf\xbf",
                                     "\xf0\x9f\x98\x80",
                                     "!",
                                     "\xc2\x80",
                                     "[",
                                     "]",
                                     "\x1e\"\\\t"};
#define PIECES (sizeof pieces / sizeof pieces[0])

/* Appends what valid text is in JSON. */
static void quote(struct eh_buf *out, const char *text, size_t len,
                  bool guarded) {
  static const char from[] = "\"\\\b\f\n\r\t", to[] = "\"\\bfnrt";
  eh_buf_addc(out, '"');
  for (size_t i = 0; i < len; i++) {
    const char *found = memchr(from, text[i], sizeof from - 1);
    if (found != NULL) {
      eh_buf_addf(out, "\\%c", to[found - from]);
    } else if ((unsigned char)text[i] < 0x20) {
      eh_buf_addf(out, "\\u%04x", (unsigned)text[i]);
    } else if (len - i >= 3 && memcmp(text + i, "\xe2\x80", 2) == 0 &&
               (text[i + 2] == '\xa8' || text[i + 2] == '\xa9')) {
      eh_buf_adds(out, text[i + 2] == '\xa8' ? "\\u2028" : "\\u2029");
      i += 2;
    } else {
      if (guarded && text[i] == '/' && i > 0 && text[i - 1] == '<')
        eh_buf_addc(out, '\\');
      eh_buf_addc(out, text[i]);
    }
  }
  eh_buf_addc(out, '"');
}

/* Writes len bytes from memory that ends with them, into a buffer that begins
 * with room for `room` bytes. */
static void check(const char *text, size_t len, size_t room, unsigned flags) {
  char *copy = eh_malloc(len > 0 ? len : 1);
  struct eh_buf want, got;
  if (len > 0)
    memcpy(copy, text, len);
  eh_buf_init(&want, 1000);
  eh_buf_init(&got, 1000);
  eh_buf_reserve(&got, room);
  quote(&want, text, len, (flags & EH_JSON_HTML) != 0);
  ck_assert_int_eq(eh_json_write_string(&got, copy, len, flags, NULL), 0);
  ck_assert_uint_eq(got.len, want.len);
  ck_assert_str_eq(got.data, want.data);
  got.max = want.len; /* it just fits; then it does not */
  eh_buf_free(&got);
  ck_assert_int_eq(eh_json_write_string(&got, copy, len, flags, NULL), 0);
  ck_assert_str_eq(got.data, want.data);
  eh_buf_free(&got);
  got.max--;
  ck_assert_int_eq(eh_json_write_string(&got, copy, len, flags, NULL),
                   EH_ELIMIT);
  eh_buf_free(&got);
  eh_buf_free(&want);
  eh_free(copy);
}

START_TEST(every_piece_at_every_place) {
  for (size_t n = 0; n < PIECES * PIECES; n++)
    for (size_t before = 0; before <= 17; before++)
      for (size_t after = 0; after <= 9; after += 3) {
        const char *a = pieces[n % PIECES], *b = pieces[n / PIECES];
        struct eh_buf text;
        eh_buf_init(&text, 100);
        eh_buf_addf(&text, "%.*s%s%.*s%s", (int)before, "abcdefghijklmnopqrst",
                    a, (int)after, "ABCDEFGHIJKL", b);
        check(text.data, text.len, n % 40, n % 2 == 0 ? 0 : EH_JSON_HTML);
        eh_buf_free(&text);
      }
}
END_TEST

START_TEST(nul_is_a_character) {
  for (size_t len = 0; len <= 20; len++)
    check("\0abcdef\0ghijkl\0mnopqr", len, 0, 0);
}
END_TEST

START_TEST(ill_formed_text_is_refused) {
  for (size_t before = 0; before <= 17; before++) {
    char text[] = "abcdefghijklmnopqrstuvwxyz";
    struct eh_err err;
    struct eh_buf buf;
    eh_buf_init(&buf, 100);
    text[before] = '\xff';
    ck_assert_int_eq(eh_json_write_string(&buf, text, sizeof text - 1, 0, &err),
                     EH_EUTF8);
    ck_assert_int_eq(eh_json_write_string(&buf, text, before + 1, 0, &err),
                     EH_EUTF8);
    eh_buf_free(&buf);
  }
}
END_TEST

CHECK_MAIN(quote, every_piece_at_every_place, nul_is_a_character,
           ill_formed_text_is_refused)
