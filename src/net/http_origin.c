/* http_origin.c: the servers that are being talked to. A host's name is
 * resolved once: by the first call, while the others wait for it. */
#include "base/alloc.h"
#include "net/http_impl.h"

#include <arpa/inet.h>
#include <string.h>
#include <strings.h>

/* The length of "scheme://authority" in url. */
static size_t key_length(const char *url) {
  const char *authority = strstr(url, "://");
  if (authority == NULL)
    return strlen(url);
  authority += 3;
  return (size_t)(authority - url) + strcspn(authority, "/?#");
}

/* Whether the authority needs no resolver: an address, or localhost. */
static bool is_address(const char *key) {
  const char *host = strstr(key, "://"), *at;
  struct in_addr address;
  char text[64];
  size_t len;
  host = host == NULL ? key : host + 3;
  at = strrchr(host, '@');
  if (at != NULL)
    host = at + 1;
  len = strcspn(host, ":");
  if (*host == '[')
    return true;
  if (len >= sizeof text)
    return false;
  memcpy(text, host, len);
  text[len] = '\0';
  return strcmp(text, "localhost") == 0 ||
         inet_pton(AF_INET, text, &address) == 1;
}

struct origin *eh_origin_get(struct eh_http *http, const char *url) {
  size_t len = key_length(url);
  struct eh_list *item;
  struct origin *origin;
  for (item = http->origins.next; item != &http->origins; item = item->next) {
    origin = EH_CONTAINER(item, struct origin, link);
    if (origin->key_len == len && memcmp(origin->key, url, len) == 0) {
      origin->refs++;
      return origin;
    }
  }
  origin = eh_calloc(1, sizeof *origin + len + 1);
  memcpy(origin->key, url, len);
  origin->key_len = len;
  origin->http = http;
  origin->refs = 1;
  origin->per_lane =
      strncasecmp(url, "https", 5) == 0 ? STREAMS_PER_LANE : http->lane_load;
  origin->state = is_address(origin->key) ? ORIGIN_KNOWN : ORIGIN_NEW;
  eh_list_init(&origin->waiting);
  eh_list_add(&http->origins, &origin->link);
  return origin;
}

void eh_origin_unref(struct origin *origin) {
  if (--origin->refs > 0)
    return;
  eh_list_remove(&origin->link);
  eh_free(origin);
}

void eh_origin_known(struct origin *origin) {
  if (origin->state == ORIGIN_KNOWN)
    return;
  origin->state = ORIGIN_KNOWN;
  origin->leader = NULL;
  origin->news = origin->http->news = true;
}

/* A failed look-up is the answer for all that waited for it. */
static void fail_waiting(struct origin *origin, const struct eh_err *err) {
  struct eh_list failed;
  eh_list_init(&failed);
  while (!eh_list_empty(&origin->waiting)) {
    struct eh_list *item = origin->waiting.next;
    eh_list_remove(item);
    eh_list_add(&failed, item);
  }
  while (!eh_list_empty(&failed))
    eh_http_finish(EH_CONTAINER(failed.next, struct eh_http_call, link), err);
}

void eh_origin_left(struct eh_http_call *call, const struct eh_err *err) {
  struct origin *origin = call->origin;
  if (origin->leader == call) {
    origin->leader = NULL;
    origin->state = ORIGIN_NEW;
    if (err != NULL && err->code == EH_EDNS)
      fail_waiting(origin, err);
    else
      origin->news = origin->http->news = true;
  }
  call->origin = NULL;
  eh_origin_unref(origin);
}

/* Launches the calls that wait: all if the name is known, else one to look it
 * up. Launching never calls back. */
static void release_waiting(struct origin *origin) {
  origin->news = false;
  while (!eh_list_empty(&origin->waiting) && origin->state != ORIGIN_RESOLVING)
    eh_http_launch(
        EH_CONTAINER(origin->waiting.next, struct eh_http_call, link));
}

void eh_origin_flush(struct eh_http *http) {
  struct eh_list *item;
  if (!http->news)
    return;
  http->news = false;
  for (item = http->origins.next; item != &http->origins; item = item->next) {
    struct origin *origin = EH_CONTAINER(item, struct origin, link);
    if (origin->news)
      release_waiting(origin);
  }
}
