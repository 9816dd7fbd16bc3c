/* test_holder.c: naming who holds a lock; test_store.c has other processes. */
#include "store/internal.h"

#include "check_main.h"
#include "scratch.h"

START_TEST(names_this_process_or_nobody) {
  struct scratch s;
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  char who[96], want[32];
  int fd;
  scratch_make(&s);
  eh_holder_name(s.file, who, sizeof who);
  ck_assert_str_eq(who, "another process"); /* there is no such file */
  fd = open(s.file, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  eh_holder_name(s.file, who, sizeof who);
  ck_assert_str_eq(who, "another process"); /* nor a lock */
  ck_assert_int_eq(fcntl(fd, F_SETLK, &lock), 0);
  eh_holder_name(s.file, who, sizeof who);
  snprintf(want, sizeof want, "this process (%d)", (int)getpid());
  ck_assert_msg(strncmp(who, want, strlen(want)) == 0, "%s", who);
  close(fd);
  scratch_remove(&s);
}
END_TEST

CHECK_MAIN(holder, names_this_process_or_nobody)
