#include "ccurl.h"

#include <dlfcn.h>

// The loaded functions.
static __typeof__(curl_global_init) *global_init;
static __typeof__(curl_easy_setopt) *easy_setopt;
static __typeof__(curl_easy_getinfo) *easy_getinfo;
static __typeof__(curl_multi_setopt) *multi_setopt;

#define DEFINE(type, name, parameters, arguments)                                                                        \
    static __typeof__(curl_##name) *name;                                                                                \
    type ccurl_##name parameters { return name arguments; }
CCURL_FUNCTIONS(DEFINE)

int ccurl_load(void) {
    static int is_loaded = 0;
    if (is_loaded) return 1;
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return 0;
#define LOAD(name)                                                                                                       \
    name = (__typeof__(name))dlsym(library, "curl_" #name);                                                              \
    if (name == NULL) return 0;
#define LOAD_FUNCTION(type, name, parameters, arguments) LOAD(name)
    LOAD(global_init)
    LOAD(easy_setopt)
    LOAD(easy_getinfo)
    LOAD(multi_setopt)
    CCURL_FUNCTIONS(LOAD_FUNCTION)
    is_loaded = global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
    return is_loaded;
}

CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) {
    return easy_setopt(easy, option, value);
}

CURLcode ccurl_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
    return easy_setopt(easy, option, value);
}

CURLcode ccurl_set_text(CURL *easy, CURLoption option, const char *value) {
    return easy_setopt(easy, option, value);
}

CURLcode ccurl_set_body(CURL *easy, const void *bytes, curl_off_t count) {
    // The number must be set first.
    CURLcode result = easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, count);
    return result == CURLE_OK ? easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, bytes) : result;
}

CURLcode ccurl_set_headers(CURL *easy, struct curl_slist *list) {
    return easy_setopt(easy, CURLOPT_HTTPHEADER, list);
}

CURLcode ccurl_set_error_buffer(CURL *easy, char *buffer) {
    return easy_setopt(easy, CURLOPT_ERRORBUFFER, buffer);
}

#define SET_CALLBACK(easy, function, data)                                                                               \
    CURLcode result = easy_setopt(easy, function, callback);                                                 \
    return result == CURLE_OK ? easy_setopt(easy, data, context) : result;

CURLcode ccurl_set_write(CURL *easy, ccurl_bytes_callback callback, void *context) {
    SET_CALLBACK(easy, CURLOPT_WRITEFUNCTION, CURLOPT_WRITEDATA)
}

CURLcode ccurl_set_header(CURL *easy, ccurl_bytes_callback callback, void *context) {
    SET_CALLBACK(easy, CURLOPT_HEADERFUNCTION, CURLOPT_HEADERDATA)
}

CURLcode ccurl_set_prerequest(CURL *easy, curl_prereq_callback callback, void *context) {
    SET_CALLBACK(easy, CURLOPT_PREREQFUNCTION, CURLOPT_PREREQDATA)
}

CURLcode ccurl_set_open_socket(CURL *easy, curl_opensocket_callback callback, void *context) {
    SET_CALLBACK(easy, CURLOPT_OPENSOCKETFUNCTION, CURLOPT_OPENSOCKETDATA)
}

CURLcode ccurl_set_resolver_start(CURL *easy, curl_resolver_start_callback callback, void *context) {
    SET_CALLBACK(easy, CURLOPT_RESOLVER_START_FUNCTION, CURLOPT_RESOLVER_START_DATA)
}

CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return multi_setopt(multi, option, value);
}

const char *ccurl_get_text(CURL *easy, CURLINFO info) {
    const char *value = NULL;
    return easy_getinfo(easy, info, &value) == CURLE_OK ? value : NULL;
}

long ccurl_get_long(CURL *easy, CURLINFO info) {
    long value = 0;
    return easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}
