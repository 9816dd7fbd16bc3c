/* measure.c: what one command cost, as the kernel counted it.
 *
 *   measure SECONDS OUTPUT COMMAND [ARGUMENT...]
 *
 * Runs the command (killed after SECONDS, its output in the file OUTPUT) and
 * prints "wall cpu peak status": seconds, seconds of user and system time,
 * peak resident KB of its largest process, exit status (128 + a signal).
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pid_t child;

static void on_alarm(int signal) {
  (void)signal;
  kill(-child, SIGKILL);
}

static double monotonic(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double seconds(struct timeval t) {
  return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

static void become(const char *output, char **command) {
  int in = open("/dev/null", O_RDONLY);
  int out = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (in < 0 || out < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 ||
      dup2(out, 2) < 0)
    _exit(126);
  execvp(command[0], command);
  perror(command[0]);
  _exit(127);
}

int main(int argc, char **argv) {
  struct rusage used;
  double start = monotonic();
  int status;
  if (argc < 4 || atoi(argv[1]) <= 0) {
    fprintf(stderr, "usage: measure SECONDS OUTPUT COMMAND [ARGUMENT...]\n");
    return 2;
  }
  child = fork();
  if (child == 0)
    become(argv[2], argv + 3);
  if (child < 0) {
    perror("fork");
    return 2;
  }
  signal(SIGALRM, on_alarm);
  alarm((unsigned)atoi(argv[1]));
  if (wait4(child, &status, 0, &used) != child)
    return 2;
  printf("%.6f %.6f %ld %d\n", monotonic() - start,
         seconds(used.ru_utime) + seconds(used.ru_stime), used.ru_maxrss,
         WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
  return 0;
}
