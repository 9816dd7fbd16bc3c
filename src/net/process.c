/* process.c: the life of a child process on the loop. */
#include "net/process.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "net/loop_uv.h"
#include "net/spawn.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#define TIMEOUT_NS (60 * EH_NS_PER_S)
#define GRACE_NS   (2 * EH_NS_PER_S)

enum stage { RUNNING, ASKED /* TERM was sent */, KILLED };

struct eh_process {
  struct eh_loop_part part;
  struct eh_loop *loop;
  eh_process_done_fn *done; /* NULL once called, or cancelled */
  void *arg;
  pid_t pid; /* also its group; a zombie until we are done with the group */
  uv_signal_t child;
  uv_pipe_t input, output, errors;
  uv_write_t write;
  char *input_copy;
  struct eh_alarm *alarm;
  int handles; /* not yet closed */
  enum stage stage;
  bool exited, output_ended, errors_ended;
  int failure; /* EH_OK, EH_ETIMEOUT or EH_ELIMIT */
  uint64_t start, grace;
  struct eh_process_result result;
  char name[64];
  char chunk[16384];
};

static void on_close(uv_handle_t *handle) {
  struct eh_process *process = handle->data;
  if (--process->handles > 0)
    return;
  eh_buf_free(&process->result.output);
  eh_buf_free(&process->result.errors);
  eh_free(process->input_copy);
  eh_free(process);
}

static void close_handle(void *handle) {
  if (!uv_is_closing(handle))
    uv_close(handle, on_close);
}

/* Nothing is left to wait for: collects the child and closes everything. The
 * group is killed while the zombie still holds its number. */
static void bury(struct eh_process *process) {
  kill(-process->pid, SIGKILL);
  while (waitpid(process->pid, NULL, 0) < 0 && errno == EINTR)
    ;
  eh_list_remove(&process->part.link);
  eh_alarm_free(process->alarm);
  close_handle(&process->child);
  close_handle(&process->input);
  close_handle(&process->output);
  close_handle(&process->errors);
}

static void trim_errors(struct eh_buf *errors) {
  size_t over;
  if (errors->len <= EH_MAX_STDERR)
    return;
  over = errors->len - EH_MAX_STDERR;
  memmove(errors->data, errors->data + over, EH_MAX_STDERR + 1);
  errors->len = EH_MAX_STDERR;
}

static void finish(struct eh_process *process) {
  eh_process_done_fn *done = process->done;
  struct eh_err err;
  process->done = NULL;
  process->result.elapsed_ns = eh_clock_mono() - process->start;
  trim_errors(&process->result.errors);
  bury(process);
  if (done == NULL)
    return;
  if (process->failure == EH_ETIMEOUT)
    eh_err_set(&err, EH_ETIMEOUT, "%s: its time is over", process->name);
  else if (process->failure == EH_ELIMIT)
    eh_err_set(&err, EH_ELIMIT, "%s: its output is larger than allowed",
               process->name);
  done(process->arg, &process->result, process->failure != 0 ? &err : NULL);
}

/* A group that was killed is not read any further: something outside it may
 * hold the pipes. */
static void check_end(struct eh_process *process) {
  bool ended = process->output_ended && process->errors_ended;
  if (process->exited && (ended || process->stage == KILLED))
    finish(process);
}

/* Asks the group to end, then makes it. */
static void end_group(struct eh_process *process) {
  if (process->stage == RUNNING) {
    process->stage = ASKED;
    kill(-process->pid, SIGTERM);
    eh_alarm_set(process->alarm, eh_clock_mono() + process->grace);
    return;
  }
  process->stage = KILLED;
  kill(-process->pid, SIGKILL);
  check_end(process);
}

static void on_alarm(void *arg) {
  struct eh_process *process = arg;
  if (process->failure == 0)
    process->failure = EH_ETIMEOUT;
  end_group(process);
}

static void on_child(uv_signal_t *handle, int signum) {
  struct eh_process *process = handle->data;
  siginfo_t info = {0};
  (void)signum;
  if (process->exited ||
      waitid(P_PID, (id_t)process->pid, &info, WEXITED | WNOHANG | WNOWAIT) !=
          0 ||
      info.si_pid != process->pid)
    return;
  process->exited = true;
  process->result.code = info.si_code == CLD_EXITED ? info.si_status : -1;
  process->result.signal = info.si_code == CLD_EXITED ? 0 : info.si_status;
  check_end(process);
}

static void on_room(uv_handle_t *handle, size_t hint, uv_buf_t *buf) {
  struct eh_process *process = handle->data;
  (void)hint;
  *buf = uv_buf_init(process->chunk, sizeof process->chunk);
}

static void on_output(uv_stream_t *stream, ssize_t count, const uv_buf_t *buf) {
  struct eh_process *process = stream->data;
  if (count < 0) {
    process->output_ended = true;
    close_handle(stream);
    check_end(process);
  } else if (process->failure != EH_ELIMIT && process->done != NULL &&
             eh_buf_add(&process->result.output, buf->base, (size_t)count) !=
                 0) {
    process->failure = EH_ELIMIT; /* and goes on reading */
    if (process->stage == RUNNING)
      end_group(process);
  }
}

static void on_errors(uv_stream_t *stream, ssize_t count, const uv_buf_t *buf) {
  struct eh_process *process = stream->data;
  if (count < 0) {
    process->errors_ended = true;
    close_handle(stream);
    check_end(process);
    return;
  }
  if (process->result.errors.len + (size_t)count > process->result.errors.max)
    trim_errors(&process->result.errors);
  eh_buf_add(&process->result.errors, buf->base, (size_t)count);
}

static void on_written(uv_write_t *write, int status) {
  struct eh_process *process = write->data;
  (void)status; /* a child need not read its input */
  close_handle(&process->input);
}

static void open_pipes(struct eh_process *process,
                       const struct eh_spawned *spawned,
                       const struct eh_process_options *options) {
  uv_buf_t buf;
  uv_pipe_open(&process->input, spawned->input);
  uv_pipe_open(&process->output, spawned->output);
  uv_pipe_open(&process->errors, spawned->errors);
  uv_read_start((uv_stream_t *)&process->output, on_room, on_output);
  uv_read_start((uv_stream_t *)&process->errors, on_room, on_errors);
  if (options->input_len == 0) {
    close_handle(&process->input);
    return;
  }
  process->input_copy = eh_strndup(options->input, options->input_len);
  buf = uv_buf_init(process->input_copy, (unsigned int)options->input_len);
  process->write.data = process;
  uv_write(&process->write, (uv_stream_t *)&process->input, &buf, 1,
           on_written);
}

/* At the end of the loop: nobody is called back. */
static void drop(struct eh_loop_part *part) {
  struct eh_process *process = EH_CONTAINER(part, struct eh_process, part);
  process->done = NULL;
  bury(process);
}

static struct eh_process *process_new(struct eh_loop *loop,
                                      const struct eh_process_options *o) {
  struct eh_process *process = eh_calloc(1, sizeof *process);
  size_t max = o->max_bytes > 0 ? o->max_bytes : EH_MAX_HTTP_BODY;
  process->loop = loop;
  eh_list_init(&process->part.link);
  uv_signal_init(&loop->uv, &process->child);
  uv_pipe_init(&loop->uv, &process->input, 0);
  uv_pipe_init(&loop->uv, &process->output, 0);
  uv_pipe_init(&loop->uv, &process->errors, 0);
  process->handles = 4;
  process->child.data = process->input.data = process;
  process->output.data = process->errors.data = process;
  process->start = eh_clock_mono();
  process->grace = o->grace_ns > 0 ? o->grace_ns : GRACE_NS;
  process->result.code = -1;
  eh_buf_init(&process->result.output, max);
  eh_buf_init(&process->result.errors, 2 * EH_MAX_STDERR);
  strncpy(process->name, o->argv[0], sizeof process->name - 1);
  return process;
}

struct eh_process *eh_process_start(struct eh_loop *loop,
                                    const struct eh_process_options *options,
                                    eh_process_done_fn *done, void *arg,
                                    struct eh_err *err) {
  struct eh_process *process;
  struct eh_spawned spawned;
  uint64_t timeout = options->timeout_ns > 0 ? options->timeout_ns : TIMEOUT_NS;
  if (options->argv == NULL || options->argv[0] == NULL ||
      options->argv[0][0] == '\0') {
    eh_err_set(err, EH_EARG, "argv is empty");
    return NULL;
  }
  process = process_new(loop, options);
  uv_signal_start(&process->child, on_child, SIGCHLD); /* before it can exit */
  if (eh_spawn(options, &spawned, err) != 0) {
    close_handle(&process->child);
    close_handle(&process->input);
    close_handle(&process->output);
    close_handle(&process->errors);
    return NULL;
  }
  process->pid = spawned.pid;
  process->done = done;
  process->arg = arg;
  process->alarm = eh_alarm_new(loop, on_alarm, process);
  eh_alarm_set(process->alarm, process->start + timeout);
  process->part.drop = drop;
  eh_loop_add_part(loop, &process->part);
  open_pipes(process, &spawned, options);
  return process;
}

void eh_process_cancel(struct eh_process *process) {
  process->done = NULL;
  process->stage = ASKED;
  end_group(process);
}
