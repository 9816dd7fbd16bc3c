/* http_header.c: reading a header block. */
#include "net/http.h"

#include <string.h>
#include <strings.h>

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

const char *eh_http_header_next(const struct eh_buf *headers, size_t *pos,
                                const char **name, size_t *name_len,
                                size_t *len) {
  while (*pos < headers->len) {
    const char *line = headers->data + *pos, *colon, *value, *last;
    const char *end = memchr(line, '\n', headers->len - *pos);
    if (end == NULL)
      end = headers->data + headers->len;
    *pos = (size_t)(end - headers->data) + 1;
    colon = memchr(line, ':', (size_t)(end - line));
    if (colon == NULL || colon == line || strncmp(line, "HTTP/", 5) == 0)
      continue;
    value = colon + 1;
    last = end;
    while (value < last && is_blank(*value))
      value++;
    while (last > value && is_blank(last[-1]))
      last--;
    *name = line;
    *name_len = (size_t)(colon - line);
    *len = (size_t)(last - value);
    return value;
  }
  return NULL;
}

const char *eh_http_header(const struct eh_buf *headers, const char *name,
                           size_t *pos, size_t *len) {
  const char *found, *value;
  size_t found_len, wanted = strlen(name);
  while ((value = eh_http_header_next(headers, pos, &found, &found_len, len)) !=
         NULL)
    if (found_len == wanted && strncasecmp(found, name, wanted) == 0)
      return value;
  return NULL;
}
