/* csv_write.h: writing CSV (RFC 4180). What is written reads back the same
 * with csv.h, unless the formula guard changed it. */
#ifndef EH_TEXT_CSV_WRITE_H
#define EH_TEXT_CSV_WRITE_H

#include "base/buf.h"
#include "text/csv.h"

#include <stddef.h>

/* Puts ' before a cell that starts with = + - @ TAB or CR, so that no
 * spreadsheet takes it for a formula; plain numbers such as -1.5e3 stay. */
#define EH_CSV_FORMULA_GUARD 1u

/* Appends the cells, separated by commas, without a line end. A cell is
 * quoted when it holds a comma, a quote or a line break, or begins or ends
 * with a blank; so is the only cell of a row when it is empty. Returns 0 or
 * EH_ELIMIT (the buffer is then as it was). */
int eh_csv_write_row(struct eh_buf *out, const struct eh_csv_cell *cells,
                     size_t count, unsigned flags);

#endif
