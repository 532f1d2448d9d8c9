// The door to libcurl. `curl_easy_setopt`, `curl_easy_getinfo` and `curl_multi_setopt` are variadic, which Swift
// can't call; each wrapper below is one of them with one type of argument. A few macros that Swift can't read
// stand beside them as functions.
#ifndef STORECTL_CCURL_H
#define STORECTL_CCURL_H

#include <curl/curl.h>

// An option that takes a long: flags, counts, milliseconds, enumerations.
static inline CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

// An option that takes a size or an offset, 64 bits on every platform.
static inline CURLcode ccurl_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}

// An option that takes text; libcurl copies it (all but CURLOPT_POSTFIELDS, which is not used).
static inline CURLcode ccurl_set_text(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

// CURLOPT_COPYPOSTFIELDS takes bytes, as many as CURLOPT_POSTFIELDSIZE_LARGE says, which must be set first.
static inline CURLcode ccurl_set_body(CURL *easy, const void *bytes, curl_off_t count) {
    CURLcode result = curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, count);
    return result == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, bytes) : result;
}

// CURLOPT_HTTPHEADER takes a list that must outlive the transfer; libcurl does not copy it.
static inline CURLcode ccurl_set_headers(CURL *easy, struct curl_slist *list) {
    return curl_easy_setopt(easy, CURLOPT_HTTPHEADER, list);
}

// CURLOPT_ERRORBUFFER takes CURL_ERROR_SIZE bytes that must outlive the transfer.
static inline CURLcode ccurl_set_error_buffer(CURL *easy, char *buffer) {
    return curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, buffer);
}

// A callback and its user data are two options that belong together.
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

// Called for each socket that was made and is not connected yet; needs no user data.
static inline CURLcode ccurl_set_socket_options(CURL *easy, curl_sockopt_callback callback) {
    return curl_easy_setopt(easy, CURLOPT_SOCKOPTFUNCTION, callback);
}

static inline CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

// The text belongs to the handle and lives until its next call; NULL where there is none.
static inline const char *ccurl_get_text(CURL *easy, CURLINFO info) {
    const char *value = NULL;
    return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : NULL;
}

static inline long ccurl_get_long(CURL *easy, CURLINFO info) {
    long value = 0;
    return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}

// CURLMsg holds a union, whose members Swift shows as unsafe views of one another.
static inline CURLcode ccurl_message_result(const CURLMsg *message) { return message->data.result; }

// CURL_GLOBAL_DEFAULT is an expression of macros, which Swift does not import.
static inline CURLcode ccurl_global_init(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }

// Integers written with a cast or in hexadecimal, whose imported type would depend on their size.
static inline size_t ccurl_write_pause(void) { return CURL_WRITEFUNC_PAUSE; }
static inline size_t ccurl_write_error(void) { return CURL_WRITEFUNC_ERROR; }

#endif
