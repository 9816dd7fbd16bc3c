/* number.h: numbers as JSON text, whatever the locale. */
#ifndef EH_JSON_NUMBER_H
#define EH_JSON_NUMBER_H

#include <stddef.h>
#include <stdint.h>

#define EH_JSON_NUMBER_SIZE 40 /* enough for any number and a NUL */

/* Each writes the shortest text that reads back as the same number and
 * returns its length. A real must be finite; an integral one below 2^53 is
 * written without fraction ("2500"), -0.0 as "-0", larger ones with an
 * exponent ("1e300"), so that they do not pass for exact integers. */
size_t eh_json_format_int(int64_t value, char out[EH_JSON_NUMBER_SIZE]);
size_t eh_json_format_real(double value, char out[EH_JSON_NUMBER_SIZE]);

#endif
