/* http_lane.c: the multi handles. A new transfer goes to the first lane that
 * has room and an idle connection to its origin, else to the first with room;
 * so few transfers share one lane and its connections. */
#include "base/alloc.h"
#include "base/clock.h"
#include "net/http_impl.h"

#include <assert.h>

static int on_timeout(CURLM *multi, long ms, void *arg) {
  struct lane *lane = arg;
  (void)multi;
  if (ms == 0)
    lane->kick = true;
  else if (ms < 0)
    eh_alarm_set(lane->alarm, EH_NEVER);
  else
    eh_alarm_set(lane->alarm, eh_clock_mono() + (uint64_t)ms * EH_NS_PER_MS);
  return 0;
}

static void on_alarm(void *arg) {
  struct lane *lane = arg;
  lane->kick = true; /* flushed before the loop blocks */
}

static struct lane *lane_new(struct eh_http *http) {
  struct lane *lane = eh_calloc(1, sizeof *lane);
  lane->http = http;
  lane->index = (int)http->lane_count;
  lane->multi = curl_multi_init();
  assert(lane->multi != NULL);
  lane->alarm = eh_alarm_new(http->loop, on_alarm, lane);
  curl_multi_setopt(lane->multi, CURLMOPT_SOCKETFUNCTION, eh_sock_want);
  curl_multi_setopt(lane->multi, CURLMOPT_SOCKETDATA, lane);
  curl_multi_setopt(lane->multi, CURLMOPT_TIMERFUNCTION, on_timeout);
  curl_multi_setopt(lane->multi, CURLMOPT_TIMERDATA, lane);
  curl_multi_setopt(lane->multi, CURLMOPT_MAXCONNECTS,
                    2 * (long)http->lane_load);
  curl_multi_setopt(lane->multi, CURLMOPT_MAX_CONCURRENT_STREAMS, 128L);
  http->lanes[http->lane_count++] = lane;
  return lane;
}

void eh_lane_free(struct lane *lane) {
  eh_alarm_free(lane->alarm);
  eh_free(lane);
}

struct lane *eh_lane_pick(struct eh_http *http, const struct origin *origin) {
  struct lane *room = NULL, *least = http->lanes[0];
  size_t i;
  for (i = 0; i < http->lane_count; i++) {
    struct lane *lane = http->lanes[i];
    if (lane->load < http->lane_load && origin->busy[i] < origin->per_lane) {
      if (origin->open[i] > origin->busy[i])
        return lane;
      if (room == NULL)
        room = lane;
    }
    if (lane->load < least->load)
      least = lane;
  }
  if (room != NULL)
    return room;
  return http->lane_count < LANE_MAX ? lane_new(http) : least;
}

/* Ends the calls that libcurl has finished. */
static void reap(struct lane *lane) {
  CURLMsg *msg;
  int left;
  while ((msg = curl_multi_info_read(lane->multi, &left)) != NULL) {
    CURLcode result = msg->data.result;
    struct eh_http_call *call;
    struct eh_err err;
    char *priv;
    if (msg->msg != CURLMSG_DONE)
      continue;
    curl_easy_getinfo(msg->easy_handle, CURLINFO_PRIVATE, &priv);
    call = (struct eh_http_call *)(void *)priv;
    if (result == CURLE_OK) {
      eh_http_finish(call, NULL);
      continue;
    }
    eh_http_explain(call, result, &err);
    eh_http_finish(call, &err);
  }
}

void eh_lane_act(struct lane *lane, int fd, int events) {
  int running;
  curl_multi_socket_action(lane->multi, fd, events, &running);
  reap(lane);
}

bool eh_lane_flush(struct eh_http *http) {
  uint64_t ended = http->stats.calls;
  size_t i;
  bool again = false;
  for (i = 0; i < http->lane_count; i++) {
    struct lane *lane = http->lanes[i];
    if (!lane->kick)
      continue;
    lane->kick = false;
    eh_lane_act(lane, CURL_SOCKET_TIMEOUT, 0);
    again = again || lane->kick;
  }
  return again || http->stats.calls != ended;
}
