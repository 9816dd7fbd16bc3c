/* gone.h: whether a process that is nobody's child of ours has ended. */
#ifndef EH_TESTS_NET_GONE_H
#define EH_TESTS_NET_GONE_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>
#include <time.h>

/* A zombie counts as ended: who reaps it is the system's affair. */
static inline bool has_ended(pid_t pid) {
  char path[64], state = 'Z';
  FILE *stat;
  snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
  stat = fopen(path, "r");
  if (stat == NULL)
    return true;
  if (fscanf(stat, "%*d (%*[^)]) %c", &state) != 1)
    state = 'Z';
  fclose(stat);
  return state == 'Z' || state == 'X';
}

/* At once or soon. */
static inline bool is_gone(pid_t pid) {
  int patience;
  for (patience = 0; patience < 500; patience++) {
    struct timespec wait = {0, 10000000};
    if (has_ended(pid))
      return true;
    nanosleep(&wait, NULL);
  }
  return false;
}

#endif
