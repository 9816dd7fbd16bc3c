/* fuzz_csv.c: whatever the bytes, the CSV reader ends, and says the same for
 * any division of them into pieces. (libFuzzer's entry; see replay.c.) */
#include "base/buf.h"
#include "base/hash.h"
#include "text/csv.h"
#include "text/utf8.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint64_t mix(uint64_t hash, size_t number) {
  return eh_fnv(hash, &number, sizeof number);
}

static uint64_t mix_row(uint64_t hash, const struct eh_csv_row *row) {
  hash = mix(mix(mix(hash, row->count), row->line), row->number);
  for (size_t i = 0; i < row->count; i++) {
    const struct eh_csv_cell *cell = &row->cells[i];
    assert(eh_utf8_valid(cell->text, cell->len));
    assert(memchr(cell->text, '\0', cell->len) == NULL);
    hash = mix(eh_fnv(hash, cell->text, cell->len), cell->len);
  }
  return hash;
}

static uint64_t mix_problem(uint64_t hash,
                            const struct eh_csv_problem *problem) {
  assert(problem->err.line > 0 && problem->err.column > 0);
  hash = mix(mix(hash, problem->kind), problem->number);
  hash = mix(mix(hash, problem->err.line), problem->err.column);
  hash = mix(mix(hash, problem->err.offset), problem->fatal);
  return eh_fnv(hash, problem->err.msg, strlen(problem->err.msg));
}

/* A hash of all that the reader says. Pieces have up to `most` bytes, by a
 * generator that starts with `seed`. */
static uint64_t read_all(const uint8_t *data, size_t size, size_t most,
                         uint64_t seed) {
  struct eh_csv_options options = {.max_record = 4096, .max_cells = 64};
  struct eh_csv *csv = eh_csv_new(&options);
  struct eh_csv_row row;
  struct eh_csv_problem problem;
  enum eh_csv_event event;
  uint64_t hash = EH_FNV_START;
  size_t pos = 0;
  while ((event = eh_csv_next(csv, &row, &problem)) != EH_CSV_END) {
    if (event == EH_CSV_ROW) {
      hash = mix_row(hash, &row);
    } else if (event == EH_CSV_PROBLEM) {
      hash = mix_problem(hash, &problem);
    } else if (pos == size) {
      eh_csv_finish(csv);
    } else {
      size_t take;
      seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
      take = 1 + (size_t)(seed >> 33) % most;
      if (take > size - pos)
        take = size - pos;
      eh_csv_feed(csv, (const char *)data + pos, take);
      pos += take;
    }
  }
  eh_csv_free(csv);
  return hash;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint64_t whole = read_all(data, size, size + 1, 1);
  uint64_t seed = eh_fnv(EH_FNV_START, data, size);
  assert(read_all(data, size, 1, seed) == whole);
  assert(read_all(data, size, 7, seed) == whole);
  assert(read_all(data, size, 100, seed) == whole);
  return 0;
}
