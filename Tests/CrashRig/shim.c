// A library to be preloaded into a program under test. It intercepts every call to the C library that changes something
// beneath one directory, from all threads and from every library of the process, and counts them with one counter. It can
// kill the process before or during the N-th call, make the N-th call fail, or record the effect of each call.
//
// Built and used by Tests/Integration/Crashes; see the page Crashes of the module Library. A test checks that it misses no
// call: it compares the counted calls with those that strace sees.
//
// Variables: CRASH_RIG_HOME, the directory's path without links; CRASH_RIG_CONTROL, a file with `struct control` that is
// shared with the test; CRASH_RIG_TRACE, a file for one line for each call; CRASH_RIG_RECORD, a file for their effects.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <linux/openat2.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>
#include <utime.h>

enum action { COUNT, KILL, TEAR, FAIL };

// The effect of a call. CallKinds in CrashShim.swift has the same numbers.
enum kind {
    CREATE = 1, FOLDER = 2, RENAME = 4, REMOVE = 8, WRITE = 16, SIZE = 32, LINK = 64, ATTRIBUTE = 128, SYNC = 256,
    DESCRIPTOR = 512,
};

// CrashControl in CrashShim.swift has the same layout.
struct control {
    _Atomic int32_t armed;
    int32_t action;
    int32_t error;       // errno of a call that is made to fail
    int32_t onward;      // whether all calls from the N-th on fail
    int64_t at;          // N
    uint32_t kinds;      // which calls count
    uint32_t reserved;
    _Atomic int64_t count;
    _Atomic int64_t hits;  // the number of calls that failed
    char where[512];       // the N-th call
    _Atomic int64_t seen[10];  // the number of calls of each kind, in the order of `enum kind`
};

static struct control *control;
static const char *home, *trace, *record;
static size_t home_length;
static pthread_mutex_t recording = PTHREAD_MUTEX_INITIALIZER;

#define NEXT(name) \
    ({ static __typeof__(&name) next_; \
       if (!next_) next_ = (__typeof__(&name))dlsym(RTLD_NEXT, #name); \
       next_; })

__attribute__((constructor)) static void begin(void) {
    const char *file = getenv("CRASH_RIG_CONTROL");
    home = getenv("CRASH_RIG_HOME");
    trace = getenv("CRASH_RIG_TRACE");
    record = getenv("CRASH_RIG_RECORD");
    if (!file || !home) { home = NULL; return; }
    home_length = strlen(home);
    int fd = NEXT(openat)(AT_FDCWD, file, O_RDWR | O_CLOEXEC);
    void *memory = fd < 0 ? MAP_FAILED : mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (memory == MAP_FAILED) { fputs("crash rig: no control file\n", stderr); _exit(99); }
    close(fd);
    control = memory;
}

// MARK: Paths of calls

typedef char path_t[PATH_MAX];

static bool is_beneath(const char *path) {
    return home && !strncmp(path, home, home_length) && (path[home_length] == '/' || !path[home_length]);
}

static bool of_descriptor(int fd, path_t out) {
    if (!home) return false;
    char link[40];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, out, PATH_MAX - 1);
    if (length < 0) return false;
    out[length] = 0;
    return is_beneath(out);
}

static bool of_name(int directory, const char *name, path_t out) {
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

enum verdict { GO, REFUSE, HALF };

static void append(const char *file, const struct iovec *parts, int count) {
    int fd = NEXT(openat)(AT_FDCWD, file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (fd < 0 || NEXT(writev)(fd, parts, count) < 0) { fputs("crash rig: can't write\n", stderr); _exit(99); }
    close(fd);
}

static _Noreturn void die(void) {
    kill(getpid(), SIGKILL);
    for (;;) pause();
}

// Counts a call and returns what to do with it; sets `errno` if it is to fail.
static enum verdict judge(const char *call, unsigned kinds, const char *path) {
    if (!control || !control->armed) return GO;
    for (int i = 0; i < 10; i++)
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

enum operation {
    MADE = 1, CUT, MADE_FOLDER, RENAMED, REMOVED, LINKED, LINKED_SOFTLY, WROTE, ALLOCATED, SYNCED, SYNCED_ALL,
};

// Calls are serialised while they are recorded, so that the recorded order is the actual one.
static void begin_record(void) { if (record) pthread_mutex_lock(&recording); }

static void end_record(bool happened, enum operation what, const char *path, const char *other, int64_t a, int64_t b,
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

// MARK: Opening

static bool makes(int flags) { return flags & (O_CREAT | O_TRUNC) || (flags & O_TMPFILE) == O_TMPFILE; }

static int opened(const char *call, int directory, const char *name, const struct open_how *how, size_t how_size) {
    path_t path;
    int flags = (int)how->flags;
    bool is_ours = of_name(directory, name, path);
    if (is_ours && judge(call, DESCRIPTOR | (makes(flags) ? CREATE : 0), path) == REFUSE) return -1;
    bool is_recorded = is_ours && record && makes(flags);
    struct stat before;
    if (is_recorded) begin_record();
    bool was_there = is_recorded && fstatat(directory, name, &before, 0) == 0;
    int fd = how_size ? (int)NEXT(syscall)(SYS_openat2, directory, name, how, how_size)
                      : NEXT(openat)(directory, name, flags, (mode_t)how->mode);
    if (is_recorded) {
        bool cut = was_there && flags & O_TRUNC;
        int64_t detail = cut ? 0 : (int64_t)how->mode;
        end_record(fd >= 0 && (!was_there || cut), cut ? CUT : MADE, path, NULL, detail, 0, NULL, 0);
    }
    return fd;
}

#define OPEN(name, directory, path, flags) \
    va_list rest; va_start(rest, flags); \
    struct open_how how = {.flags = (unsigned)(flags)}; \
    if ((flags) & (O_CREAT | __O_TMPFILE)) how.mode = va_arg(rest, mode_t); \
    va_end(rest); \
    return opened("openat", directory, path, &how, 0)

int open(const char *path, int flags, ...) { OPEN(open, AT_FDCWD, path, flags); }
int open64(const char *path, int flags, ...) { OPEN(open64, AT_FDCWD, path, flags); }
int openat(int directory, const char *path, int flags, ...) { OPEN(openat, directory, path, flags); }
int openat64(int directory, const char *path, int flags, ...) { OPEN(openat64, directory, path, flags); }
int __open_2(const char *path, int flags) { return open(path, flags); }
int __open64_2(const char *path, int flags) { return open(path, flags); }
int __openat_2(int directory, const char *path, int flags) { return openat(directory, path, flags); }
int creat(const char *path, mode_t mode) { return open(path, O_WRONLY | O_CREAT | O_TRUNC, mode); }
int creat64(const char *path, mode_t mode) { return creat(path, mode); }

// Writes through streams bypass this library. The programs write none beneath a home, which the comparison with strace
// checks; opening a stream is counted.
#define STREAM(name) \
    FILE *name(const char *file, const char *mode) { \
        path_t path; \
        unsigned kinds = DESCRIPTOR | (strpbrk(mode, "wa+") ? CREATE : 0); \
        if (of_name(AT_FDCWD, file, path) && judge("openat", kinds, path) == REFUSE) return NULL; \
        return NEXT(name)(file, mode); \
    }
STREAM(fopen)
STREAM(fopen64)

#define TEMPORARY(name, parameters, arguments) \
    int name parameters { \
        path_t path; \
        if (of_name(AT_FDCWD, pattern, path) && judge("openat", DESCRIPTOR | CREATE, path) == REFUSE) return -1; \
        return NEXT(name) arguments; \
    }
TEMPORARY(mkstemp, (char *pattern), (pattern))
TEMPORARY(mkstemp64, (char *pattern), (pattern))
TEMPORARY(mkostemp, (char *pattern, int flags), (pattern, flags))
TEMPORARY(mkostemp64, (char *pattern, int flags), (pattern, flags))

// MARK: Names

static int folder(int directory, const char *name, mode_t mode) {
    path_t path;
    if (!of_name(directory, name, path)) return NEXT(mkdirat)(directory, name, mode);
    if (judge("mkdir", FOLDER, path) == REFUSE) return -1;
    begin_record();
    int result = NEXT(mkdirat)(directory, name, mode);
    end_record(!result, MADE_FOLDER, path, NULL, mode, 0, NULL, 0);
    return result;
}
int mkdir(const char *path, mode_t mode) { return folder(AT_FDCWD, path, mode); }
int mkdirat(int directory, const char *path, mode_t mode) { return folder(directory, path, mode); }

static int renamed(int from, const char *old, int to, const char *new, unsigned flags) {
    path_t path, other;
    bool is_first = of_name(from, old, path), is_second = of_name(to, new, other);
    if (!is_first && !is_second) return (int)NEXT(syscall)(SYS_renameat2, from, old, to, new, flags);
    if (judge("rename", RENAME, is_first ? path : other) == REFUSE) return -1;
    begin_record();
    int result = (int)NEXT(syscall)(SYS_renameat2, from, old, to, new, flags);
    end_record(!result, RENAMED, path, other, flags, 0, NULL, 0);
    return result;
}
int rename(const char *old, const char *new) { return renamed(AT_FDCWD, old, AT_FDCWD, new, 0); }
int renameat(int from, const char *old, int to, const char *new) { return renamed(from, old, to, new, 0); }
int renameat2(int from, const char *old, int to, const char *new, unsigned flags) {
    return renamed(from, old, to, new, flags);
}

static int removed(int directory, const char *name, int flags) {
    path_t path;
    if (!of_name(directory, name, path)) return NEXT(unlinkat)(directory, name, flags);
    if (judge("unlink", REMOVE, path) == REFUSE) return -1;
    begin_record();
    int result = NEXT(unlinkat)(directory, name, flags);
    end_record(!result, REMOVED, path, NULL, flags, 0, NULL, 0);
    return result;
}
int unlink(const char *path) { return removed(AT_FDCWD, path, 0); }
int unlinkat(int directory, const char *path, int flags) { return removed(directory, path, flags); }
int rmdir(const char *path) { return removed(AT_FDCWD, path, AT_REMOVEDIR); }
int remove(const char *path) {
    int result = removed(AT_FDCWD, path, 0);
    return result && errno == EISDIR ? removed(AT_FDCWD, path, AT_REMOVEDIR) : result;
}

static int linked(int from, const char *old, int to, const char *new, int flags) {
    path_t path, other;
    bool is_old = of_name(from, old, path);
    if (!of_name(to, new, other)) return NEXT(linkat)(from, old, to, new, flags);
    if (judge("link", LINK, other) == REFUSE) return -1;
    begin_record();
    int result = NEXT(linkat)(from, old, to, new, flags);
    end_record(!result && is_old, LINKED, path, other, 0, 0, NULL, 0);
    return result;
}
int link(const char *old, const char *new) { return linked(AT_FDCWD, old, AT_FDCWD, new, 0); }
int linkat(int from, const char *old, int to, const char *new, int flags) {
    return linked(from, old, to, new, flags);
}

int symlinkat(const char *target, int directory, const char *name) {
    path_t path;
    if (!of_name(directory, name, path)) return NEXT(symlinkat)(target, directory, name);
    if (judge("symlink", LINK, path) == REFUSE) return -1;
    begin_record();
    int result = NEXT(symlinkat)(target, directory, name);
    end_record(!result, LINKED_SOFTLY, path, target, 0, 0, NULL, 0);
    return result;
}
int symlink(const char *target, const char *path) { return symlinkat(target, AT_FDCWD, path); }

// Creates a socket's file. It does not matter after a power failure, so it is not recorded.
int bind(int socket, const struct sockaddr *address, socklen_t length) {
    path_t path;
    const struct sockaddr_un *local = (const struct sockaddr_un *)address;
    bool is_ours = length > sizeof(sa_family_t) && address->sa_family == AF_UNIX && local->sun_path[0] &&
                   of_name(AT_FDCWD, local->sun_path, path);
    if (is_ours && judge("bind", CREATE, path) == REFUSE) return -1;
    return NEXT(bind)(socket, address, length);
}

// MARK: Contents

static ssize_t put(int fd, const void *bytes, size_t size, off_t offset) {
    return offset < 0 ? NEXT(write)(fd, bytes, size) : NEXT(pwrite)(fd, bytes, size, offset);
}

static ssize_t wrote(int fd, const void *bytes, size_t size, off_t offset) {
    path_t path;
    if (!of_descriptor(fd, path)) return put(fd, bytes, size, offset);
    switch (judge(offset < 0 ? "write" : "pwrite64", WRITE, path)) {
    case REFUSE: return -1;
    case HALF: {
        if (size < 2 && control->action == FAIL) { errno = control->error; return -1; }
        ssize_t half = put(fd, bytes, size / 2, offset);
        if (control->action == TEAR) die();
        return half;
    }
    case GO: break;
    }
    begin_record();
    off_t at = offset;
    struct stat status;
    if (record && offset < 0)
        at = fcntl(fd, F_GETFL) & O_APPEND && !fstat(fd, &status) ? status.st_size : lseek(fd, 0, SEEK_CUR);
    ssize_t result = put(fd, bytes, size, offset);
    end_record(result > 0, WROTE, path, NULL, at, 0, bytes, result > 0 ? (size_t)result : 0);
    return result;
}
ssize_t write(int fd, const void *bytes, size_t size) { return wrote(fd, bytes, size, -1); }
ssize_t pwrite(int fd, const void *bytes, size_t size, off_t offset) { return wrote(fd, bytes, size, offset); }
ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t offset) { return wrote(fd, bytes, size, offset); }

// Writes beneath the directory, as one piece.
static bool gathered(int fd, const struct iovec *parts, int count, off_t offset, ssize_t *result) {
    path_t path;
    if (!of_descriptor(fd, path)) return false;
    size_t size = 0;
    for (int i = 0; i < count; i++) size += parts[i].iov_len;
    char *all = malloc(size + 1);
    if (!all) return false;
    size = 0;
    for (int i = 0; i < count; i++) {
        memcpy(all + size, parts[i].iov_base, parts[i].iov_len);
        size += parts[i].iov_len;
    }
    *result = wrote(fd, all, size, offset);
    free(all);
    return true;
}
ssize_t writev(int fd, const struct iovec *parts, int count) {
    ssize_t result;
    return gathered(fd, parts, count, -1, &result) ? result : NEXT(writev)(fd, parts, count);
}
ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t offset) {
    ssize_t result;
    return gathered(fd, parts, count, offset, &result) ? result : NEXT(pwritev)(fd, parts, count, offset);
}
ssize_t pwritev64(int fd, const struct iovec *parts, int count, off64_t offset) {
    return pwritev(fd, parts, count, offset);
}

static ssize_t copied(int in, off_t *in_offset, int out, off_t *out_offset, size_t size) {
    if (size > 1 << 20) size = 1 << 20;
    char *bytes = malloc(size);
    ssize_t got = in_offset ? pread(in, bytes, size, *in_offset) : read(in, bytes, size);
    ssize_t result = got <= 0 ? got : wrote(out, bytes, (size_t)got, out_offset ? *out_offset : -1);
    free(bytes);
    if (result > 0 && in_offset) *in_offset += result;
    if (result > 0 && out_offset) *out_offset += result;
    if (result < got && got > 0 && !in_offset) lseek(in, (result > 0 ? result : 0) - got, SEEK_CUR);
    return result;
}
ssize_t copy_file_range(int in, off64_t *in_offset, int out, off64_t *out_offset, size_t size, unsigned flags) {
    path_t path;
    if (!of_descriptor(out, path)) return NEXT(copy_file_range)(in, in_offset, out, out_offset, size, flags);
    return copied(in, in_offset, out, out_offset, size);
}
ssize_t sendfile(int out, int in, off_t *offset, size_t size) {
    path_t path;
    return of_descriptor(out, path) ? copied(in, offset, out, NULL, size) : NEXT(sendfile)(out, in, offset, size);
}
ssize_t sendfile64(int out, int in, off64_t *offset, size_t size) { return sendfile(out, in, offset, size); }

int ioctl(int fd, unsigned long request, ...) {
    va_list rest;
    va_start(rest, request);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    path_t path;
    // Copies whole files in one step: refused, as by a file system without it, so that it need not be recorded.
    if ((request == FICLONE || request == FICLONERANGE) && of_descriptor(fd, path)) { errno = EOPNOTSUPP; return -1; }
    return NEXT(ioctl)(fd, request, argument);
}

static int cut(int fd, off_t size) {
    path_t path;
    if (!of_descriptor(fd, path)) return NEXT(ftruncate)(fd, size);
    if (judge("ftruncate", SIZE, path) == REFUSE) return -1;
    begin_record();
    int result = NEXT(ftruncate)(fd, size);
    end_record(!result, CUT, path, NULL, size, 0, NULL, 0);
    return result;
}
int ftruncate(int fd, off_t size) { return cut(fd, size); }
int ftruncate64(int fd, off64_t size) { return cut(fd, size); }
int truncate(const char *name, off_t size) {
    path_t path;
    if (!of_name(AT_FDCWD, name, path)) return NEXT(truncate)(name, size);
    if (judge("truncate", SIZE, path) == REFUSE) return -1;
    begin_record();
    int result = NEXT(truncate)(name, size);
    end_record(!result, CUT, path, NULL, size, 0, NULL, 0);
    return result;
}
int truncate64(const char *name, off64_t size) { return truncate(name, size); }

int fallocate(int fd, int mode, off_t offset, off_t size) {
    path_t path;
    if (!of_descriptor(fd, path)) return NEXT(fallocate)(fd, mode, offset, size);
    if (judge("fallocate", SIZE, path) == REFUSE) return -1;
    begin_record();
    int result = NEXT(fallocate)(fd, mode, offset, size);
    end_record(!result && !mode, ALLOCATED, path, NULL, offset, size, NULL, 0);
    return result;
}
int fallocate64(int fd, int mode, off64_t offset, off64_t size) { return fallocate(fd, mode, offset, size); }
int posix_fallocate(int fd, off_t offset, off_t size) { return fallocate(fd, 0, offset, size) ? errno : 0; }
int posix_fallocate64(int fd, off64_t offset, off64_t size) { return posix_fallocate(fd, offset, size); }

// MARK: Attributes, which do not matter after a power failure

#define BY_NAME(name, directory, file, parameters, arguments) \
    int name parameters { \
        path_t path; \
        if (of_name(directory, file, path) && judge(#name, ATTRIBUTE, path) == REFUSE) return -1; \
        return NEXT(name) arguments; \
    }
#define BY_DESCRIPTOR(name, parameters, arguments) \
    int name parameters { \
        path_t path; \
        if (of_descriptor(fd, path) && judge(#name, ATTRIBUTE, path) == REFUSE) return -1; \
        return NEXT(name) arguments; \
    }
BY_NAME(chmod, AT_FDCWD, file, (const char *file, mode_t mode), (file, mode))
BY_NAME(fchmodat, fd, file, (int fd, const char *file, mode_t mode, int flags), (fd, file, mode, flags))
BY_NAME(chown, AT_FDCWD, file, (const char *file, uid_t user, gid_t group), (file, user, group))
BY_NAME(lchown, AT_FDCWD, file, (const char *file, uid_t user, gid_t group), (file, user, group))
BY_NAME(utime, AT_FDCWD, file, (const char *file, const struct utimbuf *times), (file, times))
BY_NAME(utimes, AT_FDCWD, file, (const char *file, const struct timeval times[2]), (file, times))
BY_DESCRIPTOR(fchmod, (int fd, mode_t mode), (fd, mode))
BY_DESCRIPTOR(fchown, (int fd, uid_t user, gid_t group), (fd, user, group))
BY_DESCRIPTOR(futimens, (int fd, const struct timespec times[2]), (fd, times))
BY_NAME(utimensat, fd, file, (int fd, const char *file, const struct timespec times[2], int flags),
        (fd, file, times, flags))

// MARK: Durability

static int synced(const char *call, int fd, enum operation what, int (*next)(int)) {
    path_t path;
    if (!of_descriptor(fd, path)) return next(fd);
    if (judge(call, SYNC, path) == REFUSE) return -1;
    begin_record();
    int result = next(fd);
    end_record(!result, what, path, NULL, !strcmp(call, "fdatasync"), 0, NULL, 0);
    return result;
}
int fsync(int fd) { return synced("fsync", fd, SYNCED, NEXT(fsync)); }
int fdatasync(int fd) { return synced("fdatasync", fd, SYNCED, NEXT(fdatasync)); }
int syncfs(int fd) { return synced("syncfs", fd, SYNCED_ALL, NEXT(syncfs)); }
// Guarantees nothing for a power failure (sync_file_range(2)), so it is not recorded as a sync.
int sync_file_range(int fd, off64_t offset, off64_t size, unsigned flags) {
    path_t path;
    if (of_descriptor(fd, path) && judge("sync_file_range", SYNC, path) == REFUSE) return -1;
    return NEXT(sync_file_range)(fd, offset, size, flags);
}

// MARK: Calls by number

long syscall(long number, ...) {
    va_list rest;
    va_start(rest, number);
    long a[6];
    // As in glibc: all registers are passed on.
    for (int i = 0; i < 6; i++) a[i] = va_arg(rest, long);
    va_end(rest);
    switch (number) {
    case SYS_openat2:
        return opened("openat2", (int)a[0], (const char *)a[1], (const struct open_how *)a[2], (size_t)a[3]);
    case SYS_renameat2:
        return renamed((int)a[0], (const char *)a[1], (int)a[2], (const char *)a[3], (unsigned)a[4]);
    case SYS_syncfs: return syncfs((int)a[0]);
    case SYS_fallocate: return fallocate((int)a[0], (int)a[1], a[2], a[3]);
    default: return NEXT(syscall)(number, a[0], a[1], a[2], a[3], a[4], a[5]);
    }
}
