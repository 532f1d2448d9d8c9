// Fetches URLs over connections that are open already, as a daemon that runs has them, and as a new curl does not.
// usage: warm-fetch FOLDER CERTIFICATE MODIFIED WARM-URL URL...
//   Fetches WARM-URL, prints "warm", and waits for a line on its input; then fetches all other URLs at once into
//   FOLDER/0.zip, FOLDER/1.zip..., and prints "done". CERTIFICATE is a file to trust, or "-". With a MODIFIED other than 0,
//   in seconds since 1970, each request has If-Modified-Since, and a response without content makes no file.
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The limit of curl's --parallel-max.
enum { AT_ONCE = 300 };

static size_t discard(char *bytes, size_t size, size_t count, void *nothing) {
    (void)bytes, (void)nothing;
    return size * count;
}

struct target {
    const char *folder;
    int number;
    FILE *file;
};

static size_t keep(char *bytes, size_t size, size_t count, void *to) {
    struct target *target = to;
    if (!target->file) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%d.zip", target->folder, target->number);
        if (!(target->file = fopen(path, "wb"))) return 0;
    }
    return fwrite(bytes, size, count, target->file);
}

static CURL *request(const char *url, const char *certificate) {
    CURL *one = curl_easy_init();
    curl_easy_setopt(one, CURLOPT_URL, url);
    curl_easy_setopt(one, CURLOPT_FAILONERROR, 1L);
    curl_easy_setopt(one, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS);
    curl_easy_setopt(one, CURLOPT_PIPEWAIT, 1L);
    if (strcmp(certificate, "-")) curl_easy_setopt(one, CURLOPT_CAINFO, certificate);
    curl_easy_setopt(one, CURLOPT_WRITEFUNCTION, discard);
    return one;
}

// Runs what was added until all of it has ended; adds the rest as others end.
static int run(CURLM *all, CURL **waiting, int count) {
    int added = 0, running = 0, failures = 0;
    do {
        for (; added < count && running < AT_ONCE; running++) curl_multi_add_handle(all, waiting[added++]);
        int unfinished, left;
        if (curl_multi_perform(all, &unfinished) || curl_multi_poll(all, NULL, 0, unfinished ? 1000 : 0, NULL)) return 1;
        for (CURLMsg *message; (message = curl_multi_info_read(all, &left));) {
            if (message->msg != CURLMSG_DONE) continue;
            if (message->data.result) {
                fprintf(stderr, "%s\n", curl_easy_strerror(message->data.result));
                failures++;
            }
            struct target *target = NULL;
            curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&target);
            if (target && target->file && fclose(target->file)) failures++;
            curl_multi_remove_handle(all, message->easy_handle);
            running--;
        }
    } while (running || added < count);
    return failures;
}

int main(int count, char **words) {
    if (count < 6) return 2;
    const char *folder = words[1], *certificate = words[2];
    int urls = count - 5;
    CURL **requests = calloc(urls, sizeof *requests);
    struct target *targets = calloc(urls, sizeof *targets);
    CURLM *all = curl_multi_init();
    curl_multi_setopt(all, CURLMOPT_PIPELINING, (long)CURLPIPE_MULTIPLEX);
    CURL *first = request(words[4], certificate);
    if (run(all, &first, 1)) return 1;
    for (int url = 0; url < urls; url++) {
        targets[url] = (struct target){folder, url, NULL};
        CURL *one = requests[url] = request(words[5 + url], certificate);
        curl_easy_setopt(one, CURLOPT_WRITEFUNCTION, keep);
        curl_easy_setopt(one, CURLOPT_WRITEDATA, &targets[url]);
        curl_easy_setopt(one, CURLOPT_PRIVATE, &targets[url]);
        if (atol(words[3])) {
            curl_easy_setopt(one, CURLOPT_TIMECONDITION, (long)CURL_TIMECOND_IFMODSINCE);
            curl_easy_setopt(one, CURLOPT_TIMEVALUE, atol(words[3]));
        }
    }
    puts("warm");
    fflush(stdout);
    if (getchar() == EOF || run(all, requests, urls)) return 1;
    puts("done");
    return fflush(stdout);
}
