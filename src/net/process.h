/* process.h: runs a program with bytes in and bytes out.
 *
 * No shell. The child leads a process group and session of its own; it dies
 * with this program. It is over when it has exited and both its pipes are at
 * their end, or when its time is. Then the whole group is killed, so nothing
 * it left behind stays. */
#ifndef EH_NET_PROCESS_H
#define EH_NET_PROCESS_H

#include "base/buf.h"
#include "base/err.h"
#include "net/loop.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EH_MAX_STDERR ((size_t)64 << 10) /* its tail is kept */

struct eh_process;

/* argv is required and ends with NULL; argv[0] is searched in PATH unless it
 * has a slash. The rest may be zero. All is copied. */
struct eh_process_options {
  const char *const *argv;
  const char *const *env; /* "NAME=value", ends with NULL; NULL = ours */
  const char *cwd;
  const char *input; /* for its stdin, which is closed after it */
  size_t input_len;
  uint64_t timeout_ns; /* default 60 s */
  uint64_t grace_ns;   /* between TERM and KILL; default 2 s */
  size_t max_bytes;    /* of stdout; default EH_MAX_HTTP_BODY */
};

/* How it ended; after a failure, how far it came. */
struct eh_process_result {
  int code;   /* exit status, -1 if it was ended by a signal */
  int signal; /* that ended it; 0 = none */
  uint64_t elapsed_ns;
  struct eh_buf output; /* stdout */
  struct eh_buf errors; /* the last EH_MAX_STDERR bytes of stderr */
};

/* err is NULL if the program ran to its end, whatever its exit code. Its
 * codes: timeout, too_large (stdout). result is lent: eh_buf_take what is to
 * be kept. */
typedef void eh_process_done_fn(void *arg, struct eh_process_result *result,
                                const struct eh_err *err);

/* Starts the program; done is called later, never from inside this. Returns
 * NULL and fills err: EH_ENOENT (no such program or folder), EH_EPERM, EH_EARG,
 * EH_EBUSY (no process or descriptor left). */
struct eh_process *eh_process_start(struct eh_loop *loop,
                                    const struct eh_process_options *options,
                                    eh_process_done_fn *done, void *arg,
                                    struct eh_err *err);

/* Kills the group at once. After this returns the callback never comes; the
 * loop collects the remains. */
void eh_process_cancel(struct eh_process *process);

#endif
