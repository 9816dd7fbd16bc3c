/* session.h: a Lua state that runs one command: what the program sees of Lua.
 *
 * The program owns the host and its sessions; eh_session_free comes before
 * the host ends. */
#ifndef EH_BIND_SESSION_H
#define EH_BIND_SESSION_H

#include "bind/host.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct eh_session;

/* One word of the command line, as the library gets it: options.NAME, with
 * dashes as underscores. */
struct eh_setting {
  enum {
    EH_SETTING_FLAG,   /* true */
    EH_SETTING_WHOLE,  /* an integer */
    EH_SETTING_NUMBER, /* a float */
    EH_SETTING_TEXT,
    EH_SETTING_ITEM /* one more text of a list */
  } kind;
  const char *name;
  const char *text; /* borrowed; NULL for a flag */
};

/* Called when the command has ended, with its exit code. */
typedef void eh_session_end_fn(void *arg, int exit_code);

/* Starts `evalhost.main` with these settings in a state of its own, with the
 * embedded library or that of scripts_dir. Returns NULL, having said why on
 * stderr, when the library cannot be loaded. */
struct eh_session *eh_session_start(struct eh_host *host,
                                    const char *scripts_dir,
                                    const struct eh_setting *settings,
                                    size_t count, eh_session_end_fn *on_end,
                                    void *arg);

/* Starts another command in the same state, after the first has ended. */
void eh_session_again(struct eh_session *session,
                      const struct eh_setting *settings, size_t count);

/* As eh_vm_drain, eh_vm_credit and eh_vm_ready. */
uint64_t eh_session_drain(struct eh_session *session, uint64_t *stalled);
void eh_session_credit(struct eh_session *session, uint64_t ns);
bool eh_session_ready(const struct eh_session *session);

void eh_session_free(struct eh_session *session);

#endif
