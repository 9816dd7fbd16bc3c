# fuzz.cmake: one program for each tests/fuzz/fuzz_NAME.c. In the preset `fuzz`
# it is a libFuzzer program, to be run by hand:
#   build-fuzz/tests/fuzz_csv -max_total_time=60 tests/fuzz/corpus/csv
# In every other build it replays its corpus, as the test fuzz/NAME.

# Which layer each target needs.
set(fuzz_csv text)
set(fuzz_json json)
set(fuzz_sse net)

file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/fuzz_*.c)
foreach(source IN LISTS sources)
  get_filename_component(target ${source} NAME_WE)
  if(NOT DEFINED ${target})
    message(FATAL_ERROR "tests/fuzz.cmake: which layer does ${target} need?")
  endif()
  add_executable(${target} ${source})
  target_link_libraries(${target} PRIVATE eh_${${target}})
  if(EVALHOST_FUZZ)
    target_link_options(${target} PRIVATE -fsanitize=fuzzer)
  else()
    string(REPLACE "fuzz_" "" name ${target})
    target_sources(${target} PRIVATE fuzz/replay.c)
    evalhost_test(fuzz/${name} ${target} tests/fuzz/corpus/${name})
  endif()
endforeach()
