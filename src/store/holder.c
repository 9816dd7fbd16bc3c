/* holder.c: who has the store locked, read from the kernel's table of locks.
 *
 * Asking with fcntl would need a descriptor of the file, and closing that
 * would drop the locks of this process; the table only needs inodes. */
#include "store/internal.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* The process that holds a write lock on the file at path; 0 if none. */
static int lock_owner(const char *path) {
  struct stat file;
  char line[256];
  int owner = 0;
  FILE *locks;
  if (stat(path, &file) != 0)
    return 0;
  locks = fopen("/proc/locks", "re");
  if (locks == NULL)
    return 0;
  while (owner == 0 && fgets(line, sizeof line, locks) != NULL) {
    unsigned high, low;
    unsigned long long inode;
    int pid;
    if (sscanf(line, "%*u: %*s %*s WRITE %d %x:%x:%llu", &pid, &high, &low,
               &inode) == 4 &&
        pid > 0 && inode == file.st_ino && high == major(file.st_dev) &&
        low == minor(file.st_dev))
      owner = pid;
  }
  fclose(locks);
  return owner;
}

static void program_name(int pid, char *out, int size) {
  char path[64];
  FILE *file;
  out[0] = '\0';
  snprintf(path, sizeof path, "/proc/%d/comm", pid);
  file = fopen(path, "re");
  if (file == NULL)
    return;
  if (fgets(out, size, file) == NULL)
    out[0] = '\0';
  out[strcspn(out, "\n")] = '\0';
  fclose(file);
}

void eh_holder_name(const char *path, char *out, size_t size) {
  char shm[4096], program[32];
  int pid;
  /* In WAL mode writers lock the -shm file; a foreign tool may hold the
   * database file itself. */
  snprintf(shm, sizeof shm, "%s-shm", path);
  pid = lock_owner(shm);
  if (pid == 0)
    pid = lock_owner(path);
  if (pid == 0) {
    snprintf(out, size, "another process");
    return;
  }
  if (pid == getpid()) {
    snprintf(out, size, "this process (%d), through another handle", pid);
    return;
  }
  program_name(pid, program, sizeof program);
  if (program[0] == '\0')
    snprintf(out, size, "process %d", pid);
  else
    snprintf(out, size, "process %d (%s)", pid, program);
}
