/* path.c: paths as texts. */
#include "base/path.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* Where path ends if trailing slashes do not count; a lone "/" stays. */
static size_t trimmed(const char *path) {
  size_t len = strlen(path);
  while (len > 1 && path[len - 1] == '/')
    len--;
  return len;
}

size_t eh_path_folder(const char *path) {
  size_t len = trimmed(path);
  while (len > 0 && path[len - 1] != '/')
    len--;
  while (len > 1 && path[len - 1] == '/')
    len--;
  return len;
}

const char *eh_path_name(const char *path, size_t *len) {
  size_t end = trimmed(path), start = end;
  while (start > 0 && path[start - 1] != '/')
    start--;
  if (start == end) /* "/" itself */
    start = end > 0 ? end - 1 : 0;
  *len = end - start;
  return path + start;
}

/* Drops the last component of out, which is absolute. */
static void go_up(struct eh_buf *out) {
  while (out->len > 0 && out->data[out->len - 1] != '/')
    out->len--;
  if (out->len > 0)
    out->len--;
  out->data[out->len] = '\0';
}

/* Appends the components of text to out. */
static int walk(struct eh_buf *out, const char *text) {
  int rc = 0;
  while (*text != '\0' && rc == 0) {
    size_t len = strcspn(text, "/");
    if (len == 2 && memcmp(text, "..", 2) == 0) {
      go_up(out);
    } else if (len > 0 && !(len == 1 && text[0] == '.')) {
      rc = eh_buf_addc(out, '/');
      if (rc == 0)
        rc = eh_buf_add(out, text, len);
    }
    text += len;
    text += strspn(text, "/");
  }
  return rc;
}

int eh_path_absolute(const char *path, const char *base, struct eh_buf *out,
                     struct eh_err *err) {
  char cwd[EH_MAX_PATH];
  int rc = 0;
  eh_buf_clear(out);
  if (path[0] != '/') {
    if ((base == NULL || base[0] != '/') && getcwd(cwd, sizeof cwd) == NULL)
      return eh_err_errno(err, errno, "working folder");
    if (base == NULL || base[0] != '/')
      rc = walk(out, cwd);
    if (rc == 0 && base != NULL)
      rc = walk(out, base);
  }
  if (rc == 0)
    rc = walk(out, path);
  if (rc == 0 && out->len == 0)
    rc = eh_buf_addc(out, '/');
  if (rc != 0)
    return eh_err_set(err, rc, "the path is too long");
  return 0;
}
