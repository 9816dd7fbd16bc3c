/* scripts.h: the embedded Lua library: bytecode (or text), made from scripts/
 * at build time by cmake/embed.c. */
#ifndef EH_VM_SCRIPTS_H
#define EH_VM_SCRIPTS_H

#include <stddef.h>

struct eh_script {
  const char *module; /* "evalhost.suite"; NULL ends the table */
  const char *file;   /* "evalhost/suite.lua" */
  const unsigned char *code;
  size_t len;
};

extern const struct eh_script eh_scripts[];

#endif
