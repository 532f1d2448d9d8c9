// Fetches a file with libcurl, writes it and computes its SHA-256, each on a thread of its own: what a program that verifies needs.
// usage: fetch-verified URL PATH SHA256
#include <curl/curl.h>
#include <fcntl.h>
#include <openssl/evp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PIECE = 256 << 10, PIECES = 16 };

// Pieces of the file in a ring: each is filled, then written and hashed, then filled again.
static struct { unsigned char bytes[PIECE]; size_t count; } ring[PIECES];
static unsigned long filled, written, hashed;
static int ended;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int file;
static EVP_MD_CTX *digest;

// Waits for the next piece; returns 0 after the last.
static int await_piece(unsigned long number) {
    pthread_mutex_lock(&lock);
    while (number == filled && !ended) pthread_cond_wait(&changed, &lock);
    int found = number < filled;
    pthread_mutex_unlock(&lock);
    return found;
}

static void finish(unsigned long *counter) {
    pthread_mutex_lock(&lock);
    ++*counter;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static void *write_pieces(void *unused) {
    for (unsigned long number = 0; await_piece(number); number++) {
        size_t count = ring[number % PIECES].count;
        if (write(file, ring[number % PIECES].bytes, count) != (ssize_t)count) {
            perror("write");
            exit(1);
        }
        finish(&written);
    }
    return unused;
}

static void *hash_pieces(void *unused) {
    for (unsigned long number = 0; await_piece(number); number++) {
        EVP_DigestUpdate(digest, ring[number % PIECES].bytes, ring[number % PIECES].count);
        finish(&hashed);
    }
    return unused;
}

static void hand_over(int is_last) {
    pthread_mutex_lock(&lock);
    if (ring[filled % PIECES].count) filled++;
    ended = is_last;
    pthread_cond_broadcast(&changed);
    while (filled - (written < hashed ? written : hashed) >= PIECES) pthread_cond_wait(&changed, &lock);
    ring[filled % PIECES].count = 0;
    pthread_mutex_unlock(&lock);
}

static size_t receive(char *bytes, size_t size, size_t count, void *unused) {
    (void)unused;
    for (size_t left = size * count; left > 0;) {
        size_t room = PIECE - ring[filled % PIECES].count, some = left < room ? left : room;
        memcpy(ring[filled % PIECES].bytes + ring[filled % PIECES].count, bytes, some);
        ring[filled % PIECES].count += some;
        bytes += some;
        left -= some;
        if (some == room) hand_over(0);
    }
    return size * count;
}

int main(int count, char **words) {
    if (count != 4) return 2;
    file = open(words[2], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    digest = EVP_MD_CTX_new();
    if (file < 0 || !digest || !EVP_DigestInit_ex(digest, EVP_sha256(), NULL)) return 1;
    pthread_t writer, hasher;
    if (pthread_create(&writer, NULL, write_pieces, NULL) || pthread_create(&hasher, NULL, hash_pieces, NULL)) return 1;
    CURL *curl = curl_easy_init();
    curl_easy_setopt(curl, CURLOPT_URL, words[1]);
    curl_easy_setopt(curl, CURLOPT_FAILONERROR, 1L);
    curl_easy_setopt(curl, CURLOPT_BUFFERSIZE, (long)PIECE);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, receive);
    CURLcode result = curl_easy_perform(curl);
    hand_over(1);
    pthread_join(writer, NULL);
    pthread_join(hasher, NULL);
    if (result != CURLE_OK) {
        fprintf(stderr, "%s\n", curl_easy_strerror(result));
        return 1;
    }
    unsigned char value[EVP_MAX_MD_SIZE];
    unsigned int size;
    char text[2 * EVP_MAX_MD_SIZE + 1];
    EVP_DigestFinal_ex(digest, value, &size);
    for (unsigned int byte = 0; byte < size; byte++) sprintf(text + 2 * byte, "%02x", value[byte]);
    if (strcmp(text, words[3]) != 0) {
        fprintf(stderr, "another hash: %s\n", text);
        return 1;
    }
    return close(file);
}
