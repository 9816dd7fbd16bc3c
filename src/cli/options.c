/* options.c: one table of options; parsing, help and what Lua sees follow. */
#include "cli/options.h"

#include "text/nearest.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum kind { FLAG, COUNT, NUMBER, TEXT, LIST };

struct eh_option {
  const char *name; /* long name, without dashes */
  char letter;      /* or 0 */
  enum kind kind;
  int commands;
  const char *value; /* its name in the help */
  const char *help;
};

#define RUN   EH_COMMAND_RUN
#define CHECK EH_COMMAND_CHECK
#define TEST  EH_COMMAND_TEST
#define ALL   (EH_COMMAND_RUN | EH_COMMAND_CHECK | EH_COMMAND_INIT | TEST)

static const struct eh_option table[] = {
    {"jobs", 'j', COUNT, RUN, "N",
     "cases in flight (default: the suite's limits.concurrency, else 16)"},
    {"target", 0, TEXT, RUN | CHECK, "NAME[,NAME]",
     "which target to measure; several make one run each"},
    {"judge", 0, TEXT, RUN | CHECK, "WHICH",
     "auto, builtin or openai (default auto: a model where its key is set)"},
    {"param", 0, LIST, RUN | CHECK, "K=V",
     "set a parameter of the suite (repeatable)"},
    {"cases", 0, TEXT, RUN | CHECK, "FILE",
     "other test data than the suite's; - reads standard input"},
    {"filter", 0, TEXT, RUN | CHECK, "REGEX",
     "only cases whose id matches (PCRE2)"},
    {"limit", 0, COUNT, RUN | CHECK, "N",
     "only the first N cases, after the filter"},
    {"repeat", 0, COUNT, RUN, "N", "run every case N times"},
    {"seed", 0, TEXT, RUN, "N", "root of all random seeds (default 0)"},
    {"timeout", 0, NUMBER, RUN, "S",
     "seconds of active work a case may take (default 60)"},
    {"fail-fast", 0, FLAG, RUN, NULL,
     "stop admitting cases after the first that does not pass"},
    {"output", 'o', LIST, RUN, "FILE",
     "write results: .json .jsonl .csv .junit.xml .md; - is JSON on stdout "
     "(repeatable)"},
    {"suite-report", 0, TEXT, RUN, "FILE",
     "write the suite's own report as JSON"},
    {"store", 0, TEXT, RUN, "FILE",
     "where results are kept (default .evalhost/store.db)"},
    {"scripts", 0, TEXT, ALL, "DIR",
     "use the Lua library in DIR instead of the embedded one"},
    {"quiet", 'q', FLAG, RUN | TEST, NULL, "no progress, only the result"},
    {"verbose", 'v', FLAG, RUN | TEST, NULL,
     "one line per case, and what the suite logs"},
    {"no-color", 0, FLAG, RUN | CHECK | TEST, NULL,
     "plain text (NO_COLOR and TERM=dumb do the same)"},
};

#define TABLE_SIZE (sizeof table / sizeof table[0])

static const struct {
  const char *name;
  enum eh_command command;
  const char *operands;
  const char *help;
} commands[] = {
    {"run", EH_COMMAND_RUN, "SUITE.lua",
     "run a suite (the word `run` may be left out)"},
    {"check", EH_COMMAND_CHECK, "SUITE.lua",
     "load and validate a suite and its data; nothing is called"},
    {"test", EH_COMMAND_TEST, "PATH...",
     "run *_spec.lua files inside the host"},
    {"init", EH_COMMAND_INIT, "DIR", "write a suite skeleton that runs"},
};

#define COMMAND_COUNT (sizeof commands / sizeof commands[0])

static const char *command_name(enum eh_command command) {
  for (size_t i = 0; i < COMMAND_COUNT; i++)
    if (commands[i].command == command)
      return commands[i].name;
  return "run";
}

static const struct eh_option *find_long(const char *name, size_t len) {
  for (size_t i = 0; i < TABLE_SIZE; i++)
    if (strlen(table[i].name) == len && memcmp(table[i].name, name, len) == 0)
      return &table[i];
  return NULL;
}

static const struct eh_option *find_letter(char letter) {
  for (size_t i = 0; i < TABLE_SIZE; i++)
    if (table[i].letter == letter && letter != 0)
      return &table[i];
  return NULL;
}

static int check_value(const struct eh_option *option, const char *text,
                       struct eh_err *err) {
  char *end;
  double number;
  if (option->kind != COUNT && option->kind != NUMBER)
    return 0;
  errno = 0;
  number = strtod(text, &end);
  if (*text == '\0' || *end != '\0' || errno != 0 || !isfinite(number) ||
      (option->kind == COUNT && (number < 1 || number != floor(number) ||
                                 number > 9007199254740991.0)) ||
      (option->kind == NUMBER && number <= 0))
    return eh_err_set(err, EH_EARG, "--%s needs a %s, got '%s'", option->name,
                      option->kind == COUNT ? "whole number from 1 up"
                                            : "number above 0",
                      text);
  return 0;
}

static int add_value(struct eh_options *options, const struct eh_option *option,
                     const char *text, struct eh_err *err) {
  int rc;
  if (options->value_count == EH_CLI_MAX_VALUES)
    return eh_err_set(err, EH_EARG, "too many options");
  rc = text != NULL ? check_value(option, text, err) : 0;
  options->values[options->value_count].option = option;
  options->values[options->value_count].text = text;
  options->value_count++;
  return rc;
}

/* Says which option the word comes close to, if any. */
static int unknown(const char *word, struct eh_err *err) {
  const char *name = word + strspn(word, "-");
  size_t len = strcspn(name, "="), best = EH_NEAREST_NONE;
  const struct eh_option *near = NULL;
  for (size_t i = 0; i < TABLE_SIZE; i++) {
    size_t distance =
        eh_nearest_distance(name, len, table[i].name, strlen(table[i].name));
    if (distance < best) {
      best = distance;
      near = &table[i];
    }
  }
  if (near == NULL)
    return eh_err_set(err, EH_EARG, "unknown option '%s'", word);
  return eh_err_set(err, EH_EARG, "unknown option '%s'; did you mean --%s?",
                    word, near->name);
}

/* One word that starts with a dash; *used becomes 2 if it took the next. */
static int parse_option(const char *word, const char *next,
                        struct eh_options *options, int *used,
                        struct eh_err *err) {
  const struct eh_option *option;
  const char *value = NULL;
  *used = 1;
  if (word[1] == '-') {
    const char *equals = strchr(word, '=');
    size_t len =
        equals != NULL ? (size_t)(equals - word - 2) : strlen(word + 2);
    option = find_long(word + 2, len);
    value = equals != NULL ? equals + 1 : NULL;
  } else {
    option = find_letter(word[1]);
    if (word[2] != '\0')
      value = word + 2 + (word[2] == '=');
  }
  if (option == NULL)
    return unknown(word, err);
  if (option->kind == FLAG) {
    if (value != NULL)
      return eh_err_set(err, EH_EARG, "--%s takes no value", option->name);
    return add_value(options, option, NULL, err);
  }
  if (value == NULL) {
    if (next == NULL)
      return eh_err_set(err, EH_EARG, "--%s needs a value (%s)", option->name,
                        option->value);
    value = next;
    *used = 2;
  }
  return add_value(options, option, value, err);
}

/* A bare word that is no command and no file. */
static bool is_unknown_command(const struct eh_options *options) {
  return options->command == EH_COMMAND_RUN && options->operand_count > 0 &&
         strpbrk(options->operands[0], "./") == NULL &&
         strcmp(options->operands[0], "-") != 0 &&
         access(options->operands[0], F_OK) != 0;
}

static int check_options(const struct eh_options *options, struct eh_err *err) {
  if (is_unknown_command(options))
    return eh_err_set(err, EH_EARG,
                      "'%s' is neither a command (run, check, test, init) nor "
                      "a file",
                      options->operands[0]);
  for (size_t i = 0; i < options->value_count; i++)
    if (!(options->values[i].option->commands & (int)options->command))
      return eh_err_set(err, EH_EARG, "--%s does not apply to `evalhost %s`",
                        options->values[i].option->name,
                        command_name(options->command));
  if (options->operand_count == 0)
    return eh_err_set(err, EH_EARG, "`evalhost %s` needs a path",
                      command_name(options->command));
  if (options->command != EH_COMMAND_TEST && options->operand_count > 1)
    return eh_err_set(err, EH_EARG,
                      "`evalhost %s` takes one path, got '%s' too",
                      command_name(options->command), options->operands[1]);
  return 0;
}

/* The command's word, if the first operand is one. */
static void take_command(struct eh_options *options) {
  options->command = EH_COMMAND_RUN;
  for (size_t i = 0; options->operand_count > 0 && i < COMMAND_COUNT; i++) {
    if (strcmp(options->operands[0], commands[i].name) != 0)
      continue;
    options->command = commands[i].command;
    options->operand_count--;
    memmove(options->operands, options->operands + 1,
            options->operand_count * sizeof options->operands[0]);
    return;
  }
}

int eh_options_parse(int argc, char **argv, struct eh_options *options,
                     struct eh_err *err) {
  bool help = argc < 2, only_operands = false;
  memset(options, 0, sizeof *options);
  for (int i = 1; i < argc;) {
    const char *word = argv[i];
    int used = 1, rc;
    if (only_operands || word[0] != '-' || word[1] == '\0') {
      if (options->operand_count == EH_CLI_MAX_VALUES)
        return eh_err_set(err, EH_EARG, "too many paths");
      options->operands[options->operand_count++] = word;
    } else if (strcmp(word, "--") == 0) {
      only_operands = true;
    } else if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
      help = true;
    } else if (strcmp(word, "--version") == 0) {
      options->command = EH_COMMAND_VERSION;
      return 0;
    } else {
      rc = parse_option(word, i + 1 < argc ? argv[i + 1] : NULL, options, &used,
                        err);
      if (rc != 0 && !help)
        return rc;
    }
    i += used;
  }
  if (help) {
    size_t words = options->operand_count;
    take_command(options);
    options->help_for =
        options->operand_count < words ? options->command : (enum eh_command)0;
    options->command = EH_COMMAND_HELP;
    return 0;
  }
  take_command(options);
  return check_options(options, err);
}

const char *eh_options_text(const struct eh_options *options,
                            const char *name) {
  const char *text = NULL;
  for (size_t i = 0; i < options->value_count; i++)
    if (strcmp(options->values[i].option->name, name) == 0)
      text = options->values[i].text;
  return text;
}

bool eh_options_flag(const struct eh_options *options, const char *name) {
  for (size_t i = 0; i < options->value_count; i++)
    if (strcmp(options->values[i].option->name, name) == 0)
      return true;
  return false;
}

size_t eh_options_settings(const struct eh_options *options,
                           struct eh_setting *out) {
  static const int kinds[] = {[FLAG] = EH_SETTING_FLAG,
                              [COUNT] = EH_SETTING_WHOLE,
                              [NUMBER] = EH_SETTING_NUMBER,
                              [TEXT] = EH_SETTING_TEXT,
                              [LIST] = EH_SETTING_ITEM};
  size_t n = 0;
  out[n++] = (struct eh_setting){EH_SETTING_TEXT, "command",
                                 command_name(options->command)};
  for (size_t i = 0; i < options->operand_count; i++)
    out[n++] =
        (struct eh_setting){EH_SETTING_ITEM, "operands", options->operands[i]};
  for (size_t i = 0; i < options->value_count; i++) {
    const struct eh_option *option = options->values[i].option;
    out[n].kind = kinds[option->kind];
    out[n].name = option->name;
    out[n++].text = options->values[i].text;
  }
  return n;
}

static void print_option(const struct eh_option *option) {
  char left[64];
  int used = option->letter != 0
                 ? snprintf(left, sizeof left, "-%c, --%s", option->letter,
                            option->name)
                 : snprintf(left, sizeof left, "    --%s", option->name);
  if (option->value != NULL)
    snprintf(left + used, sizeof left - (size_t)used, " %s", option->value);
  printf("  %-28s %s\n", left, option->help);
}

static void print_command(size_t i) {
  char left[64];
  snprintf(left, sizeof left, "evalhost %s %s%s", commands[i].name,
           commands[i].operands,
           commands[i].command == EH_COMMAND_INIT ? "" : " [options]");
  printf("  %-35s %s\n", left, commands[i].help);
}

static void print_exit_codes(void) {
  puts("\nExit codes: 0 every threshold met; 1 a threshold not met; 2 bad "
       "usage, suite or data\n(no case was run); 3 errors or unscored cases "
       "above the suite's tolerance; 4 results\ncould not be kept; 5 internal "
       "fault; 129, 130, 143 interrupted by a signal.");
}

void eh_options_help(enum eh_command command) {
  puts("evalhost: a Lua-scripted evaluation engine for LLM applications and "
       "agents\n\nUsage:");
  for (size_t i = 0; i < COMMAND_COUNT; i++)
    if (command == 0 || commands[i].command == command)
      print_command(i);
  printf("\nOptions%s:\n", command == 0 ? " of run" : "");
  for (size_t i = 0; i < TABLE_SIZE; i++)
    if (table[i].commands & (int)(command == 0 ? EH_COMMAND_RUN : command))
      print_option(&table[i]);
  puts("  -h, --help                   this page; after a command, its own\n"
       "      --version                the version");
  if (command == 0 || command == EH_COMMAND_RUN)
    print_exit_codes();
}
