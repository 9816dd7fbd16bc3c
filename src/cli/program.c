/* program.c: the host, the Lua states of its runs, and the loop they share. */
#include "cli/program.h"

#include "base/alloc.h"
#include "bind/host.h"
#include "bind/session.h"
#include "bind/store.h"
#include "net/http.h"
#include "net/loop.h"
#include "vm/scripts.h"

#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_RUNS     EH_TERM_LINES
#define SIGNAL_COUNT (sizeof signals / sizeof signals[0])

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};

/* One Lua state with its command. */
struct run {
  struct program *program;
  struct eh_session *session;
  int exit_code;
};

struct program {
  struct eh_host host;
  const struct eh_options *options;
  struct run runs[MAX_RUNS];
  size_t run_count;
  size_t live;
};

/* Exit codes, the strongest first (DESIGN section 3). */
static int stronger(int a, int b) {
  static const int order[] = {4, 5, 143, 130, 129, 2, 3, 1, 0};
  for (size_t i = 0; i < sizeof order / sizeof order[0]; i++)
    if (a == order[i] || b == order[i])
      return order[i];
  return 5;
}

static void run_ended(void *arg, int exit_code) {
  struct run *run = arg;
  run->exit_code = exit_code;
  if (--run->program->live == 0)
    eh_loop_stop(run->program->host.loop);
}

/* Drains every state once; long stretches of one are credited to the rest. */
static uint64_t drain_all(struct program *program) {
  uint64_t due = UINT64_MAX;
  for (size_t i = 0; i < program->run_count; i++) {
    uint64_t stalled, next;
    if (program->runs[i].session == NULL)
      continue;
    next = eh_session_drain(program->runs[i].session, &stalled);
    if (next < due)
      due = next;
    for (size_t k = 0; stalled > 0 && k < program->run_count; k++)
      if (k != i && program->runs[k].session != NULL)
        eh_session_credit(program->runs[k].session, stalled);
  }
  return due;
}

/* Lua first, then the commit of what it brought, which goes on beside the
 * loop. Whoever has become ready since the drain runs in the next turn, at
 * once. */
static uint64_t turn(void *arg, uint64_t now) {
  struct program *program = arg;
  const struct eh_gate *gate = &program->host.gate;
  uint64_t due = drain_all(program);
  uint64_t store_due =
      eh_store_bind_turn(program->host.store, now, gate->held + gate->leaving);
  for (size_t i = 0; i < program->run_count; i++)
    if (program->runs[i].session != NULL &&
        eh_session_ready(program->runs[i].session))
      return 0;
  return store_due < due ? store_due : due;
}

static void quit(int signum) {
  _exit(128 + signum);
}

/* The first signal asks the runs to stop; where none listens, and the second
 * time, the process ends at once. The loop sees a signal only between two
 * stretches of Lua, so the second one no longer goes through it. */
static void signalled(void *arg, int signum) {
  struct program *program = arg;
  struct eh_host *host = &program->host;
  if (host->signal != 0 || eh_list_empty(&host->on_signal)) {
    eh_term_end(&host->term);
    _exit(128 + signum);
  }
  host->signal = signum;
  for (size_t i = 0; i < SIGNAL_COUNT; i++) {
    eh_loop_on_signal(host->loop, signals[i], NULL, NULL);
    signal(signals[i], quit);
  }
  eh_wake_all(&host->on_signal);
}

static bool terminal_is_live(const struct eh_options *options) {
  const char *term = getenv("TERM");
  return isatty(STDERR_FILENO) && !eh_options_flag(options, "quiet") &&
         term != NULL && strcmp(term, "dumb") != 0 && getenv("CI") == NULL;
}

/* The command line's settings with those of one run: its target and which
 * of how many it is. */
static size_t settings_of(const struct program *program, const char *target,
                          const char *slot, const char *slots,
                          struct eh_setting *out) {
  size_t n = eh_options_settings(program->options, out);
  if (target != NULL)
    out[n++] = (struct eh_setting){EH_SETTING_TEXT, "target", target};
  out[n++] = (struct eh_setting){EH_SETTING_WHOLE, "slot", slot};
  out[n++] = (struct eh_setting){EH_SETTING_WHOLE, "slots", slots};
  return n;
}

static void start_run(struct program *program, const char *target, size_t slot,
                      size_t slots) {
  struct run *run = &program->runs[program->run_count++];
  struct eh_setting settings[EH_OPTIONS_MAX_SETTINGS + 3];
  char slot_text[24], slots_text[24];
  size_t count;
  snprintf(slot_text, sizeof slot_text, "%zu", slot);
  snprintf(slots_text, sizeof slots_text, "%zu", slots);
  count = settings_of(program, target, slot_text, slots_text, settings);
  run->program = program;
  program->live++;
  run->session = eh_session_start(&program->host,
                                  eh_options_text(program->options, "scripts"),
                                  settings, count, run_ended, run);
  if (run->session == NULL) {
    run->exit_code = eh_options_text(program->options, "scripts") ? 2 : 5;
    program->live--;
  }
}

/* One run per name in --target a,b; one with the suite's default otherwise. */
static int start_runs(struct program *program) {
  const char *targets = eh_options_text(program->options, "target");
  size_t slots = 1;
  if (targets == NULL || program->options->command != EH_COMMAND_RUN) {
    start_run(program, NULL, 1, 1);
    return 0;
  }
  for (const char *c = targets; *c != '\0'; c++)
    slots += *c == ',';
  if (slots > MAX_RUNS) {
    fprintf(stderr, "evalhost: --target takes at most %d names\n", MAX_RUNS);
    return 2;
  }
  for (size_t slot = 1; slot <= slots; slot++) {
    size_t len = strcspn(targets, ",");
    char *target = eh_strndup(targets, len);
    start_run(program, target, slot, slots);
    eh_free(target);
    targets += len + 1;
  }
  return 0;
}

/* After several runs: their results side by side, by the library. */
static void finish_several(struct program *program) {
  struct eh_setting settings[EH_OPTIONS_MAX_SETTINGS + 4];
  char slots[24];
  size_t count;
  if (program->runs[0].session == NULL)
    return;
  snprintf(slots, sizeof slots, "%zu", program->run_count);
  count = settings_of(program, NULL, "1", slots, settings);
  settings[count++] =
      (struct eh_setting){EH_SETTING_TEXT, "command", "side_by_side"};
  program->live = 1;
  eh_session_again(program->runs[0].session, settings, count);
  eh_loop_run(program->host.loop);
}

static int finish(struct program *program) {
  int code = program->runs[0].exit_code;
  for (size_t i = 1; i < program->run_count; i++)
    code = stronger(code, program->runs[i].exit_code);
  if (program->run_count > 1)
    finish_several(program);
  eh_term_end(&program->host.term);
  for (size_t i = 0; i < program->run_count; i++)
    eh_session_free(program->runs[i].session);
  return code;
}

/* A standard stream that was closed when we were started leads nowhere, instead
 * of into the first file that is given its number. */
static void keep_standard_streams(void) {
  int fd;
  do
    fd = open("/dev/null", O_RDWR | O_CLOEXEC);
  while (fd >= 0 && fd <= STDERR_FILENO);
  if (fd >= 0)
    close(fd);
}

int eh_program_run(const struct eh_options *options) {
  struct program *program = eh_calloc(1, sizeof *program);
  struct eh_host *host = &program->host;
  int code;
  program->options = options;
  mallopt(M_ARENA_MAX, 1); /* the threads beside the loop need no heap each */
  keep_standard_streams();
  eh_loop_raise_files();
  signal(SIGPIPE, SIG_IGN);
  host->loop = eh_loop_new();
  host->scripts = eh_scripts;
  host->store = eh_store_bind_new(host->loop);
  eh_term_init(&host->term, terminal_is_live(options));
  eh_gate_init(&host->gate, 1);
  eh_list_init(&host->on_signal);
  for (size_t i = 0; i < SIGNAL_COUNT; i++)
    eh_loop_on_signal(host->loop, signals[i], signalled, program);
  eh_loop_on_turn(host->loop, turn, program);
  code = start_runs(program);
  if (code == 0) {
    if (program->live > 0)
      eh_loop_run(host->loop);
    code = finish(program);
  }
  if (host->http != NULL)
    eh_http_free(host->http);
  eh_store_bind_free(host->store);
  eh_loop_free(host->loop);
  eh_free(program);
  return code;
}
