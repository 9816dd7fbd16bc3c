/* options.h: the command line as data. */
#ifndef EH_CLI_OPTIONS_H
#define EH_CLI_OPTIONS_H

#include "base/err.h"
#include "bind/session.h"

#include <stdbool.h>
#include <stddef.h>

enum eh_command {
  EH_COMMAND_RUN = 1,
  EH_COMMAND_CHECK = 2,
  EH_COMMAND_INIT = 4,
  EH_COMMAND_TEST = 8,
  EH_COMMAND_HELP = 16,
  EH_COMMAND_VERSION = 32
};

#define EH_CLI_MAX_VALUES 256

/* One option as it was given; text borrows from argv. */
struct eh_option_value {
  const struct eh_option *option;
  const char *text;
};

struct eh_options {
  enum eh_command command;
  enum eh_command help_for; /* `evalhost check --help`; 0 = the overview */
  struct eh_option_value values[EH_CLI_MAX_VALUES];
  size_t value_count;
  const char *operands[EH_CLI_MAX_VALUES];
  size_t operand_count;
};

/* Reads argv. Returns 0 or EH_EARG with a message for the user. */
int eh_options_parse(int argc, char **argv, struct eh_options *options,
                     struct eh_err *err);

/* The text of the last option of that name, or NULL. */
const char *eh_options_text(const struct eh_options *options, const char *name);

bool eh_options_flag(const struct eh_options *options, const char *name);

/* What the library gets: command, operands, and each option by its name.
 * out has room for EH_OPTIONS_MAX_SETTINGS; returns how many there are. */
#define EH_OPTIONS_MAX_SETTINGS (1 + 2 * EH_CLI_MAX_VALUES)
size_t eh_options_settings(const struct eh_options *options,
                           struct eh_setting *out);

/* Writes the help page to stdout. */
void eh_options_help(enum eh_command command);

#endif
