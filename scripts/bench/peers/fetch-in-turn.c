// Fetches files with libcurl one after another, and replaces each file durably before the next is requested: the least that a
// client of metadata in which each file names the next has to do, without reading any of it.
// usage: fetch-in-turn FOLDER [URL...]: a URL that the server does not have makes no file.
#include <curl/curl.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct { char *bytes; size_t count; } body;

static size_t receive(char *bytes, size_t size, size_t count, void *unused) {
    (void)unused;
    if (!(body.bytes = realloc(body.bytes, body.count + size * count))) return 0;
    memcpy(body.bytes + body.count, bytes, size * count);
    body.count += size * count;
    return size * count;
}

static int fail(const char *what) {
    perror(what);
    return 1;
}

static int replace(int folder, const char *name) {
    int file = openat(folder, "new", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (file < 0 || write(file, body.bytes, body.count) != (ssize_t)body.count || fsync(file) || close(file)) return fail(name);
    return renameat(folder, "new", folder, name) || fsync(folder) ? fail(name) : 0;
}

int main(int count, char **words) {
    int folder = count < 2 ? -1 : open(words[1], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return 2;
    CURL *curl = curl_easy_init();
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, receive);
    for (int url = 2; url < count; url++) {
        body.count = 0;
        curl_easy_setopt(curl, CURLOPT_URL, words[url]);
        CURLcode result = curl_easy_perform(curl);
        long status = 0;
        curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
        if (result || (status != 200 && status != 404)) return fprintf(stderr, "%s: %ld\n", curl_easy_strerror(result), status), 1;
        if (status == 200 && replace(folder, strrchr(words[url], '/') + 1)) return 1;
    }
    return 0;
}
