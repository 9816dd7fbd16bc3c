/* fuzz_sse.c: a stream of events reads the same however it is cut. */
#include "net/sse.h"

#include "base/hash.h"

#include <assert.h>
#include <stdint.h>

#define MAX 4096 /* of a line and an event */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct seen {
  uint64_t hash;
  size_t count;
};

static void note(void *arg, const struct eh_sse_event *event) {
  struct seen *seen = arg;
  seen->hash = eh_fnv(seen->hash, event->event, event->event_len + 1);
  seen->hash = eh_fnv(seen->hash, event->data, event->data_len + 1);
  seen->hash = eh_fnv(seen->hash, event->id, event->id_len + 1);
  seen->count++;
}

/* Feeds pieces of step, step + grow, ... bytes. */
static int read_all(const uint8_t *data, size_t size, size_t step, size_t grow,
                    struct seen *seen, bool *whole) {
  struct eh_sse sse;
  size_t at = 0;
  int rc = 0;
  seen->hash = EH_FNV_START;
  seen->count = 0;
  eh_sse_init(&sse, MAX, note, seen);
  while (rc == 0 && at < size) {
    size_t some = size - at < step ? size - at : step;
    rc = eh_sse_feed(&sse, data + at, some, NULL);
    at += some;
    step += grow;
  }
  *whole = rc == 0 && eh_sse_end(&sse);
  eh_sse_free(&sse);
  return rc;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const size_t cuts[][2] = {{1, 0}, {2, 0}, {3, 0}, {1, 1}, {7, 2}};
  struct seen once, cut;
  bool whole, cut_whole;
  int rc = read_all(data, size, size + 1, 0, &once, &whole);
  for (size_t i = 0; i < sizeof cuts / sizeof cuts[0]; i++) {
    int again = read_all(data, size, cuts[i][0], cuts[i][1], &cut, &cut_whole);
    assert(again == rc && cut_whole == whole);
    assert(cut.count == once.count && cut.hash == once.hash);
  }
  return 0;
}
