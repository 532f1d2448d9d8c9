// A library to be preloaded into a program under test. It intercepts every call to the C library that changes something
// beneath one directory, or reads from it, from all threads and from every library of the process, and counts them with one
// counter. It can kill the process before or during the N-th call, make the N-th call fail, or record the effect of each call.
//
// Built and used by Tests/Integration/Crashes; see the page Crashes of the module Library. A test checks that it misses no
// call: it compares the counted calls with all calls that strace sees. This file counts; names.c, contents.c and reads.c
// intercept.
//
// Variables: CRASH_RIG_HOME, the directory's path without links; CRASH_RIG_CONTROL, a file with `struct control` that is
// shared with the test; CRASH_RIG_TRACE, a file for one line for each call; CRASH_RIG_RECORD, a file for their effects;
// CRASH_RIG_NO_EXCHANGE, set if renameat2(2) is not to support RENAME_EXCHANGE; CRASH_RIG_BOOT, a file that is read instead
// of the kernel's boot id, as after a power cut.
#include "shim.h"

struct control *control;
const char *home, *record, *boot;
bool lacks_exchange;
static const char *trace;
static size_t home_length;
static pthread_mutex_t recording = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor)) static void begin(void) {
    const char *file = getenv("CRASH_RIG_CONTROL");
    home = getenv("CRASH_RIG_HOME");
    boot = getenv("CRASH_RIG_BOOT");
    trace = getenv("CRASH_RIG_TRACE");
    record = getenv("CRASH_RIG_RECORD");
    lacks_exchange = getenv("CRASH_RIG_NO_EXCHANGE");
    if (!file || !home) { home = NULL; return; }
    home_length = strlen(home);
    int fd = NEXT(openat)(AT_FDCWD, file, O_RDWR | O_CLOEXEC);
    void *memory = fd < 0 ? MAP_FAILED : mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (memory == MAP_FAILED) { fputs("crash rig: no control file\n", stderr); _exit(99); }
    close(fd);
    control = memory;
}

// MARK: Paths of calls

bool is_beneath(const char *path) {
    return home && !strncmp(path, home, home_length) && (path[home_length] == '/' || !path[home_length]);
}

bool of_descriptor(int fd, path_t out) {
    if (!home) return false;
    char link[40];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, out, PATH_MAX - 1);
    if (length < 0) return false;
    out[length] = 0;
    return is_beneath(out);
}

bool of_name(int directory, const char *name, path_t out) {
    if (!home || !name) return false;
    const char *rest = name;
    int fd = directory;
    if (*name == '/') {
        int used = 0;
        if (sscanf(name, "/proc/self/fd/%d%n", &fd, &used) != 1 || (name[used] && name[used] != '/')) {
            if (strlen(name) >= PATH_MAX) return false;
            strcpy(out, name);
            return is_beneath(out);
        }
        rest = name + used;
        while (*rest == '/') rest++;
    }
    if (fd == AT_FDCWD ? !getcwd(out, PATH_MAX) : (of_descriptor(fd, out), out[0] != '/')) return false;
    size_t length = strlen(out);
    if (*rest && length + strlen(rest) + 2 < PATH_MAX) {
        out[length] = '/';
        strcpy(out + length + 1, rest);
    }
    return is_beneath(out);
}

// MARK: Counting calls

static void append(const char *file, const struct iovec *parts, int count) {
    int fd = NEXT(openat)(AT_FDCWD, file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (fd < 0 || NEXT(writev)(fd, parts, count) < 0) { fputs("crash rig: can't write\n", stderr); _exit(99); }
    close(fd);
}

_Noreturn void die(void) {
    kill(getpid(), SIGKILL);
    for (;;) pause();
}

enum verdict judge(const char *call, unsigned kinds, const char *path) {
    if (!control || !control->armed) return GO;
    for (int i = 0; i < KINDS; i++)
        if (kinds & 1u << i) atomic_fetch_add(&control->seen[i], 1);
    if (!(control->kinds & kinds)) return GO;
    int64_t number = atomic_fetch_add(&control->count, 1) + 1;
    if (trace) {
        char line[PATH_MAX + 64];
        int length = snprintf(line, sizeof line, "%s %s\n", call, path + home_length);
        append(trace, &(struct iovec){line, length}, 1);
    }
    bool is_it = number == control->at;
    if (control->action == COUNT || number < control->at) return GO;
    if (is_it) snprintf(control->where, sizeof control->where, "%s %s", call, path + home_length);
    switch (control->action) {
    case KILL: die();
    case TEAR:
        // Other threads wait for the process to end.
        if (!is_it) for (;;) pause();
        return HALF;
    default:
        if (!is_it && !control->onward) return GO;
        atomic_fetch_add(&control->hits, 1);
        // A disk that fills up accepts the bytes that still fit.
        if (is_it && control->onward && kinds & WRITE) return HALF;
        errno = control->error;
        return REFUSE;
    }
}

void begin_record(void) { if (record) pthread_mutex_lock(&recording); }

void end_record(bool happened, enum operation what, const char *path, const char *other, int64_t a, int64_t b,
                const void *data, size_t size) {
    if (!record) return;
    int error = errno;
    if (happened) {
        const char *first = is_beneath(path) ? path + home_length : path;
        const char *second = !other ? "" : is_beneath(other) ? other + home_length : other;
        struct { uint32_t what, first, second, size; int64_t a, b; } head = {
            what, (uint32_t)strlen(first), (uint32_t)strlen(second), (uint32_t)size, a, b};
        struct iovec parts[] = {{&head, sizeof head}, {(char *)first, head.first}, {(char *)second, head.second},
                                {(void *)data, size}};
        append(record, parts, 4);
    }
    pthread_mutex_unlock(&recording);
    errno = error;
}
