/* test_options.c: the command line as data; what is wrong with one, in words.
 */
#include "cli/options.h"

#include "check_main.h"

#include <string.h>

static struct eh_options options;
static struct eh_err err;

/* Parses a NULL-terminated list of words after the program's name. */
static int parse(const char *const *words) {
  char *argv[EH_CLI_MAX_VALUES * 2];
  int argc = 0;
  argv[argc++] = (char *)"evalhost";
  while (words[argc - 1] != NULL) {
    argv[argc] = (char *)words[argc - 1];
    argc++;
  }
  return eh_options_parse(argc, argv, &options, &err);
}

#define PARSE(...) parse((const char *const[]){__VA_ARGS__, NULL})

/* The parse fails, and the message holds text. */
#define REFUSES(text, ...)                                                     \
  do {                                                                         \
    ck_assert_int_eq(PARSE(__VA_ARGS__), EH_EARG);                             \
    ck_assert_msg(strstr(err.msg, text) != NULL, "%s", err.msg);               \
  } while (0)

START_TEST(commands) {
  ck_assert_int_eq(PARSE("a.lua"), 0);
  ck_assert_int_eq(options.command, EH_COMMAND_RUN);
  ck_assert_int_eq(PARSE("run", "a.lua"), 0);
  ck_assert_int_eq(options.command, EH_COMMAND_RUN);
  ck_assert_str_eq(options.operands[0], "a.lua");
  ck_assert_int_eq(PARSE("-q", "test", "a", "b"), 0);
  ck_assert_int_eq(options.command, EH_COMMAND_TEST);
  ck_assert_uint_eq(options.operand_count, 2);
  ck_assert_int_eq(PARSE("check", "check"), 0);
  ck_assert_int_eq(options.command, EH_COMMAND_CHECK);
  ck_assert_str_eq(options.operands[0], "check");
  ck_assert_int_eq(PARSE("--version", "--nonsense"), 0);
  ck_assert_int_eq(options.command, EH_COMMAND_VERSION);
}
END_TEST

START_TEST(help) {
  ck_assert_int_eq(
      eh_options_parse(1, (char *[]){(char *)"evalhost", NULL}, &options, &err),
      0);
  ck_assert_int_eq(options.command, EH_COMMAND_HELP);
  ck_assert_int_eq(PARSE("-h"), 0);
  ck_assert_int_eq(options.help_for, 0);
  ck_assert_int_eq(PARSE("check", "--help"), 0);
  ck_assert_int_eq(options.command, EH_COMMAND_HELP);
  ck_assert_int_eq(options.help_for, EH_COMMAND_CHECK);
  ck_assert_int_eq(PARSE("--help", "--nonsense"), 0);
}
END_TEST

START_TEST(values) {
  ck_assert_int_eq(PARSE("a.lua", "-j", "4", "--limit=7", "-ox.json", "-o", "-",
                         "--timeout", "0.5", "--fail-fast"),
                   0);
  ck_assert_str_eq(eh_options_text(&options, "jobs"), "4");
  ck_assert_str_eq(eh_options_text(&options, "limit"), "7");
  ck_assert_str_eq(eh_options_text(&options, "output"), "-");
  ck_assert_ptr_null(eh_options_text(&options, "filter"));
  ck_assert(eh_options_flag(&options, "fail-fast"));
  ck_assert(!eh_options_flag(&options, "quiet"));
  ck_assert_int_eq(PARSE("a.lua", "--limit", "1", "--limit", "2"), 0);
  ck_assert_str_eq(eh_options_text(&options, "limit"), "2");
  ck_assert_int_eq(PARSE("a.lua", "--filter="), 0);
  ck_assert_str_eq(eh_options_text(&options, "filter"), "");
}
END_TEST

START_TEST(dashes) {
  ck_assert_int_eq(PARSE("--", "--odd.lua"), 0);
  ck_assert_str_eq(options.operands[0], "--odd.lua");
  ck_assert_int_eq(PARSE("a.lua", "--cases", "-"), 0);
  ck_assert_str_eq(eh_options_text(&options, "cases"), "-");
  ck_assert_int_eq(PARSE("test", "-"), 0);
  ck_assert_str_eq(options.operands[0], "-");
}
END_TEST

START_TEST(mistakes) {
  REFUSES("unknown option '--job'", "a.lua", "--job", "1");
  REFUSES("unknown option '-z'", "a.lua", "-z");
  REFUSES("--jobs needs a value", "a.lua", "-j");
  REFUSES("whole number from 1 up, got '0'", "a.lua", "-j", "0");
  REFUSES("got '1.5'", "a.lua", "--limit", "1.5");
  REFUSES("got ''", "a.lua", "--limit", "");
  REFUSES("got '3x'", "a.lua", "--repeat", "3x");
  REFUSES("number above 0, got 'nan'", "a.lua", "--timeout", "nan");
  REFUSES("got '-1'", "a.lua", "--timeout", "-1");
  REFUSES("--quiet takes no value", "a.lua", "--quiet=yes");
  REFUSES("does not apply to `evalhost check`", "check", "a.lua", "-j", "2");
  REFUSES("`evalhost run` needs a path", "-q");
  REFUSES("takes one path, got 'b.lua' too", "a.lua", "b.lua");
}
END_TEST

START_TEST(too_many) {
  const char *words[EH_CLI_MAX_VALUES + 2] = {0};
  for (size_t i = 0; i <= EH_CLI_MAX_VALUES; i++)
    words[i] = "-q";
  ck_assert_int_eq(parse(words), EH_EARG);
  for (size_t i = 0; i <= EH_CLI_MAX_VALUES; i++)
    words[i] = "x";
  ck_assert_int_eq(parse(words), EH_EARG);
}
END_TEST

START_TEST(settings) {
  struct eh_setting out[EH_OPTIONS_MAX_SETTINGS];
  size_t n;
  ck_assert_int_eq(PARSE("a.lua", "-j", "4", "-q", "--param", "k=v"), 0);
  n = eh_options_settings(&options, out);
  ck_assert_uint_eq(n, 5);
  ck_assert_str_eq(out[0].name, "command");
  ck_assert_str_eq(out[0].text, "run");
  ck_assert_int_eq(out[1].kind, EH_SETTING_ITEM);
  ck_assert_str_eq(out[1].text, "a.lua");
  ck_assert_int_eq(out[2].kind, EH_SETTING_WHOLE);
  ck_assert_str_eq(out[2].name, "jobs");
  ck_assert_int_eq(out[3].kind, EH_SETTING_FLAG);
  ck_assert_ptr_null(out[3].text);
  ck_assert_int_eq(out[4].kind, EH_SETTING_ITEM);
  ck_assert_str_eq(out[4].text, "k=v");
}
END_TEST

CHECK_MAIN(options, commands, help, values, dashes, mistakes, too_many,
           settings)
