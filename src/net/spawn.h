/* spawn.h: fork and exec; private to process.c. */
#ifndef EH_NET_SPAWN_H
#define EH_NET_SPAWN_H

#include "net/process.h"

#include <sys/types.h>

/* The parent's ends of the pipes; close-on-exec and non-blocking. */
struct eh_spawned {
  pid_t pid; /* also its group */
  int input;
  int output;
  int errors;
};

/* Returns 0, or a code when nothing is left running. */
int eh_spawn(const struct eh_process_options *options, struct eh_spawned *out,
             struct eh_err *err);

#endif
