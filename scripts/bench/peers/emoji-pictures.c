// Opens a picker of emoji whose images are one file each, or rows of one SQLite file, draws some, and prints the
// nanoseconds of one time, the emoji, the bytes of the drawn images, and the memory that this process has for itself.
#include <dirent.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000L + time.tv_nsec;
}

static long memory(void) {
    char line[256];
    long kilobytes = 0;
    FILE *status = fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof line, status)) sscanf(line, "RssAnon: %ld", &kilobytes);
    if (status) fclose(status);
    return kilobytes << 10;
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

// Reads a whole file into memory that is allocated for it, and returns its size; -1 if that fails.
static long read_file(int directory, const char *name, char **content) {
    struct stat status;
    int file = openat(directory, name, O_RDONLY | O_CLOEXEC);
    if (file < 0 || fstat(file, &status) != 0) return -1;
    *content = malloc(status.st_size + 1);
    long size = read(file, *content, status.st_size);
    close(file);
    return size;
}

// Lists the images; reads all of them, or only those that are drawn.
static long files(const char *path, long count, int all, long *emoji) {
    static char *names[100000], *images[100000];
    long sizes[count], found = 0, bytes = 0;
    DIR *directory = opendir(path);
    if (!directory) return -1;
    for (struct dirent *entry; (entry = readdir(directory)) && found < 100000;)
        if (entry->d_name[0] != '.') names[found++] = strdup(entry->d_name);
    qsort(names, found, sizeof *names, by_name);
    if (all)
        for (long i = 0; i < found; i++)
            if (read_file(dirfd(directory), names[i], &images[i]) < 0) return -1;
    for (long i = 0; i < count; i++) {
        char *image = NULL;
        sizes[i] = read_file(dirfd(directory), names[i * found / count], &image);
        if (sizes[i] < 0) return -1;
        bytes += sizes[i];
        free(image);
    }
    for (long i = 0; i < found; i++) {
        free(names[i]);
        free(images[i]);
        images[i] = NULL;
    }
    closedir(directory);
    *emoji = found;
    return bytes;
}

// Reads the names in order, and the images of those that are drawn.
static long rows(const char *path, long count, long *emoji) {
    static char *names[100000];
    long found = 0, bytes = 0;
    sqlite3 *database;
    sqlite3_stmt *list, *image;
    if (sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK) return -1;
    if (sqlite3_prepare_v2(database, "SELECT name FROM emoji ORDER BY rowid", -1, &list, NULL) != SQLITE_OK) return -1;
    while (sqlite3_step(list) == SQLITE_ROW && found < 100000)
        names[found++] = strdup((const char *)sqlite3_column_text(list, 0));
    sqlite3_finalize(list);
    if (sqlite3_prepare_v2(database, "SELECT image FROM emoji WHERE name = ?", -1, &image, NULL) != SQLITE_OK) return -1;
    for (long i = 0; i < count; i++) {
        sqlite3_bind_text(image, 1, names[i * found / count], -1, SQLITE_STATIC);
        if (sqlite3_step(image) != SQLITE_ROW) return -1;
        long size = sqlite3_column_bytes(image, 0);
        char *copy = malloc(size + 1);
        memcpy(copy, sqlite3_column_blob(image, 0), size);
        bytes += size;
        free(copy);
        sqlite3_reset(image);
    }
    sqlite3_finalize(image);
    sqlite3_close(database);
    for (long i = 0; i < found; i++) free(names[i]);
    *emoji = found;
    return bytes;
}

int main(int count, char **arguments) {
    if (count != 5) {
        fprintf(stderr, "usage: emoji-pictures files|listed|sqlite PATH COUNT TIMES\n");
        return 2;
    }
    long drawn = atol(arguments[3]), times = atol(arguments[4]), emoji = 0, bytes = 0;
    int is_database = strcmp(arguments[1], "sqlite") == 0, all = strcmp(arguments[1], "files") == 0;
    long start = now();
    for (long round = 0; round < times; round++) {
        bytes = is_database ? rows(arguments[2], drawn, &emoji) : files(arguments[2], drawn, all, &emoji);
        if (bytes < 0) return 1;
    }
    printf("%ld %ld %ld %ld\n", (now() - start) / times, emoji, bytes, memory());
    return 0;
}
