/* program.c: the host, the Lua states of its runs, and the loop they share. */
#include "cli/program.h"

#include "base/alloc.h"
#include "bind/host.h"
#include "bind/modules.h"
#include "bind/store.h"
#include "net/http.h"
#include "net/loop.h"
#include "vm/scripts.h"
#include "vm/vm.h"

#include <lauxlib.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_RUNS EH_TERM_LINES

/* One Lua state with its main fiber. */
struct run {
  struct program *program;
  struct eh_vm *vm;
  int exit_code;
  bool ended;
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

static void run_ended(void *arg, lua_State *co, bool ok, const char *message) {
  struct run *run = arg;
  if (ok && lua_isinteger(co, 2)) {
    run->exit_code = (int)lua_tointeger(co, 2);
  } else {
    fprintf(stderr, "evalhost: internal fault: %s\n",
            message != NULL ? message : "no exit code");
    if (!ok && lua_istable(co, 2) &&
        lua_getfield(co, 2, "traceback") == LUA_TSTRING)
      fprintf(stderr, "%s\n", lua_tostring(co, -1));
    run->exit_code = 5;
  }
  run->ended = true;
  if (--run->program->live == 0)
    eh_loop_stop(run->program->host.loop);
}

/* Drains every state once; long stretches of one are credited to the rest. */
static uint64_t drain_all(struct program *program) {
  uint64_t due = UINT64_MAX;
  for (size_t i = 0; i < program->run_count; i++) {
    uint64_t stalled, next;
    if (program->runs[i].vm == NULL)
      continue;
    next = eh_vm_drain(program->runs[i].vm, &stalled);
    if (next < due)
      due = next;
    for (size_t k = 0; stalled > 0 && k < program->run_count; k++)
      if (k != i && program->runs[k].vm != NULL)
        eh_vm_credit(program->runs[k].vm, stalled);
  }
  return due;
}

/* Lua first, then the commit of what it brought; those whose results are
 * durable now run in the next turn, at once. */
static uint64_t turn(void *arg, uint64_t now) {
  struct program *program = arg;
  const struct eh_gate *gate = &program->host.gate;
  uint64_t due = drain_all(program);
  uint64_t store_due =
      eh_store_bind_turn(program->host.store, now, gate->held + gate->leaving);
  for (size_t i = 0; i < program->run_count; i++)
    if (program->runs[i].vm != NULL && eh_vm_ready(program->runs[i].vm))
      return 0;
  return store_due < due ? store_due : due;
}

/* The first signal asks the runs to stop; where none listens, and the second
 * time, the process ends at once. */
static void signalled(void *arg, int signum) {
  struct program *program = arg;
  struct eh_host *host = &program->host;
  if (host->signal != 0 || eh_list_empty(&host->on_signal)) {
    eh_term_end(&host->term);
    _exit(128 + signum);
  }
  host->signal = signum;
  eh_wake_all(&host->on_signal);
}

static bool terminal_is_live(const struct eh_options *options) {
  const char *term = getenv("TERM");
  return isatty(STDERR_FILENO) && !eh_options_flag(options, "quiet") &&
         term != NULL && strcmp(term, "dumb") != 0 && getenv("CI") == NULL;
}

/* Lua: open_state(options table) -- in the new state's own protected call */
static int open_state(lua_State *L) {
  const struct eh_options *options = lua_touserdata(L, 1);
  eh_modules_open(L);
  lua_getglobal(L, "require");
  lua_pushliteral(L, "evalhost.main");
  lua_call(L, 1, 1);
  eh_options_push(L, options);
  return 2;
}

static void start_run(struct program *program, const char *target,
                      size_t target_len, size_t slot, size_t slots) {
  struct run *run = &program->runs[program->run_count++];
  struct eh_vm_options vm_options = {0};
  lua_State *L;
  vm_options.scripts = eh_scripts;
  vm_options.scripts_dir = eh_options_text(program->options, "scripts");
  vm_options.host = &program->host;
  run->program = program;
  run->vm = eh_vm_new(&vm_options);
  if (run->vm == NULL)
    eh_oom(0);
  L = eh_vm_state(run->vm);
  lua_pushcfunction(L, open_state);
  lua_pushlightuserdata(L, (void *)program->options);
  if (lua_pcall(L, 1, 2, 0) != LUA_OK) {
    fprintf(stderr, "evalhost: %s\n", eh_vm_push_text(L, -1));
    run->exit_code = eh_options_text(program->options, "scripts") ? 2 : 5;
    run->ended = true;
    return;
  }
  if (target != NULL) {
    lua_pushlstring(L, target, target_len);
    lua_setfield(L, -2, "target");
  }
  lua_pushinteger(L, (lua_Integer)slot);
  lua_setfield(L, -2, "slot");
  lua_pushinteger(L, (lua_Integer)slots);
  lua_setfield(L, -2, "slots");
  program->live++;
  eh_vm_spawn(run->vm, 1, run_ended, run);
}

/* One run per name in --target a,b; one with the suite's default otherwise. */
static int start_runs(struct program *program) {
  const char *targets = eh_options_text(program->options, "target");
  size_t slots = 1;
  if (targets == NULL || program->options->command != EH_COMMAND_RUN) {
    start_run(program, NULL, 0, 1, 1);
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
    start_run(program, targets, len, slot, slots);
    targets += len + 1;
  }
  return 0;
}

/* After several runs: their results side by side, by the library. */
static void finish_several(struct program *program) {
  lua_State *L = eh_vm_state(program->runs[0].vm);
  lua_getglobal(L, "require");
  lua_pushliteral(L, "evalhost.main");
  lua_call(L, 1, 1);
  eh_options_push(L, program->options);
  lua_pushliteral(L, "side_by_side");
  lua_setfield(L, -2, "command");
  program->live = 1;
  program->runs[0].ended = false;
  eh_vm_spawn(program->runs[0].vm, 1, run_ended, &program->runs[0]);
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
    eh_vm_free(program->runs[i].vm);
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
  static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
  struct program *program = eh_calloc(1, sizeof *program);
  struct eh_host *host = &program->host;
  int code;
  program->options = options;
  keep_standard_streams();
  eh_loop_raise_files();
  signal(SIGPIPE, SIG_IGN);
  host->loop = eh_loop_new();
  host->store = eh_store_bind_new();
  eh_term_init(&host->term, terminal_is_live(options));
  eh_gate_init(&host->gate, 1);
  eh_list_init(&host->on_signal);
  for (size_t i = 0; i < 3; i++)
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
