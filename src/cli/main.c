/* main.c: the program: reads the command line and hands over. */
#include "cli/options.h"
#include "cli/program.h"

#include "evalhost/version.h"

#include <stdio.h>

int main(int argc, char **argv) {
  static struct eh_options options;
  struct eh_err err;
  if (eh_options_parse(argc, argv, &options, &err) != 0) {
    fprintf(stderr, "evalhost: %s\nTry `evalhost --help`.\n", err.msg);
    return 2;
  }
  switch (options.command) {
  case EH_COMMAND_HELP:
    eh_options_help(options.help_for);
    return 0;
  case EH_COMMAND_VERSION:
    puts("evalhost " EVALHOST_VERSION);
    return 0;
  default:
    return eh_program_run(&options);
  }
}
