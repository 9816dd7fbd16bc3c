/* term.c: evalhost.native.term, and the live lines behind it. */
#include "bind/term.h"

#include "base/alloc.h"
#include "bind/bind.h"
#include "bind/host.h"
#include "bind/modules.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#define MAX_FRAME ((size_t)1 << 20)

void eh_term_init(struct eh_term *term, bool live) {
  memset(term, 0, sizeof *term);
  term->live = live;
}

/* All or nothing much: a terminal that is gone is not an error of the run. */
static void write_all(struct eh_term *term, const char *text, size_t len) {
  while (len > 0 && !term->gone) {
    ssize_t n = write(STDERR_FILENO, text, len);
    if (n >= 0) {
      text += n;
      len -= (size_t)n;
    } else if (errno == EAGAIN) {
      struct pollfd wait = {STDERR_FILENO, POLLOUT, 0};
      if (poll(&wait, 1, 1000) <= 0)
        return;
    } else if (errno != EINTR) {
      term->gone = true;
    }
  }
}

static void add_clear(const struct eh_term *term, struct eh_buf *frame) {
  if (term->shown > 1)
    eh_buf_addf(frame, "\033[%dA", term->shown - 1);
  if (term->shown > 0)
    eh_buf_adds(frame, "\r\033[J");
}

static void add_lines(struct eh_term *term, struct eh_buf *frame) {
  int shown = 0;
  for (int i = 0; i < term->count; i++) {
    if (term->lines[i] == NULL)
      continue;
    if (shown++ > 0)
      eh_buf_addc(frame, '\n');
    eh_buf_adds(frame, term->lines[i]);
  }
  term->shown = shown;
}

static void redraw(struct eh_term *term, const char *above, size_t len) {
  struct eh_buf frame;
  eh_buf_init(&frame, MAX_FRAME);
  add_clear(term, &frame);
  write_all(term, frame.data, frame.len);
  write_all(term, above, len);
  eh_buf_clear(&frame);
  add_lines(term, &frame);
  write_all(term, frame.data, frame.len);
  eh_buf_free(&frame);
}

void eh_term_status(struct eh_term *term, int slot, const char *text) {
  if (!term->live || slot < 0 || slot >= EH_TERM_LINES)
    return;
  eh_free(term->lines[slot]);
  term->lines[slot] = text != NULL ? eh_strdup(text) : NULL;
  if (slot >= term->count)
    term->count = slot + 1;
  redraw(term, "", 0);
}

void eh_term_print(struct eh_term *term, const char *text, size_t len) {
  if (term->shown > 0)
    redraw(term, text, len);
  else
    write_all(term, text, len);
}

void eh_term_end(struct eh_term *term) {
  for (int i = 0; i < term->count; i++) {
    eh_free(term->lines[i]);
    term->lines[i] = NULL;
  }
  term->count = 0;
  if (term->shown > 0)
    redraw(term, "", 0);
}

static int l_live(lua_State *L) {
  lua_pushboolean(L, eh_host_of(L)->term.live);
  return 1;
}

static int l_status(lua_State *L) {
  lua_Integer slot = luaL_checkinteger(L, 1);
  luaL_argcheck(L, slot >= 1 && slot <= EH_TERM_LINES, 1, "no such line");
  eh_term_status(&eh_host_of(L)->term, (int)slot - 1,
                 luaL_optstring(L, 2, NULL));
  return 0;
}

static int l_print(lua_State *L) {
  size_t len;
  const char *text = luaL_checklstring(L, 1, &len);
  eh_term_print(&eh_host_of(L)->term, text, len);
  return 0;
}

int luaopen_evalhost_native_term(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"live", l_live}, {"status", l_status}, {"print", l_print}, {NULL, NULL}};
  luaL_newlib(L, functions);
  return 1;
}
