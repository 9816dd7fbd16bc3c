/* http_error.c: why a call failed, in our codes and in words. */
#include "net/http_impl.h"

#include <errno.h>
#include <string.h>

const char *eh_http_phase_name(enum eh_http_phase phase) {
  switch (phase) {
  case EH_HTTP_CONNECT:
    return "connect";
  case EH_HTTP_FIRST_BYTE:
    return "first_byte";
  case EH_HTTP_BODY:
    break;
  }
  return "body";
}

static const struct {
  CURLcode result;
  int code;
} codes[] = {
    {CURLE_COULDNT_RESOLVE_HOST, EH_EDNS},
    {CURLE_COULDNT_RESOLVE_PROXY, EH_EDNS},
    {CURLE_COULDNT_CONNECT, EH_ECONNECT},
    {CURLE_PROXY, EH_ECONNECT},
    {CURLE_SSL_CONNECT_ERROR, EH_ETLS},
    {CURLE_PEER_FAILED_VERIFICATION, EH_ETLS},
    {CURLE_SSL_CERTPROBLEM, EH_ETLS},
    {CURLE_SSL_CIPHER, EH_ETLS},
    {CURLE_SSL_CACERT_BADFILE, EH_ETLS},
    {CURLE_SSL_ISSUER_ERROR, EH_ETLS},
    {CURLE_SSL_ENGINE_INITFAILED, EH_ETLS},
    {CURLE_SSL_INVALIDCERTSTATUS, EH_ETLS},
    {CURLE_OPERATION_TIMEDOUT, EH_ETIMEOUT},
    {CURLE_PARTIAL_FILE, EH_ETRUNCATED},
    {CURLE_GOT_NOTHING, EH_ERESET},
    {CURLE_SEND_ERROR, EH_ERESET},
    {CURLE_RECV_ERROR, EH_ERESET},
    {CURLE_HTTP2_STREAM, EH_ERESET},
    {CURLE_HTTP2, EH_EPROTOCOL},
    {CURLE_BAD_CONTENT_ENCODING, EH_EPROTOCOL},
    {CURLE_WEIRD_SERVER_REPLY, EH_EPROTOCOL},
    {CURLE_URL_MALFORMAT, EH_EARG},
};

/* Names without a row in the table above. */
static int code_of(const struct eh_http_call *call, CURLcode result) {
  size_t i;
  if (call->too_large)
    return EH_ELIMIT;
  if (call->socket_errno == EMFILE || call->socket_errno == ENFILE)
    return EH_EBUSY;
  /* HTTP/0.9: schemes are checked before libcurl sees them */
  if (result == CURLE_UNSUPPORTED_PROTOCOL)
    return EH_EPROTOCOL;
  /* libcurl says so of broken chunks as well */
  if (result == CURLE_RECV_ERROR && strstr(call->message, "chunk") != NULL)
    return EH_EPROTOCOL;
  for (i = 0; i < sizeof codes / sizeof codes[0]; i++)
    if (codes[i].result == result)
      return codes[i].code;
  return EH_EINTERNAL;
}

/* scheme://host:port without user and password. */
static void say_origin(const struct origin *origin, char *out, size_t size) {
  const char *key = origin->key, *authority = strstr(key, "://");
  const char *at = strrchr(key, '@');
  int scheme;
  if (authority == NULL || at == NULL) {
    snprintf(out, size, "%s", key);
    return;
  }
  scheme = (int)(authority + 3 - key);
  snprintf(out, size, "%.*s%s", scheme, key, at + 1);
}

int eh_http_explain(struct eh_http_call *call, CURLcode result,
                    struct eh_err *err) {
  int code = code_of(call, result);
  const char *why =
      call->message[0] != '\0' ? call->message : curl_easy_strerror(result);
  char origin[160];
  say_origin(call->origin, origin, sizeof origin);
  if (call->too_large)
    return eh_err_set(err, code, "%s: the reply is larger than allowed",
                      origin);
  if (code == EH_EBUSY)
    return eh_err_set(err, code, "%s: %s", origin,
                      strerror(call->socket_errno));
  return eh_err_set(err, code, "%s: %s", origin, why);
}

int eh_http_timeout(struct eh_http_call *call, const char *what,
                    struct eh_err *err) {
  char origin[160];
  say_origin(call->origin, origin, sizeof origin);
  return eh_err_set(err, EH_ETIMEOUT, "%s: %s (%s)", origin, what,
                    eh_http_phase_name(eh_http_phase_of(call)));
}
