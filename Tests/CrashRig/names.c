// Interceptors of calls that open files and change names; see shim.c.
#include "shim.h"

// MARK: Opening

static bool makes(int flags) { return flags & (O_CREAT | O_TRUNC) || (flags & O_TMPFILE) == O_TMPFILE; }

int opened(const char *call, int directory, const char *name, const struct open_how *how, size_t how_size) {
    path_t path;
    int flags = (int)how->flags;
    if (boot && name && !strcmp(name, "/proc/sys/kernel/random/boot_id")) name = boot;
    bool is_ours = of_name(directory, name, path);
    if (is_ours && judge(call, DESCRIPTOR | (makes(flags) ? CREATE : READ), path) == REFUSE) return -1;
    bool is_recorded = is_ours && record && makes(flags);
    struct stat before;
    if (is_recorded) begin_record();
    bool was_there = is_recorded && NEXT(fstatat)(directory, name, &before, 0) == 0;
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
        unsigned kinds = DESCRIPTOR | (strpbrk(mode, "wa") ? CREATE : READ); \
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

int renamed(int from, const char *old, int to, const char *new, unsigned flags) {
    path_t path, other;
    bool is_first = of_name(from, old, path), is_second = of_name(to, new, other);
    if (!is_first && !is_second) return (int)NEXT(syscall)(SYS_renameat2, from, old, to, new, flags);
    if (judge("rename", RENAME, is_first ? path : other) == REFUSE) return -1;
    // As file systems without it do: renameat2(2).
    if (lacks_exchange && flags & RENAME_EXCHANGE) { errno = EINVAL; return -1; }
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

// The template's last characters are replaced.
char *mkdtemp(char *pattern) {
    path_t path;
    bool is_ours = of_name(AT_FDCWD, pattern, path);
    if (is_ours && judge("mkdir", FOLDER, path) == REFUSE) return NULL;
    if (is_ours) begin_record();
    char *result = NEXT(mkdtemp)(pattern);
    if (is_ours) {
        if (result) of_name(AT_FDCWD, result, path);
        end_record(result, MADE_FOLDER, path, NULL, 0700, 0, NULL, 0);
    }
    return result;
}

// Pipes and devices, which the programs never create beneath the directory: counted, but not recorded.
static int special(int directory, const char *name, mode_t mode, dev_t device) {
    path_t path;
    if (of_name(directory, name, path) && judge("mknod", CREATE, path) == REFUSE) return -1;
    return NEXT(mknodat)(directory, name, mode, device);
}
int mknod(const char *path, mode_t mode, dev_t device) { return special(AT_FDCWD, path, mode, device); }
int mknodat(int directory, const char *path, mode_t mode, dev_t device) {
    return special(directory, path, mode, device);
}
int mkfifo(const char *path, mode_t mode) { return special(AT_FDCWD, path, S_IFIFO | mode, 0); }
int mkfifoat(int directory, const char *path, mode_t mode) { return special(directory, path, S_IFIFO | mode, 0); }
