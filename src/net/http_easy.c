/* http_easy.c: one call as a libcurl easy handle. What never changes is set
 * once; of the rest, only what differs from the handle's last call. */
#include "base/alloc.h"
#include "base/clock.h"
#include "net/http_impl.h"

#include <string.h>
#include <strings.h>

#define RECEIVE_BUFFER  16384L
#define DNS_CACHE_S     3600L
#define KEEPALIVE_IDLE  30L
#define KEEPALIVE_EVERY 15L

/* Counts what arrives; the first byte ends the wait for the reply. */
static void arrived(struct eh_http_call *call, size_t len) {
  if (call->received == 0)
    call->reply.first_byte_ns = eh_clock_mono() - call->start;
  call->received += len;
}

static size_t on_header(char *bytes, size_t size, size_t count, void *arg) {
  struct eh_http_call *call = arg;
  size_t len = size * count;
  arrived(call, len);
  if (len >= 5 && memcmp(bytes, "HTTP/", 5) == 0)
    eh_buf_clear(&call->reply.headers); /* the one after a 100 Continue */
  if (eh_buf_add(&call->reply.headers, bytes, len) == 0)
    return len;
  call->too_large = true;
  return 0;
}

static size_t on_body(char *bytes, size_t size, size_t count, void *arg) {
  struct eh_http_call *call = arg;
  size_t len = size * count;
  arrived(call, len);
  if (eh_buf_add(&call->reply.body, bytes, len) == 0)
    return len;
  call->too_large = true;
  return len == 0 ? 1 : 0; /* anything but len stops the transfer */
}

void eh_easy_open(struct eh_http_call *call) {
  struct eh_http *http = call->http;
  CURL *easy = call->easy = curl_easy_init();
  if (easy == NULL)
    eh_oom(0);
  curl_easy_setopt(easy, CURLOPT_PRIVATE, call);
  curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, call->message);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, call);
  curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_header);
  curl_easy_setopt(easy, CURLOPT_HEADERDATA, call);
  curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, eh_sock_open);
  curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, call);
  curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, eh_sock_close);
  curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, http);
  curl_easy_setopt(easy, CURLOPT_SHARE, http->share);
  curl_easy_setopt(easy, CURLOPT_DNS_CACHE_TIMEOUT, DNS_CACHE_S);
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "gzip, deflate");
  curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, RECEIVE_BUFFER);
  curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  curl_easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, 1L);
  curl_easy_setopt(easy, CURLOPT_TCP_KEEPIDLE, KEEPALIVE_IDLE);
  curl_easy_setopt(easy, CURLOPT_TCP_KEEPINTVL, KEEPALIVE_EVERY);
  curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1);
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  /* a cancelled look-up must not hold up the loop */
  curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
  curl_easy_setopt(easy, CURLOPT_USERAGENT, http->user_agent);
  if (http->ca_file != NULL)
    curl_easy_setopt(easy, CURLOPT_CAINFO, http->ca_file);
  eh_buf_init(&call->url, 1 << 20);
  eh_buf_init(&call->fields, EH_MAX_HTTP_HEADER);
  eh_buf_init(&call->body, SIZE_MAX / 4);
  eh_buf_init(&call->reply.headers, EH_MAX_HTTP_HEADER);
  eh_buf_init(&call->reply.body, EH_MAX_HTTP_BODY);
}

void eh_easy_close(struct eh_http_call *call) {
  curl_easy_cleanup(call->easy);
  curl_slist_free_all(call->slist);
  eh_buf_free(&call->url);
  eh_buf_free(&call->fields);
  eh_buf_free(&call->body);
  eh_buf_free(&call->reply.headers);
  eh_buf_free(&call->reply.body);
}

enum eh_http_phase eh_http_phase_of(const struct eh_http_call *call) {
  curl_off_t sent = 0;
  if (call->received > 0)
    return EH_HTTP_BODY;
  if (call->state == CALL_RUNNING)
    curl_easy_getinfo(call->easy, CURLINFO_PRETRANSFER_TIME_T, &sent);
  return sent > 0 ? EH_HTTP_FIRST_BYTE : EH_HTTP_CONNECT;
}

static int set_url(struct eh_http_call *call, const char *url,
                   struct eh_err *err) {
  const unsigned char *at;
  bool https = strncasecmp(url, "https://", 8) == 0;
  size_t len = strlen(url);
  if (!https && strncasecmp(url, "http://", 7) != 0)
    return eh_err_set(err, EH_EARG, "the URL is neither http:// nor https://");
  for (at = (const unsigned char *)url; *at != '\0'; at++)
    if (*at <= ' ' || *at == 127)
      return eh_err_set(err, EH_EARG, "the URL has a space or control byte");
  if (call->url.len == len && memcmp(call->url.data, url, len) == 0)
    return 0;
  eh_buf_clear(&call->url);
  if (eh_buf_add(&call->url, url, len) != 0)
    return eh_err_set(err, EH_EARG, "the URL is too long");
  curl_easy_setopt(call->easy, CURLOPT_URL, url);
  if (https != call->https) {
    curl_easy_setopt(call->easy, CURLOPT_HTTP_VERSION,
                     https ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1);
    curl_easy_setopt(call->easy, CURLOPT_PIPEWAIT, https ? 1L : 0L);
    call->https = https;
  }
  return 0;
}

/* A token of RFC 9110. */
static bool is_token(const char *text) {
  static const char others[] = "!#$%&'*+-.^_`|~";
  const char *at;
  for (at = text; *at != '\0'; at++)
    if (!((*at >= '0' && *at <= '9') || (*at >= 'a' && *at <= 'z') ||
          (*at >= 'A' && *at <= 'Z') || strchr(others, *at) != NULL))
      return false;
  return at != text;
}

/* Sets the method, and whether there is a body; the body itself is set for
 * each call. */
static int set_method(struct eh_http_call *call, const char *method,
                      bool bodied, struct eh_err *err) {
  bool plain = bodied ? strcmp(method, "POST") == 0
                      : strcmp(method, "GET") == 0 || //
                            strcmp(method, "HEAD") == 0;
  if (!is_token(method) || strlen(method) >= sizeof call->method)
    return eh_err_set(err, EH_EARG, "bad method");
  if (bodied && strcmp(method, "HEAD") == 0)
    return eh_err_set(err, EH_EARG, "HEAD has no body");
  if (bodied == call->bodied && strcmp(method, call->method) == 0)
    return 0;
  if (bodied)
    curl_easy_setopt(call->easy, CURLOPT_POST, 1L);
  else if (strcmp(method, "HEAD") == 0)
    curl_easy_setopt(call->easy, CURLOPT_NOBODY, 1L);
  else
    curl_easy_setopt(call->easy, CURLOPT_HTTPGET, 1L);
  curl_easy_setopt(call->easy, CURLOPT_CUSTOMREQUEST, plain ? NULL : method);
  strcpy(call->method, method);
  call->bodied = bodied;
  return 0;
}

/* Writes the request's headers as lines for libcurl ("Name: value", "Name;"
 * for an empty value, "Name:" to leave out what libcurl would add). */
static int write_fields(struct eh_buf *out,
                        const struct eh_http_request *request,
                        struct eh_err *err) {
  bool typed = false;
  size_t i;
  int rc = eh_buf_adds(out, "Expect:\n");
  for (i = 0; i < request->header_count; i++) {
    const char *name = request->headers[i].name;
    const char *value = request->headers[i].value;
    const unsigned char *at;
    if (!is_token(name))
      return eh_err_set(err, EH_EARG, "bad header name");
    for (at = (const unsigned char *)value; *at != '\0'; at++)
      if ((*at < ' ' && *at != '\t') || *at == 127)
        return eh_err_set(err, EH_EARG, "control byte in header %.64s", name);
    if (strcasecmp(name, "content-type") == 0)
      typed = true;
    rc |= eh_buf_adds(out, name);
    rc |= eh_buf_adds(out, *value == '\0' ? ";" : ": ");
    rc |= eh_buf_adds(out, value);
    rc |= eh_buf_addc(out, '\n');
  }
  if (!typed)
    rc |= eh_buf_adds(out, "Content-Type:\n");
  return rc == 0 ? 0 : eh_err_set(err, EH_EARG, "the headers are too large");
}

/* Makes libcurl's list of the lines in fields, which it cuts at their ends. */
static void set_slist(struct eh_http_call *call) {
  struct curl_slist *list = NULL;
  char *line = call->fields.data, *end;
  for (; (end = strchr(line, '\n')) != NULL; line = end + 1) {
    *end = '\0';
    list = curl_slist_append(list, line);
    *end = '\n';
  }
  curl_easy_setopt(call->easy, CURLOPT_HTTPHEADER, list);
  curl_slist_free_all(call->slist);
  call->slist = list;
}

static int set_headers(struct eh_http_call *call,
                       const struct eh_http_request *request,
                       struct eh_err *err) {
  struct eh_buf fields = call->reply.headers; /* empty between calls */
  int rc = write_fields(&fields, request, err);
  if (rc == 0 && (fields.len != call->fields.len ||
                  memcmp(fields.data, call->fields.data, fields.len) != 0)) {
    eh_buf_free(&call->fields);
    call->fields = fields;
    eh_buf_init(&fields, EH_MAX_HTTP_HEADER);
    set_slist(call);
  }
  eh_buf_clear(&fields);
  call->reply.headers = fields;
  return rc;
}

int eh_easy_prepare(struct eh_http_call *call,
                    const struct eh_http_request *request, struct eh_err *err) {
  bool bodied = request->body != NULL || strcmp(request->method, "POST") == 0;
  uint64_t connect = request->connect_timeout_ns;
  int rc = set_url(call, request->url, err);
  if (rc == 0)
    rc = set_method(call, request->method, bodied, err);
  if (rc == 0)
    rc = set_headers(call, request, err);
  if (rc != 0)
    return rc;
  eh_buf_clear(&call->body);
  if (bodied) {
    if (request->body_len > 0 &&
        eh_buf_add(&call->body, request->body, request->body_len) != 0)
      return eh_err_set(err, EH_EARG, "the body is too large");
    curl_easy_setopt(call->easy, CURLOPT_POSTFIELDS, call->body.data);
    curl_easy_setopt(call->easy, CURLOPT_POSTFIELDSIZE_LARGE,
                     (curl_off_t)call->body.len);
  }
  if (connect != call->connect_timeout) { /* how libcurl shares out the time
                                             between a host's addresses */
    curl_easy_setopt(call->easy, CURLOPT_CONNECTTIMEOUT_MS,
                     (long)(connect / EH_NS_PER_MS) + 1);
    call->connect_timeout = connect;
  }
  return 0;
}
