/* alarm.h: one point in time on the loop, cheap to move.
 *
 * Moving a alarm to a later time costs nothing: the loop wakes at the earlier
 * time, sees that it is not due, and sleeps on. Resolution is 1 ms, never
 * early. */
#ifndef EH_NET_ALARM_H
#define EH_NET_ALARM_H

#include "net/loop.h"

struct eh_alarm;

typedef void eh_alarm_fn(void *arg);

/* Returns a alarm that is not set. */
struct eh_alarm *eh_alarm_new(struct eh_loop *loop, eh_alarm_fn *fn, void *arg);

/* Never calls back again; the memory goes when the loop lets go of it. NULL
 * is allowed. */
void eh_alarm_free(struct eh_alarm *alarm);

/* Calls fn once when eh_loop_now reaches due_ns; EH_NEVER unsets. */
void eh_alarm_set(struct eh_alarm *alarm, uint64_t due_ns);

#endif
