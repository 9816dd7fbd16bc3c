/* test_searcher.c: where `require` finds modules, and where not. */
#include "check_main.h"
#include "vm/script.h"

#include <sys/stat.h>
#include <unistd.h>

#define TEXT(literal) (const unsigned char *)(literal), sizeof(literal) - 1

static const struct eh_script library[] = {
    {"evalhost.init", "evalhost/init.lua", TEXT("return {name = ...}")},
    {"evalhost.part", "evalhost/part.lua",
     TEXT("local name, file = ... return {name, file}")},
    {"evalhost.broken", "evalhost/broken.lua", TEXT("return = 5")},
    {"evalhost.raises", "evalhost/raises.lua", TEXT("\n error 'oops'")},
    {NULL, NULL, NULL, 0},
};

static void check(const struct eh_vm_options *options, const char *script) {
  struct eh_vm *vm = script_open(options);
  struct script_end end = script_run(vm, script);
  ck_assert_msg(end.ok, "%s", end.message);
  eh_vm_free(vm);
}

START_TEST(the_library_is_embedded) {
  struct eh_vm_options options = {0};
  options.scripts = library;
  check(&options,
        "assert(require('evalhost').name == 'evalhost') "
        "assert(require('evalhost') == require('evalhost')) "
        "local part, file = require('evalhost.part') "
        "assert(part[1] == 'evalhost.part') "
        "assert(part[2] == 'evalhost/part.lua' and file == part[2]) "
        "local ok, err = pcall(require, 'evalhost.broken') "
        "assert(not ok and err:find('evalhost/broken.lua:1:', 1, true), err) "
        "local ok, err = pcall(require, 'evalhost.raises') "
        "assert(not ok and err:find('evalhost/raises.lua:2: oops', 1, true)) "
        "local ok, err = pcall(require, 'evalhost.nothing') "
        "assert(not ok and err:find(\"no script 'evalhost.nothing' in the "
        "library\", 1, true), err) "
        "local ok, err = pcall(require, 'evalhosting') "
        "assert(not ok and not err:find('library', 1, true))");
}
END_TEST

START_TEST(what_is_preloaded_comes_first) {
  struct eh_vm_options options = {0};
  options.scripts = library;
  check(&options, "package.preload['evalhost.part'] = function() return 7 end "
                  "assert(require('evalhost.part') == 7)");
}
END_TEST

START_TEST(without_a_library_there_is_none) {
  struct eh_vm_options options = {0};
  check(&options, "local ok, err = pcall(require, 'evalhost') "
                  "assert(not ok and err:find(\"module 'evalhost' not "
                  "found\", 1, true))");
}
END_TEST

static void put(const char *folder, const char *name, const char *text) {
  char path[256];
  FILE *file;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  file = fopen(path, "w");
  ck_assert_ptr_nonnull(file);
  fputs(text, file);
  fclose(file);
}

static void drop(const char *folder, const char *name) {
  char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  ck_assert_int_eq(remove(path), 0);
}

START_TEST(a_folder_may_replace_it) {
  char folder[] = "/tmp/evalhost-test-XXXXXX", inner[64];
  struct eh_vm_options options = {0};
  ck_assert_ptr_nonnull(mkdtemp(folder));
  snprintf(inner, sizeof inner, "%s/evalhost", folder);
  ck_assert_int_eq(mkdir(inner, 0700), 0);
  put(inner, "init.lua", "return 'from disk'");
  put(inner, "broken.lua", "return = 1");
  put(inner, "binary.lua", "\033Lua");
  options.scripts = library;
  options.scripts_dir = folder;
  check(&options,
        "assert(require('evalhost') == 'from disk') "
        "local ok, err = pcall(require, 'evalhost.part') "
        "assert(not ok and err:find(\"no script 'evalhost.part' in '/tmp/\", "
        "1, true), err) "
        "local ok, err = pcall(require, 'evalhost.broken') "
        "assert(not ok and err:find('broken.lua:1:', 1, true)) "
        "local ok, err = pcall(require, 'evalhost.binary') "
        "assert(not ok and err:find('binary', 1, true), err)");
  drop(inner, "init.lua");
  drop(inner, "broken.lua");
  drop(inner, "binary.lua");
  drop(folder, "evalhost");
  drop(folder, "");
}
END_TEST

START_TEST(nothing_is_found_outside_of_the_suite) {
  struct eh_vm_options options = {0};
  char folder[] = "/tmp/evalhost-test-XXXXXX", script[512];
  ck_assert_ptr_nonnull(mkdtemp(folder));
  put(folder, "agent.lua", "return 'mine'");
  snprintf(script, sizeof script,
           "assert(package.path == '' and package.cpath == '') "
           "assert(not pcall(require, 'agent')) "
           "package.path = '%s/?.lua' assert(require('agent') == 'mine') "
           "package.cpath = '%s/?.so' "
           "local ok, err = pcall(require, 'other') "
           "assert(not ok and not err:find('.so', 1, true), err)",
           folder, folder);
  check(&options, script);
  drop(folder, "agent.lua");
  drop(folder, "");
}
END_TEST

CHECK_MAIN(searcher, the_library_is_embedded, what_is_preloaded_comes_first,
           without_a_library_there_is_none, a_folder_may_replace_it,
           nothing_is_found_outside_of_the_suite)
