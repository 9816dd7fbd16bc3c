/* floor.c: what libcurl alone needs for the requests of a suite: two POSTs a
 * case, the target's and then the judge's, with no Lua, store or checks.
 *
 *   floor BASE DELAY CASES CONCURRENCY    such as http://127.0.0.1:8080 d50
 *   floor stats BASE                      what the mock says that it served
 *
 * curl_multi_perform with curl_multi_poll, keep-alive, one handle a case in
 * flight. Against socket callbacks with epoll, in turns: CPU at 50 in flight
 * and wall at 200 and 1,000 differ by less than the runs scatter; CPU does
 * not (callbacks take 15 % less at 200, 25 to 35 % less at 1,000). So it is
 * a floor for those three figures, not for CPU at many in flight. Prints
 * wall, CPU and peak memory.
 */
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum {
  MAX_CONCURRENCY = 10000,
  MAX_URL = 256,
  MAX_BODY = 4096,
  MAX_REPLY = 1024
};

/* As long as what evalhost sends. */
#define TARGET_BODY                                                            \
  "{\"model\":\"mock\",\"messages\":[{\"role\":\"system\",\"content\":"        \
  "\"Answer as JSON with the keys answer, city, confidence and sources.\"},"   \
  "{\"role\":\"user\",\"content\":\"Case %ld: what is the capital of France, " \
  "and on which river does it lie?\"}],\"temperature\":0}"
#define JUDGE_BODY                                                             \
  "{\"model\":\"mock\",\"temperature\":0,\"messages\":[{\"role\":\"system\","  \
  "\"content\":\"%.1400s\"},{\"role\":\"user\",\"content\":\"Case %ld: "       \
  "%.500s\"}]}"

/* One case in flight. */
struct slot {
  CURL *easy;
  long number;
  int judging;
  size_t received;
  char reply[MAX_REPLY];
};

static CURLM *multi;
static char target_url[MAX_URL], judge_url[MAX_URL], filler[2048];
static long cases, started, running;

static void fail(const char *what) {
  fprintf(stderr, "floor: %s\n", what);
  exit(1);
}

static size_t on_data(char *bytes, size_t size, size_t count, void *data) {
  struct slot *slot = data;
  size *= count;
  if (slot->received + size > sizeof slot->reply)
    return 0;
  memcpy(slot->reply + slot->received, bytes, size);
  slot->received += size;
  return size;
}

static void post(struct slot *slot) {
  char body[MAX_BODY];
  int length = slot->judging
                   ? snprintf(body, sizeof body, JUDGE_BODY, filler,
                              slot->number, filler)
                   : snprintf(body, sizeof body, TARGET_BODY, slot->number);
  slot->received = 0;
  curl_easy_setopt(slot->easy, CURLOPT_URL,
                   slot->judging ? judge_url : target_url);
  curl_easy_setopt(slot->easy, CURLOPT_POSTFIELDSIZE, (long)length);
  curl_easy_setopt(slot->easy, CURLOPT_COPYPOSTFIELDS, body);
  curl_multi_add_handle(multi, slot->easy);
}

static void begin(struct slot *slot) {
  if (started == cases)
    return;
  slot->number = started++;
  slot->judging = 0;
  running++;
  post(slot);
}

static void prepare(struct slot *slot, struct curl_slist *headers) {
  CURL *easy = slot->easy = curl_easy_init();
  if (easy == NULL)
    fail("out of memory");
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
  curl_easy_setopt(easy, CURLOPT_POST, 1L);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_data);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, slot);
  curl_easy_setopt(easy, CURLOPT_PRIVATE, slot);
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_NOPROXY, "*");
  curl_easy_setopt(easy, CURLOPT_TIMEOUT, 60L);
}

static void reap(void) {
  CURLMsg *message;
  int left;
  while ((message = curl_multi_info_read(multi, &left)) != NULL) {
    struct slot *slot;
    long status = 0;
    CURL *easy = message->easy_handle;
    CURLcode result = message->data.result;
    curl_easy_getinfo(easy, CURLINFO_PRIVATE, &slot);
    curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
    curl_multi_remove_handle(multi, easy);
    if (result != CURLE_OK || status != 200)
      fail(result != CURLE_OK ? curl_easy_strerror(result) : "status not 200");
    if (!slot->judging) {
      slot->judging = 1;
      post(slot);
      continue;
    }
    running--;
    begin(slot);
  }
}

static double monotonic(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void run(long concurrency) {
  struct slot *slots = calloc((size_t)concurrency, sizeof *slots);
  struct curl_slist *headers;
  int active;
  headers = curl_slist_append(NULL, "Content-Type: application/json");
  headers = curl_slist_append(headers, "Authorization: Bearer sk-mock");
  multi = curl_multi_init();
  if (slots == NULL || headers == NULL || multi == NULL)
    fail("out of memory");
  curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, concurrency);
  for (long i = 0; i < concurrency; i++) {
    prepare(&slots[i], headers);
    begin(&slots[i]);
  }
  while (running > 0) {
    curl_multi_perform(multi, &active);
    reap();
    if (running > 0)
      curl_multi_poll(multi, NULL, 0, 1000, NULL);
  }
  for (long i = 0; i < concurrency; i++)
    curl_easy_cleanup(slots[i].easy);
  curl_multi_cleanup(multi);
  curl_slist_free_all(headers);
  free(slots);
}

static void report(double wall) {
  struct rusage used;
  double cpu;
  getrusage(RUSAGE_SELF, &used);
  cpu = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
        (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-6;
  printf("%ld cases, wall %.3f s, CPU %.3f s (%.1f us a case), peak %.1f MB\n",
         cases, wall, cpu, cpu * 1e6 / (double)cases,
         (double)used.ru_maxrss / 1024);
}

static int show_stats(const char *base) {
  CURL *easy = curl_easy_init();
  CURLcode result;
  snprintf(target_url, sizeof target_url, "%s/stats", base);
  curl_easy_setopt(easy, CURLOPT_URL, target_url);
  curl_easy_setopt(easy, CURLOPT_NOPROXY, "*");
  result = curl_easy_perform(easy);
  putchar('\n');
  curl_easy_cleanup(easy);
  return result != CURLE_OK;
}

int main(int argc, char **argv) {
  double start = monotonic();
  long concurrency;
  curl_global_init(CURL_GLOBAL_DEFAULT);
  if (argc == 3 && strcmp(argv[1], "stats") == 0)
    return show_stats(argv[2]);
  if (argc != 5 || (cases = atol(argv[3])) <= 0 ||
      (concurrency = atol(argv[4])) <= 0 || concurrency > MAX_CONCURRENCY) {
    fprintf(stderr, "usage: floor BASE DELAY CASES CONCURRENCY\n");
    return 2;
  }
  memset(filler, 'x', sizeof filler - 1);
  snprintf(target_url, sizeof target_url, "%s/%s/json/v1/chat/completions",
           argv[1], argv[2]);
  snprintf(judge_url, sizeof judge_url, "%s/%s/judge/v1/chat/completions",
           argv[1], argv[2]);
  run(concurrency < cases ? concurrency : cases);
  report(monotonic() - start);
  curl_global_cleanup();
  return 0;
}
