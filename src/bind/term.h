/* term.h: the terminal: live lines at the bottom of stderr, and text that
 * scrolls above them. One live line per run; without a terminal there are
 * none and everything is plain text. */
#ifndef EH_BIND_TERM_H
#define EH_BIND_TERM_H

#include "base/buf.h"

#include <stdbool.h>

#define EH_TERM_LINES 16

struct eh_term {
  bool live; /* stderr is a terminal that can redraw lines */
  bool gone; /* stderr was closed: write nothing more */
  int shown; /* live lines on the screen now */
  int count; /* live lines in use */
  char *lines[EH_TERM_LINES];
};

void eh_term_init(struct eh_term *term, bool live);

/* Removes the live lines and frees what they hold. */
void eh_term_end(struct eh_term *term);

/* Sets live line `slot` (0-based); NULL removes it. */
void eh_term_status(struct eh_term *term, int slot, const char *text);

/* Writes text to stderr above the live lines. */
void eh_term_print(struct eh_term *term, const char *text, size_t len);

#endif
