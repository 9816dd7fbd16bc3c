/* path.h: paths as texts; nothing here asks the file system but for the
 * working folder. */
#ifndef EH_BASE_PATH_H
#define EH_BASE_PATH_H

#include "base/buf.h"
#include "base/err.h"

#include <stddef.h>

/* Longer paths are refused everywhere. */
#define EH_MAX_PATH ((size_t)4096)

/* Replaces *out (a buffer with a cap of EH_MAX_PATH) by path made absolute:
 * from base, or from the working folder if base is NULL; "." and ".." and
 * doubled slashes are worked out on the text, links are not followed. */
int eh_path_absolute(const char *path, const char *base, struct eh_buf *out,
                     struct eh_err *err);

/* The folder part, as path[0..result); 0 means the working folder. "/" for
 * entries of the root. */
size_t eh_path_folder(const char *path);

/* The last component, inside path, without trailing slashes. */
const char *eh_path_name(const char *path, size_t *len);

#endif
