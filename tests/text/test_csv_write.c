/* test_csv_write.c: quoting, the formula guard, and reading back. */
#include "text/csv_write.h"

#include "base/err.h"
#include "check_main.h"

#include <string.h>

static void check_write(const char *cell, unsigned flags, const char *want) {
  struct eh_csv_cell cells[2] = {{cell, strlen(cell)}, {"z", 1}};
  struct eh_buf out;
  eh_buf_init(&out, 1000);
  ck_assert_int_eq(eh_csv_write_row(&out, cells, 2, flags), 0);
  out.data[out.len - 2] = '\0'; /* ",z" */
  ck_assert_str_eq(out.data, want);
  eh_buf_free(&out);
}

START_TEST(cells_are_quoted_when_needed) {
  check_write("", 0, "");
  check_write("a b", 0, "a b");
  check_write("a,b", 0, "\"a,b\"");
  check_write("a\"b", 0, "\"a\"\"b\"");
  check_write("\"\"", 0, "\"\"\"\"\"\"");
  check_write("a\nb", 0, "\"a\nb\"");
  check_write("a\rb", 0, "\"a\rb\"");
  check_write(" a", 0, "\" a\"");
  check_write("=1+1", 0, "=1+1");
}
END_TEST

START_TEST(formulas_are_guarded) {
  const unsigned guard = EH_CSV_FORMULA_GUARD;
  check_write("=1+1", guard, "'=1+1");
  check_write("=a,b", guard, "\"'=a,b\"");
  check_write("@x", guard, "'@x");
  check_write("\tx", guard, "\"'\tx\"");
  check_write("\rx", guard, "\"'\rx\"");
  check_write("+1-1", guard, "'+1-1");
  check_write("-", guard, "'-");
  check_write("-.", guard, "'-.");
  check_write("-1e", guard, "'-1e");
  check_write("-1", guard, "-1");
  check_write("+2.5", guard, "+2.5");
  check_write("-.5e-10", guard, "-.5e-10");
  check_write("-5.", guard, "-5.");
  check_write("a=b", guard, "a=b");
}
END_TEST

START_TEST(writing_is_capped) {
  struct eh_csv_cell cells[2] = {{"abc", 3}, {"d\"e", 3}};
  struct eh_buf out;
  eh_buf_init(&out, 8);
  eh_buf_adds(&out, "x");
  ck_assert_int_eq(eh_csv_write_row(&out, cells, 2, 0), EH_ELIMIT);
  ck_assert_str_eq(out.data, "x");
  eh_buf_free(&out);
}
END_TEST

/* The text is one row of these cells. */
static void check_reads(const char *text, size_t len,
                        const struct eh_csv_cell *cells, size_t count) {
  struct eh_csv *csv = eh_csv_new(NULL);
  struct eh_csv_row row;
  struct eh_csv_problem problem;
  eh_csv_feed(csv, text, len);
  eh_csv_finish(csv);
  ck_assert_int_eq(eh_csv_next(csv, &row, &problem), EH_CSV_ROW);
  ck_assert_uint_eq(row.count, count);
  for (size_t i = 0; i < count; i++) {
    ck_assert_uint_eq(row.cells[i].len, cells[i].len);
    ck_assert(memcmp(row.cells[i].text, cells[i].text, cells[i].len) == 0);
  }
  ck_assert_int_eq(eh_csv_next(csv, &row, &problem), EH_CSV_END);
  eh_csv_free(csv);
}

START_TEST(written_cells_read_back) {
  static const char *const texts[] = {
      "",     "a",   ",",     "\"",        "\n",
      "\r\n", " a ", "\"a\"", "a,\"b\"\n", "\xEF\xBB\xBF"};
  const size_t count = sizeof texts / sizeof texts[0];
  for (size_t a = 0; a < count; a++)
    for (size_t b = 0; b <= count; b++) {
      struct eh_csv_cell cells[2] = {{texts[a], strlen(texts[a])}};
      size_t width = b < count ? 2 : 1;
      struct eh_buf out;
      if (width == 2)
        cells[1] = (struct eh_csv_cell){texts[b], strlen(texts[b])};
      eh_buf_init(&out, 1000);
      ck_assert_int_eq(eh_csv_write_row(&out, cells, width, 0), 0);
      check_reads(out.data, out.len, cells, width);
      eh_buf_free(&out);
    }
}
END_TEST

CHECK_MAIN(csv_write, cells_are_quoted_when_needed, formulas_are_guarded,
           writing_is_capped, written_cells_read_back)
