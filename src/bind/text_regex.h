/* text_regex.h: the regular expressions of evalhost.native.text. */
#ifndef EH_BIND_TEXT_REGEX_H
#define EH_BIND_TEXT_REGEX_H

#include <lua.h>

/* Makes the metatable. */
void eh_text_regex_open(lua_State *L);

/* text.regex(pattern [, options]): an object, or nil and an error. */
int eh_text_regex_new(lua_State *L);

#endif
