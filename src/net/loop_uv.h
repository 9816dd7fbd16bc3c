/* loop_uv.h: what the files of src/net know of the loop; private to them. */
#ifndef EH_NET_LOOP_UV_H
#define EH_NET_LOOP_UV_H

#include "net/alarm.h"
#include "net/loop.h"

#include <uv.h>

struct eh_loop {
  uv_loop_t uv;
  uv_prepare_t prepare; /* keeps the loop alive and runs the turn */
  uv_idle_t idle;       /* active = do not block */
  struct eh_alarm *turn_alarm;
  eh_loop_turn_fn *turn;
  void *turn_arg;
  struct eh_list parts;
  struct eh_list signals;
};

/* Releases the loop's signal handles. */
void eh_loop_drop_signals(struct eh_loop *loop);

#endif
