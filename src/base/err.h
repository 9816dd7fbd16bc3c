/* err.h: the one error type, and the one table of error codes.
 *
 * A function that can fail returns 0 or one of these codes, and takes a
 * `struct eh_err *` as its last parameter (NULL when the caller only wants
 * the code). The struct is plain data owned by the caller. */
#ifndef EH_BASE_ERR_H
#define EH_BASE_ERR_H

#include <stddef.h>

/* code, the name that users see in reports, default text */
#define EH_ERR_MAP(X)                                                          \
  X(EH_EARG, "argument", "wrong argument")                                     \
  X(EH_EIO, "io", "input or output failed")                                    \
  X(EH_ENOENT, "not_found", "no such file or entry")                           \
  X(EH_EEXIST, "exists", "exists already")                                     \
  X(EH_EPERM, "permission", "permission denied")                               \
  X(EH_EPARSE, "parse", "malformed input")                                     \
  X(EH_EUTF8, "invalid_utf8", "not valid UTF-8")                               \
  X(EH_ERANGE, "range", "number out of range")                                 \
  X(EH_ETYPE, "type", "wrong type of value")                                   \
  X(EH_ELIMIT, "too_large", "a size limit was reached")                        \
  X(EH_EDEPTH, "too_deep", "nested too deeply")                                \
  X(EH_EMATCHLIMIT, "match_limit", "the pattern needed too many steps")        \
  X(EH_ECONNECT, "connect", "could not connect")                               \
  X(EH_EDNS, "dns", "could not resolve the host name")                         \
  X(EH_ETLS, "tls", "TLS failed")                                              \
  X(EH_ETIMEOUT, "timeout", "timed out")                                       \
  X(EH_ETRUNCATED, "truncated", "the reply ended early")                       \
  X(EH_ERESET, "reset", "the connection was reset")                            \
  X(EH_EPROTOCOL, "protocol", "the peer broke the protocol")                   \
  X(EH_ECANCELLED, "cancelled", "cancelled")                                   \
  X(EH_EBUSY, "busy", "busy")                                                  \
  X(EH_ECORRUPT, "corrupt", "the file is damaged")                             \
  X(EH_EVERSION, "version", "written by another version")                      \
  X(EH_EFULL, "disk_full", "no space left")                                    \
  X(EH_EREADONLY, "read_only", "cannot be written")                            \
  X(EH_EINTERNAL, "internal", "internal fault")

enum eh_code {
  EH_OK = 0,
#define EH_ERR_ENUM(code, name, text) code,
  EH_ERR_MAP(EH_ERR_ENUM)
#undef EH_ERR_ENUM
      EH_CODE_COUNT
};

/* Where and why something failed. line and column are 1-based and 0 when
 * they do not apply; offset is 0-based in bytes. msg is UTF-8 text, always
 * terminated. */
struct eh_err {
  int code;
  size_t line;
  size_t column;
  size_t offset;
  char msg[320];
};

/* The name of a code as reports show it ("timeout"); "ok" for 0. */
const char *eh_err_name(int code);

/* The default sentence of a code. */
const char *eh_err_text(int code);

/* Fills *err (if not NULL) and returns code; place fields become 0. A message
 * that is too long is cut. fmt == NULL means the default text. */
int eh_err_set(struct eh_err *err, int code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* The same with a place in a text. */
int eh_err_at(struct eh_err *err, int code, size_t line, size_t column,
              size_t offset, const char *fmt, ...)
    __attribute__((format(printf, 6, 7)));

/* Maps an errno of the C library to a code and says `what: strerror`. */
int eh_err_errno(struct eh_err *err, int errnum, const char *what);

#endif
