/* reason.h: what the metric modules share: buffers for reasons, and lists. */
#ifndef EH_BIND_REASON_H
#define EH_BIND_REASON_H

#include "base/buf.h"

#include <lua.h>

/* A buffer of at most EH_MAX_MESSAGE bytes inside a userdata, so that a raise
 * cannot leak it: pushes the userdata and returns its buffer. */
struct eh_buf *eh_push_reason(lua_State *L);

/* Appends the text to the list in field `key` of the table on the top of the
 * stack; makes the list if there is none. */
void eh_append_text(lua_State *L, const char *key, const char *text,
                    size_t len);

#endif
