/* test_csv.c: what the CSV reader accepts, and where and how it complains. */
#include "text/csv.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "check_main.h"

#include <string.h>

/* Appends what the reader says as a text: "LINE:cell|cell;" for a row,
 * "!kind@line,column+offset;" for a problem, "!!" when it is fatal. */
static void describe(struct eh_buf *out, enum eh_csv_event event,
                     const struct eh_csv_row *row,
                     const struct eh_csv_problem *problem) {
  if (event == EH_CSV_ROW) {
    eh_buf_addf(out, "%zu:", row->line);
    for (size_t i = 0; i < row->count; i++) {
      eh_buf_adds(out, i > 0 ? "|" : "");
      eh_buf_add(out, row->cells[i].text, row->cells[i].len);
    }
  } else {
    eh_buf_addf(out, "%s%s@%zu,%zu+%zu", problem->fatal ? "!!" : "!",
                eh_csv_kind_name(problem->kind), problem->err.line,
                problem->err.column, problem->err.offset);
    ck_assert_uint_gt(strlen(problem->err.msg), 0);
    ck_assert_ptr_nonnull(problem->hint);
  }
  eh_buf_addc(out, ';');
}

/* All that the reader says about a text that is fed in pieces of `piece`
 * bytes. The caller frees it. */
static char *read_all(const char *text, size_t len, size_t piece,
                      const struct eh_csv_options *options) {
  struct eh_csv *csv = eh_csv_new(options);
  struct eh_csv_row row;
  struct eh_csv_problem problem;
  enum eh_csv_event event;
  struct eh_buf out;
  size_t pos = 0;
  eh_buf_init(&out, (size_t)1 << 20);
  while ((event = eh_csv_next(csv, &row, &problem)) != EH_CSV_END) {
    if (event != EH_CSV_MORE) {
      describe(&out, event, &row, &problem);
    } else if (pos == len) {
      eh_csv_finish(csv);
    } else {
      size_t take = len - pos < piece ? len - pos : piece;
      eh_csv_feed(csv, text + pos, take);
      pos += take;
    }
  }
  eh_csv_free(csv);
  return eh_buf_take(&out, NULL);
}

static void check_bytes(const char *text, size_t len,
                        const struct eh_csv_options *options,
                        const char *want) {
  for (size_t piece = 1; piece <= len + 1; piece++) {
    char *got = read_all(text, len, piece, options);
    ck_assert_str_eq(got, want);
    eh_free(got);
  }
}

static void check_csv(const char *text, const char *want) {
  check_bytes(text, strlen(text), NULL, want);
}

START_TEST(plain_rows) {
  check_csv("", "");
  check_csv("a", "1:a;");
  check_csv("a,b\n1,2\n", "1:a|b;2:1|2;");
  check_csv("a,b\n1,2", "1:a|b;2:1|2;");
  check_csv("a,b\n,\n1,", "1:a|b;2:|;3:1|;");
  check_csv("a , b\n c,d \n", "1:a | b;2: c|d ;");
}
END_TEST

START_TEST(line_ends) {
  check_csv("a,b\r\n1,2\r\n", "1:a|b;2:1|2;");
  check_csv("a,b\r1,2\r", "1:a|b;2:1|2;");
  check_csv("a,b\r\n1,2\n3,4\r5,6", "1:a|b;2:1|2;3:3|4;4:5|6;");
  check_csv("a\r\n\r\nb\r\rc", "1:a;3:b;5:c;");
}
END_TEST

START_TEST(byte_order_mark) {
  check_csv("\xEF\xBB\xBF"
            "a,b\n1,2\n",
            "1:a|b;2:1|2;");
  check_csv("\xEF\xBB\xBF\"a\",b\n1\n", "1:a|b;!ragged_row@2,2+10;");
  check_csv("\xEF\xBB\xBF", "");
  check_csv("\xEF\xBB\xBF\n\n", "");
}
END_TEST

START_TEST(quoted_cells) {
  check_csv("\"a\",\"b\"\n\"1,5\",\"\"\n", "1:a|b;2:1,5|;");
  check_csv("\"a\"\"b\"\n\"\"\"\"\n\"\"\"x\"\"\"", "1:a\"b;2:\";3:\"x\";");
  check_csv("a,\"x\ny\"\nb,\"1\r\n2\r3\"\nc,d",
            "1:a|x\ny;3:b|1\r\n2\r3;6:c|d;");
  check_csv("a,\"\"", "1:a|;");
  check_csv("\"\"\nx\n", "1:;2:x;");
  check_csv("size,x\n5\" pipe,\"6\"\" pipe\"\n",
            "1:size|x;2:5\" pipe|6\" pipe;");
}
END_TEST

START_TEST(blank_lines_are_skipped) {
  check_csv("\n\na,b\n\n \t\n1,2\n\n", "3:a|b;6:1|2;");
  check_csv("a\n \n\"\"\n\nb\n", "1:a;2: ;3:;5:b;");
  check_csv("\n\r\n\r", "");
}
END_TEST

START_TEST(ragged_rows) {
  check_csv("a,b\n1\n1,2\n1,2,3\n4,5\n",
            "1:a|b;!ragged_row@2,2+5;3:1|2;!ragged_row@4,5+14;5:4|5;");
  check_csv("a,b\n\xC3\xA4,2,\"3\"\n", "1:a|b;!ragged_row@2,5+9;");
  check_csv("a,b\n\"x\ny\",2,3\n4,5\n", "1:a|b;!ragged_row@3,6+12;4:4|5;");
}
END_TEST

START_TEST(ragged_rows_may_be_allowed) {
  struct eh_csv_options options = {.ragged = true};
  check_bytes("a,b\n1\n1,2,3\n", 12, &options, "1:a|b;2:1;3:1|2|3;");
}
END_TEST

START_TEST(text_after_a_quote) {
  check_csv("a,b\n\"1\"x,2\n3,4\n", "1:a|b;!text_after_quote@2,4+7;3:3|4;");
  check_csv("a,b\r\n1,\"{\"k\": 2}\"\r\n3,4",
            "1:a|b;!text_after_quote@2,6+10;3:3|4;");
  check_csv("a,b\n\"1\" ,2\n3,4\n", "1:a|b;!text_after_quote@2,4+7;3:3|4;");
  check_csv("a,b\n\"1\"x", "1:a|b;!text_after_quote@2,4+7;");
}
END_TEST

/* The quote is missing on line 2; it is noticed on line 3. */
START_TEST(a_quote_too_few) {
  check_csv("a,b\n1,\"x\n2,\"y\"\n3,z\n",
            "1:a|b;!text_after_quote@3,4+12;3:2|y;4:3|z;");
  check_csv("a,b\n1,\"x\n2,y\n", "1:a|b;!unterminated_quote@2,3+6;3:2|y;");
  check_csv("a,b\n1,\"x", "1:a|b;!unterminated_quote@2,3+6;");
  check_csv("\"", "!unterminated_quote@1,1+0;");
}
END_TEST

START_TEST(bytes_that_are_no_text) {
  check_bytes("a,b\n1,\0\n3,4\n", 12, NULL, "1:a|b;!nul@2,3+6;3:3|4;");
  check_csv("a,b\ncaf\xE9,2\n3,4\n", "1:a|b;!encoding@2,4+7;3:3|4;");
  check_csv("a,b\n\xC3\xA9,\xE9\n3,\xE2\x82\n5,6\n",
            "1:a|b;!encoding@2,3+7;!encoding@3,3+11;4:5|6;");
  check_csv("a,b\n1,\xE2\x82", "1:a|b;!encoding@2,3+6;");
  check_csv("a,b\n\"\n\xFF\n\",2\n3,4\n", "1:a|b;!encoding@3,1+6;5:3|4;");
  check_csv("h\xE9\nx\n", "!encoding@1,2+1;2:x;");
}
END_TEST

START_TEST(utf16_is_named) {
  check_bytes("\xFF\xFE"
              "a\0,\0b\0\n\0",
              10, NULL, "!!utf16@1,1+0;");
  check_bytes("\xFE\xFF\0a\0,", 6, NULL, "!!utf16@1,1+0;");
  check_bytes("a\0,\0b\0\n\0", 8, NULL, "!!utf16@1,1+0;");
  check_bytes("\0a\0,", 4, NULL, "!!utf16@1,1+0;");
}
END_TEST

START_TEST(caps) {
  struct eh_csv_options options = {.max_record = 8};
  check_bytes("a,b\n12345,78\n", 13, &options, "1:a|b;2:12345|78;");
  check_bytes("a,b\n12345,789\n", 14, &options, "1:a|b;!!too_large@2,1+4;");
  check_bytes("a,b\n1,\"34567890\n\n", 17, &options,
              "1:a|b;!!too_large@2,3+6;");
  options.max_record = 0;
  options.max_cells = 2;
  check_bytes("a,b\n1,2\n", 8, &options, "1:a|b;2:1|2;");
  check_bytes("a,b\n1,2,3\n", 10, &options, "1:a|b;!!too_large@2,1+4;");
  check_bytes("a,b,", 4, &options, "!!too_large@1,1+0;");
}
END_TEST

START_TEST(the_last_listed_problem_is_fatal) {
  struct eh_csv_options options = {.max_problems = 2};
  struct eh_buf text;
  char *got;
  size_t count = 0;
  check_bytes("a,b\n1\n2\n3\n4,5", 13, &options,
              "1:a|b;!ragged_row@2,2+5;!!ragged_row@3,2+7;");
  eh_buf_init(&text, 10000);
  eh_buf_adds(&text, "a,b\n");
  for (int i = 0; i < 100; i++)
    eh_buf_adds(&text, "x\n");
  got = read_all(text.data, text.len, 1000, NULL);
  for (const char *at = got; (at = strstr(at, "ragged")) != NULL; at++)
    count++;
  ck_assert_uint_eq(count, 20);
  eh_free(got);
  eh_buf_free(&text);
}
END_TEST

START_TEST(rows_are_numbered) {
  struct eh_csv *csv = eh_csv_new(NULL);
  struct eh_csv_row row;
  struct eh_csv_problem problem;
  eh_csv_feed(csv, "a\n\nx\ny\n", 7);
  eh_csv_finish(csv);
  for (size_t i = 0; i < 3; i++) {
    ck_assert_int_eq(eh_csv_next(csv, &row, &problem), EH_CSV_ROW);
    ck_assert_uint_eq(row.number, i);
  }
  ck_assert_int_eq(eh_csv_next(csv, &row, &problem), EH_CSV_END);
  ck_assert_int_eq(eh_csv_next(csv, &row, &problem), EH_CSV_END);
  eh_csv_free(csv);
}
END_TEST

CHECK_MAIN(csv, plain_rows, line_ends, byte_order_mark, quoted_cells,
           blank_lines_are_skipped, ragged_rows, ragged_rows_may_be_allowed,
           text_after_a_quote, a_quote_too_few, bytes_that_are_no_text,
           utf16_is_named, caps, the_last_listed_problem_is_fatal,
           rows_are_numbered)
