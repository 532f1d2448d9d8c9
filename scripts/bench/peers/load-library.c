// Prints the nanoseconds that it takes to load a library and what it needs.
// usage: load-library NAME
#include <dlfcn.h>
#include <stdio.h>
#include <time.h>

static long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000L + time.tv_nsec;
}

int main(int count, char **words) {
    if (count != 2) return 2;
    long start = now();
    if (!dlopen(words[1], RTLD_NOW | RTLD_LOCAL)) return fprintf(stderr, "%s\n", dlerror()), 1;
    printf("%ld\n", now() - start);
    return 0;
}
