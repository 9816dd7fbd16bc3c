/* spawn.c: fork and exec. libuv's own cannot bind the child's life to ours
 * (PR_SET_PDEATHSIG), hence this. */
#include "net/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Pairs of read end and write end; the last tells why the child could not
 * start, and is closed by its exec. */
enum { IN, OUT, ERR, REPORT, PIPES };

struct failure {
  int errnum;
  bool in_cwd;
};

static void close_all(int pipes[PIPES][2]) {
  int i;
  for (i = 0; i < PIPES; i++) {
    if (pipes[i][0] >= 0)
      close(pipes[i][0]);
    if (pipes[i][1] >= 0)
      close(pipes[i][1]);
  }
}

static int open_all(int pipes[PIPES][2]) {
  int i;
  for (i = 0; i < PIPES; i++)
    pipes[i][0] = pipes[i][1] = -1;
  for (i = 0; i < PIPES; i++)
    if (pipe2(pipes[i], O_CLOEXEC) != 0) {
      int errnum = errno;
      close_all(pipes);
      return errnum;
    }
  return 0;
}

static void reset_signals(void) {
  sigset_t none;
  int i;
  for (i = 1; i < NSIG; i++)
    signal(i, SIG_DFL); /* fails for some, which have no handler */
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

/* In the child: only async-signal-safe calls. */
static _Noreturn void become(const struct eh_process_options *options,
                             int pipes[PIPES][2], pid_t parent) {
  struct failure failure = {0};
  setsid();
  reset_signals();
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent)
    _exit(127); /* it died before the line above */
  dup2(pipes[IN][0], STDIN_FILENO);
  dup2(pipes[OUT][1], STDOUT_FILENO);
  dup2(pipes[ERR][1], STDERR_FILENO);
  close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC); /* others' */
  if (options->cwd != NULL && chdir(options->cwd) != 0) {
    failure.in_cwd = true;
  } else {
    char *const *argv = (char *const *)options->argv;
    execvpe(argv[0], argv,
            options->env != NULL ? (char *const *)options->env : environ);
  }
  failure.errnum = errno;
  if (write(pipes[REPORT][1], &failure, sizeof failure) < 0)
    _exit(126);
  _exit(127);
}

/* Forks with all signals blocked, so that no handler of ours runs in the
 * child. */
static pid_t fork_quietly(const struct eh_process_options *options,
                          int pipes[PIPES][2]) {
  pid_t parent = getpid(), pid;
  sigset_t all, before;
  int errnum;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid = fork();
  if (pid == 0)
    become(options, pipes, parent);
  errnum = errno;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  errno = errnum;
  return pid;
}

static int explain(const struct eh_process_options *options,
                   const struct failure *failure, struct eh_err *err) {
  const char *what = failure->in_cwd ? options->cwd : options->argv[0];
  if (failure->errnum == ENOEXEC)
    return eh_err_set(err, EH_EPERM, "%s: %s", what, strerror(ENOEXEC));
  return eh_err_errno(err, failure->errnum, what);
}

/* Keeps descriptors 0 to 2 out of the pipes, so that placing one end never
 * closes another, or leaves it close-on-exec. */
static int lift(int pipes[PIPES][2]) {
  int i, j;
  for (i = 0; i < PIPES; i++)
    for (j = 0; j < 2; j++)
      if (pipes[i][j] <= STDERR_FILENO) {
        int fd = fcntl(pipes[i][j], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        if (fd < 0)
          return errno;
        close(pipes[i][j]);
        pipes[i][j] = fd;
      }
  return 0;
}

static int keep(int *end) {
  int fd = *end;
  fcntl(fd, F_SETFL, O_NONBLOCK);
  *end = -1;
  return fd;
}

int eh_spawn(const struct eh_process_options *options, struct eh_spawned *out,
             struct eh_err *err) {
  int pipes[PIPES][2], errnum = open_all(pipes);
  struct failure failure;
  ssize_t got;
  if (errnum == 0 && (errnum = lift(pipes)) != 0)
    close_all(pipes);
  if (errnum != 0)
    return eh_err_set(err, EH_EBUSY, "%s: %s", options->argv[0],
                      strerror(errnum));
  out->pid = fork_quietly(options, pipes);
  if (out->pid < 0) {
    errnum = errno;
    close_all(pipes);
    return eh_err_set(err, EH_EBUSY, "%s: %s", options->argv[0],
                      strerror(errnum));
  }
  close(pipes[REPORT][1]);
  pipes[REPORT][1] = -1;
  do
    got = read(pipes[REPORT][0], &failure, sizeof failure);
  while (got < 0 && errno == EINTR);
  if (got == (ssize_t)sizeof failure) {
    close_all(pipes);
    while (waitpid(out->pid, NULL, 0) < 0 && errno == EINTR)
      ;
    return explain(options, &failure, err);
  }
  out->input = keep(&pipes[IN][1]);
  out->output = keep(&pipes[OUT][0]);
  out->errors = keep(&pipes[ERR][0]);
  close_all(pipes);
  return 0;
}
