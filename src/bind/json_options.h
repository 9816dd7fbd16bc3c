/* json_options.h: the options of decode and encode. */
#ifndef EH_BIND_JSON_OPTIONS_H
#define EH_BIND_JSON_OPTIONS_H

#include "bind/json.h"

/* Read the table at idx, or nothing: defaults. They raise for a name that
 * they do not know and for a value that cannot be. */
void eh_json_decode_options(lua_State *L, int idx, struct eh_json_opts *opts);
void eh_json_encode_options(lua_State *L, int idx, struct eh_json_take *how,
                            unsigned *flags);

#endif
