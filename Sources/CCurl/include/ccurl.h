// Functions of libcurl, which is loaded at run time (`ccurl_load`): loading it, with the thirty libraries that it needs, is
// a third of the time in which a program's libraries are loaded, and few runs of the daemon transfer anything.
//
// The names begin with `ccurl`, because the program that contains this module may have a libcurl of its own. `curl_easy_setopt`,
// `curl_easy_getinfo` and `curl_multi_setopt` are variadic, so that Swift can't import them; each `ccurl_set` and `ccurl_get`
// calls one of them with one type of argument. A few macros that Swift can't import are also defined as functions.
#ifndef STORECTL_CCURL_H
#define STORECTL_CCURL_H

#include <curl/curl.h>

// Loads libcurl and initializes it, once in the process. Returns 0 where that fails; the next call tries again. No other
// function below may be called before. Not thread-safe.
int ccurl_load(void);

// Declares `ccurl_NAME` for each `curl_NAME`: the type of the result, the name, the parameters, the arguments.
#define CCURL_FUNCTIONS(FUNCTION)                                                                                        \
    FUNCTION(CURL *, easy_init, (void), ())                                                                              \
    FUNCTION(void, easy_cleanup, (CURL * easy), (easy))                                                                  \
    FUNCTION(CURLcode, easy_pause, (CURL * easy, int directions), (easy, directions))                                    \
    FUNCTION(const char *, easy_strerror, (CURLcode code), (code))                                                       \
    FUNCTION(time_t, getdate, (const char *text, const time_t *unused), (text, unused))                                  \
    FUNCTION(CURLM *, multi_init, (void), ())                                                                            \
    FUNCTION(CURLMcode, multi_cleanup, (CURLM * multi), (multi))                                                         \
    FUNCTION(CURLMcode, multi_add_handle, (CURLM * multi, CURL *easy), (multi, easy))                                    \
    FUNCTION(CURLMcode, multi_remove_handle, (CURLM * multi, CURL *easy), (multi, easy))                                 \
    FUNCTION(CURLMcode, multi_perform, (CURLM * multi, int *running), (multi, running))                                  \
    FUNCTION(CURLMsg *, multi_info_read, (CURLM * multi, int *left), (multi, left))                                      \
    FUNCTION(CURLMcode, multi_poll,                                                                                      \
             (CURLM * multi, struct curl_waitfd files[], unsigned count, int milliseconds, int *ready),                  \
             (multi, files, count, milliseconds, ready))                                                                 \
    FUNCTION(CURLMcode, multi_wakeup, (CURLM * multi), (multi))                                                          \
    FUNCTION(struct curl_slist *, slist_append, (struct curl_slist * list, const char *text), (list, text))              \
    FUNCTION(void, slist_free_all, (struct curl_slist * list), (list))

#define CCURL_DECLARE(type, name, parameters, arguments) type ccurl_##name parameters;
CCURL_FUNCTIONS(CCURL_DECLARE)

// Sets an option whose value is a long: a flag, a count, milliseconds or a case of an enumeration.
CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value);

// Sets an option whose value is a size or an offset, which has 64 bits on every platform.
CURLcode ccurl_set_offset(CURL *easy, CURLoption option, curl_off_t value);

// Sets an option whose value is text; libcurl copies the text (except for CURLOPT_POSTFIELDS, which is not used).
CURLcode ccurl_set_text(CURL *easy, CURLoption option, const char *value);

// Sets the bytes of the request's body (CURLOPT_COPYPOSTFIELDS) and their number (CURLOPT_POSTFIELDSIZE_LARGE).
CURLcode ccurl_set_body(CURL *easy, const void *bytes, curl_off_t count);

// Sets the request's header fields (CURLOPT_HTTPHEADER). The list must outlive the transfer; libcurl does not copy it.
CURLcode ccurl_set_headers(CURL *easy, struct curl_slist *list);

// Sets the buffer for an error's message (CURLOPT_ERRORBUFFER): CURL_ERROR_SIZE bytes that must outlive the transfer.
CURLcode ccurl_set_error_buffer(CURL *easy, char *buffer);

// The functions below set a callback and its user data, which are two options of libcurl.
typedef size_t (*ccurl_bytes_callback)(char *bytes, size_t size, size_t count, void *context);

CURLcode ccurl_set_write(CURL *easy, ccurl_bytes_callback callback, void *context);
CURLcode ccurl_set_header(CURL *easy, ccurl_bytes_callback callback, void *context);
CURLcode ccurl_set_prerequest(CURL *easy, curl_prereq_callback callback, void *context);
CURLcode ccurl_set_open_socket(CURL *easy, curl_opensocket_callback callback, void *context);
CURLcode ccurl_set_resolver_start(CURL *easy, curl_resolver_start_callback callback, void *context);

// Returns the address of a socket to open. The struct ends with it, and for version 6 it is longer than its declared type,
// so that Swift would copy only a part.
static inline const void *ccurl_address(const struct curl_sockaddr *address) { return &address->addr; }

CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value);

// Returns information that is text, or NULL where there is none. The text belongs to the handle and is valid until the
// handle is used again.
const char *ccurl_get_text(CURL *easy, CURLINFO info);

long ccurl_get_long(CURL *easy, CURLINFO info);

// Returns the result in a message. CURLMsg contains a union, whose members Swift imports as unsafe views of one
// another.
static inline CURLcode ccurl_message_result(const CURLMsg *message) { return message->data.result; }

// Return values of the write callback. The macros have a cast or are hexadecimal, so that the imported type would
// depend on the size of the number.
static inline size_t ccurl_write_pause(void) { return CURL_WRITEFUNC_PAUSE; }
static inline size_t ccurl_write_error(void) { return CURL_WRITEFUNC_ERROR; }

#endif
