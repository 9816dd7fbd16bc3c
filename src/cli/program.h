/* program.h: a command from its options to its exit code. */
#ifndef EH_CLI_PROGRAM_H
#define EH_CLI_PROGRAM_H

#include "cli/options.h"

/* Makes the host, gives each run (one per target) its own Lua state, turns
 * the loop until all have ended. Returns the exit code of the process. */
int eh_program_run(const struct eh_options *options);

#endif
