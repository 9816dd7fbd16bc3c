/* http_deadline.c: the deadlines of all calls, under one alarm. A call
 * is looked at when its time to connect is over, each stall period, and at its
 * deadline. */
#include "base/clock.h"
#include "net/http_impl.h"

static uint64_t least(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

static void wake(struct eh_http *http) {
  struct eh_timer *first = eh_timers_first(&http->looks);
  if (first != NULL)
    eh_alarm_set(http->alarm, first->at);
}

void eh_deadline_add(struct eh_http_call *call) {
  struct eh_http *http = call->http;
  uint64_t at = least(call->connect_deadline, call->start + http->stall_ns);
  eh_timers_set(&http->looks, &call->look, least(call->deadline, at));
  wake(http);
}

void eh_deadline_remove(struct eh_http_call *call) {
  eh_timers_remove(&call->http->looks, &call->look);
}

/* Looks at a call whose time has come: ends it, or says when to look again. */
static void look(struct eh_http_call *call, uint64_t now) {
  struct eh_http *http = call->http;
  enum eh_http_phase phase = eh_http_phase_of(call);
  struct eh_err err;
  if (now >= call->deadline) {
    eh_http_timeout(call, "the call's time is over", &err);
  } else if (phase == EH_HTTP_CONNECT && now >= call->connect_deadline) {
    eh_http_timeout(call, "no connection in time", &err);
  } else if (phase == EH_HTTP_BODY && call->looked_at > 0 &&
             call->received - call->looked_at < http->stall_bytes) {
    eh_http_timeout(call, "the reply stalled", &err);
  } else {
    call->looked_at = call->received;
    eh_timers_set(&http->looks, &call->look,
                  least(call->deadline, phase == EH_HTTP_CONNECT
                                            ? call->connect_deadline
                                            : now + http->stall_ns));
    return;
  }
  eh_http_finish(call, &err);
}

void eh_deadline_check(void *arg) {
  struct eh_http *http = arg;
  struct eh_timer *first;
  uint64_t now = eh_clock_mono();
  while ((first = eh_timers_first(&http->looks)) != NULL && first->at <= now)
    look(EH_CONTAINER(first, struct eh_http_call, look), now);
  wake(http);
}
