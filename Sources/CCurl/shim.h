// The functions of libcurl in a form that Swift can call. `curl_easy_setopt`, `curl_easy_getinfo` and
// `curl_multi_setopt` are variadic, so that Swift can't import them; each wrapper below calls one of them with one
// type of argument. A few macros that Swift can't import are also defined as functions.
#ifndef STORECTL_CCURL_H
#define STORECTL_CCURL_H

#include <curl/curl.h>

// Sets an option whose value is a long: a flag, a count, milliseconds or a case of an enumeration.
static inline CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

// Sets an option whose value is a size or an offset, which has 64 bits on every platform.
static inline CURLcode ccurl_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}

// Sets an option whose value is text; libcurl copies the text (except for CURLOPT_POSTFIELDS, which is not used).
static inline CURLcode ccurl_set_text(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

// Sets the bytes of the request's body (CURLOPT_COPYPOSTFIELDS). Their number (CURLOPT_POSTFIELDSIZE_LARGE) must be
// set first.
static inline CURLcode ccurl_set_body(CURL *easy, const void *bytes, curl_off_t count) {
    CURLcode result = curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, count);
    return result == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, bytes) : result;
}

// Sets the request's header fields (CURLOPT_HTTPHEADER). The list must outlive the transfer; libcurl does not copy it.
static inline CURLcode ccurl_set_headers(CURL *easy, struct curl_slist *list) {
    return curl_easy_setopt(easy, CURLOPT_HTTPHEADER, list);
}

// Sets the buffer for an error's message (CURLOPT_ERRORBUFFER): CURL_ERROR_SIZE bytes that must outlive the transfer.
static inline CURLcode ccurl_set_error_buffer(CURL *easy, char *buffer) {
    return curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, buffer);
}

// The functions below set a callback and its user data, which are two options of libcurl.
typedef size_t (*ccurl_bytes_callback)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode ccurl_set_write(CURL *easy, ccurl_bytes_callback callback, void *context) {
    CURLcode result = curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, callback);
    return result == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_WRITEDATA, context) : result;
}

static inline CURLcode ccurl_set_header(CURL *easy, ccurl_bytes_callback callback, void *context) {
    CURLcode result = curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, callback);
    return result == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_HEADERDATA, context) : result;
}

static inline CURLcode ccurl_set_prerequest(CURL *easy, curl_prereq_callback callback, void *context) {
    CURLcode result = curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, callback);
    return result == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_PREREQDATA, context) : result;
}

static inline CURLcode ccurl_set_open_socket(CURL *easy, curl_opensocket_callback callback, void *context) {
    CURLcode result = curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, callback);
    return result == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, context) : result;
}

static inline CURLcode ccurl_set_resolver_start(CURL *easy, curl_resolver_start_callback callback, void *context) {
    CURLcode result = curl_easy_setopt(easy, CURLOPT_RESOLVER_START_FUNCTION, callback);
    return result == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_RESOLVER_START_DATA, context) : result;
}

// Returns the address of a socket to open. The struct ends with it, and for version 6 it is longer than its declared type,
// so that Swift would copy only a part.
static inline const void *ccurl_address(const struct curl_sockaddr *address) { return &address->addr; }

static inline CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

// Returns information that is text, or NULL where there is none. The text belongs to the handle and is valid until the
// handle is used again.
static inline const char *ccurl_get_text(CURL *easy, CURLINFO info) {
    const char *value = NULL;
    return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : NULL;
}

static inline long ccurl_get_long(CURL *easy, CURLINFO info) {
    long value = 0;
    return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}

// Returns the result in a message. CURLMsg contains a union, whose members Swift imports as unsafe views of one
// another.
static inline CURLcode ccurl_message_result(const CURLMsg *message) { return message->data.result; }

// Initializes libcurl with CURL_GLOBAL_DEFAULT, an expression of macros that Swift does not import.
static inline CURLcode ccurl_global_init(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }

// Return values of the write callback. The macros have a cast or are hexadecimal, so that the imported type would
// depend on the size of the number.
static inline size_t ccurl_write_pause(void) { return CURL_WRITEFUNC_PAUSE; }
static inline size_t ccurl_write_error(void) { return CURL_WRITEFUNC_ERROR; }

#endif
