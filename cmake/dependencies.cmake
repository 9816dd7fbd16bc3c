# dependencies.cmake: the libraries that evalhost stands on. setup.sh installs
# their Debian packages.
find_package(PkgConfig REQUIRED)
pkg_check_modules(CURL REQUIRED IMPORTED_TARGET libcurl>=7.88)
pkg_check_modules(UV REQUIRED IMPORTED_TARGET libuv>=1.44)
pkg_check_modules(SQLITE REQUIRED IMPORTED_TARGET sqlite3>=3.40)
pkg_check_modules(PCRE2 REQUIRED IMPORTED_TARGET libpcre2-8>=10.40)
pkg_check_modules(UTF8PROC REQUIRED IMPORTED_TARGET libutf8proc)

# Lua and lua-cjson from Debian's static archives, so that an installed binary
# needs no Lua beside it.
find_path(LUA_INCLUDE_DIR lua.h PATH_SUFFIXES lua5.4 REQUIRED NO_CACHE)
find_library(LUA_ARCHIVE NAMES liblua5.4.a REQUIRED NO_CACHE)
find_library(CJSON_ARCHIVE NAMES liblua5.4-cjson.a REQUIRED NO_CACHE)

add_library(evalhost_lua INTERFACE)
target_include_directories(evalhost_lua SYSTEM INTERFACE ${LUA_INCLUDE_DIR})
target_link_libraries(evalhost_lua INTERFACE ${LUA_ARCHIVE} m ${CMAKE_DL_LIBS})

add_library(evalhost_cjson INTERFACE)
target_link_libraries(evalhost_cjson INTERFACE ${CJSON_ARCHIVE} evalhost_lua)
