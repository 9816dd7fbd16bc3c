# mirror.cmake: tests mirror the tree; what has no mirror is listed with why.
#   cmake [-DROOT=DIR] [-DEXPECTED=FILE] -P tests/layers/mirror.cmake
# src/LAYER/X.c           tests/LAYER/test_X.c, or tests/LAYER/X_spec.lua
# scripts/evalhost/X.lua  tests/scripts/X_spec.lua
# Anything else must stand in tests/layers/untested.txt, as "FILE: reason", and
# leaves that list as soon as it has its test. With EXPECTED, passes only if the
# report is exactly that file (how the check checks itself).

cmake_policy(SET CMP0057 NEW)
if(NOT ROOT)
  set(ROOT ${CMAKE_CURRENT_LIST_DIR}/../..)
endif()
get_filename_component(ROOT ${ROOT} ABSOLUTE)
set(report "")
set(list tests/layers/untested.txt)

file(STRINGS ${ROOT}/${list} lines REGEX "^[^#]")
set(listed "")
foreach(line IN LISTS lines)
  if(line MATCHES "^([^ :]+): +[^ ]")
    list(APPEND listed ${CMAKE_MATCH_1})
  else()
    string(APPEND report "${list}: no reason given: ${line}\n")
  endif()
endforeach()

# FILE has its test if one of the remaining arguments exists.
function(check FILE)
  foreach(test IN LISTS ARGN)
    if(EXISTS ${ROOT}/${test})
      if(FILE IN_LIST listed)
        set(report "${report}${list}: ${FILE} has a test: ${test}\n" PARENT_SCOPE)
      endif()
      return()
    endif()
  endforeach()
  if(NOT FILE IN_LIST listed)
    list(JOIN ARGN " or " wanted)
    set(report "${report}${FILE}: no test (${wanted}), and not in ${list}\n" PARENT_SCOPE)
  endif()
endfunction()

file(GLOB files RELATIVE ${ROOT} ${ROOT}/src/*/*.c)
foreach(file IN LISTS files)
  string(REGEX REPLACE "^src/(.*)/([^/]*)\\.c$" "tests/\\1/test_\\2.c" unit ${file})
  string(REGEX REPLACE "^src/(.*)/([^/]*)\\.c$" "tests/\\1/\\2_spec.lua" spec ${file})
  check(${file} ${unit} ${spec})
endforeach()

file(GLOB_RECURSE scripts RELATIVE ${ROOT} ${ROOT}/scripts/evalhost/*.lua)
list(FILTER scripts EXCLUDE REGEX "/_meta/")
foreach(file IN LISTS scripts)
  string(REGEX REPLACE "^scripts/evalhost/(.*)\\.lua$" "tests/scripts/\\1_spec.lua" spec ${file})
  check(${file} ${spec})
endforeach()

foreach(file IN LISTS listed)
  if(NOT EXISTS ${ROOT}/${file})
    string(APPEND report "${list}: ${file} is not there any more\n")
  endif()
endforeach()

list(LENGTH files sources)
list(LENGTH scripts modules)
list(LENGTH listed gaps)
if(EXPECTED)
  file(READ ${EXPECTED} expected)
  if(NOT report STREQUAL expected)
    message(FATAL_ERROR "expected:\n${expected}\ngot:\n${report}")
  endif()
  message("the planted gaps are reported")
elseif(NOT report STREQUAL "")
  message("${report}")
  message(FATAL_ERROR "the tests do not mirror the tree")
elseif(sources EQUAL 0)
  message(FATAL_ERROR "no source file below ${ROOT}/src")
else()
  message("${sources} C files and ${modules} Lua modules, ${gaps} listed as untested")
endif()
