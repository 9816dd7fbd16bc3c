# embed.cmake: writes OUT, a C table of the Lua files FILES below ROOT.
#   cmake -DROOT=scripts -DFILES="a.lua;b/c.lua" -DOUT=scripts.c -P embed.cmake
set(arrays "")
set(rows "")
set(n 0)
foreach(file IN LISTS FILES)
  file(READ ${ROOT}/${file} hex HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
  string(REGEX REPLACE "\\.lua$" "" module "${file}")
  string(REPLACE "/" "." module "${module}")
  string(APPEND arrays "static const unsigned char script_${n}[] = {${bytes}0};\n")
  string(APPEND rows "    {\"${module}\", \"${file}\", script_${n}, sizeof script_${n} - 1},\n")
  math(EXPR n "${n} + 1")
endforeach()
file(WRITE ${OUT}.tmp "/* Made by cmake/embed.cmake from scripts/; do not edit. */
#include \"vm/scripts.h\"

${arrays}
const struct eh_script eh_scripts[] = {
${rows}    {0, 0, 0, 0}};
")
file(RENAME ${OUT}.tmp ${OUT})
