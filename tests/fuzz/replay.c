/* replay.c: runs a fuzz entry over files and folders given as arguments, so
 * that corpora are replayed by the ordinary tests, without libFuzzer. Every
 * file is also run cut short, at up to 64 places. */
#include "base/alloc.h"

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_FILE ((size_t)16 << 20)
#define CUTS     64

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Runs the entry on a copy of exactly `size` bytes, so that a sanitizer sees
 * a read behind the end. */
static void run(const uint8_t *data, size_t size) {
  uint8_t *copy = eh_malloc(size);
  if (size > 0)
    memcpy(copy, data, size);
  LLVMFuzzerTestOneInput(copy, size);
  eh_free(copy);
}

static int replay_file(const char *path) {
  uint8_t *data = eh_malloc(MAX_FILE);
  FILE *file = fopen(path, "rb");
  size_t size;
  if (file == NULL) {
    perror(path);
    eh_free(data);
    return 0;
  }
  size = fread(data, 1, MAX_FILE, file);
  fclose(file);
  run(data, size);
  for (size_t i = 0; i < CUTS; i++)
    run(data, size * i / CUTS);
  eh_free(data);
  return 1;
}

/* Returns the number of files that were run. */
static int replay(const char *path) {
  struct stat info;
  struct dirent *entry;
  DIR *folder;
  int count = 0;
  if (stat(path, &info) != 0 || !S_ISDIR(info.st_mode))
    return replay_file(path);
  folder = opendir(path);
  if (folder == NULL) {
    perror(path);
    return 0;
  }
  while ((entry = readdir(folder)) != NULL) {
    char name[4096];
    if (entry->d_name[0] == '.')
      continue;
    snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
    count += replay(name);
  }
  closedir(folder);
  return count;
}

int main(int argc, char **argv) {
  int total = 0;
  for (int i = 1; i < argc; i++) {
    int count = replay(argv[i]);
    if (count == 0) {
      fprintf(stderr, "%s: nothing to replay\n", argv[i]);
      return EXIT_FAILURE;
    }
    total += count;
  }
  printf("%d files replayed\n", total);
  return argc > 1 ? EXIT_SUCCESS : EXIT_FAILURE;
}
