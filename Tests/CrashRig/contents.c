// Interceptors of calls that change contents and attributes, or make changes durable; see shim.c.
#include "shim.h"

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
        at = fcntl(fd, F_GETFL) & O_APPEND && !NEXT(fstat)(fd, &status) ? status.st_size : lseek(fd, 0, SEEK_CUR);
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
// Its flags are refused, as by an older kernel: some make the write durable, which would have to be recorded.
ssize_t pwritev2(int fd, const struct iovec *parts, int count, off_t offset, int flags) {
    ssize_t result;
    path_t path;
    if (flags && of_descriptor(fd, path)) { errno = EOPNOTSUPP; return -1; }
    return gathered(fd, parts, count, offset, &result) ? result : NEXT(pwritev2)(fd, parts, count, offset, flags);
}
ssize_t pwritev64v2(int fd, const struct iovec *parts, int count, off64_t offset, int flags) {
    return pwritev2(fd, parts, count, offset, flags);
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
// Moves bytes from a pipe. Beneath the directory as a copy, so that the bytes can be recorded.
ssize_t splice(int in, off64_t *in_offset, int out, off64_t *out_offset, size_t size, unsigned flags) {
    path_t path;
    return of_descriptor(out, path) ? copied(in, in_offset, out, out_offset, size)
                                    : NEXT(splice)(in, in_offset, out, out_offset, size, flags);
}

int ioctl(int fd, unsigned long request, ...) {
    va_list rest;
    va_start(rest, request);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    path_t path;
    // Copies of whole files in one step, and attributes of some file systems: refused, as by a file system without them, so
    // that they need not be recorded.
    bool is_change = request == FICLONE || request == FICLONERANGE || request == FIDEDUPERANGE ||
                     request == FS_IOC_SETFLAGS || request == FS_IOC_FSSETXATTR;
    if (is_change && of_descriptor(fd, path)) { errno = EOPNOTSUPP; return -1; }
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

BY_NAME(ATTRIBUTE, chmod, AT_FDCWD, file, (const char *file, mode_t mode), (file, mode))
BY_NAME(ATTRIBUTE, fchmodat, fd, file, (int fd, const char *file, mode_t mode, int flags), (fd, file, mode, flags))
BY_NAME(ATTRIBUTE, chown, AT_FDCWD, file, (const char *file, uid_t user, gid_t group), (file, user, group))
BY_NAME(ATTRIBUTE, lchown, AT_FDCWD, file, (const char *file, uid_t user, gid_t group), (file, user, group))
BY_NAME(ATTRIBUTE, utime, AT_FDCWD, file, (const char *file, const struct utimbuf *times), (file, times))
BY_NAME(ATTRIBUTE, utimes, AT_FDCWD, file, (const char *file, const struct timeval times[2]), (file, times))
BY_DESCRIPTOR(ATTRIBUTE, fchmod, (int fd, mode_t mode), (fd, mode))
BY_DESCRIPTOR(ATTRIBUTE, fchown, (int fd, uid_t user, gid_t group), (fd, user, group))
BY_DESCRIPTOR(ATTRIBUTE, futimens, (int fd, const struct timespec times[2]), (fd, times))
BY_NAME(ATTRIBUTE, utimensat, fd, file, (int fd, const char *file, const struct timespec times[2], int flags),
        (fd, file, times, flags))
BY_NAME(ATTRIBUTE, lutimes, AT_FDCWD, file, (const char *file, const struct timeval times[2]), (file, times))
BY_DESCRIPTOR(ATTRIBUTE, futimes, (int fd, const struct timeval times[2]), (fd, times))
BY_NAME(ATTRIBUTE, fchownat, fd, file, (int fd, const char *file, uid_t user, gid_t group, int flags),
        (fd, file, user, group, flags))
BY_NAME(ATTRIBUTE, setxattr, AT_FDCWD, file,
        (const char *file, const char *name, const void *value, size_t size, int flags),
        (file, name, value, size, flags))
BY_NAME(ATTRIBUTE, lsetxattr, AT_FDCWD, file,
        (const char *file, const char *name, const void *value, size_t size, int flags),
        (file, name, value, size, flags))
BY_DESCRIPTOR(ATTRIBUTE, fsetxattr, (int fd, const char *name, const void *value, size_t size, int flags),
              (fd, name, value, size, flags))
BY_NAME(ATTRIBUTE, removexattr, AT_FDCWD, file, (const char *file, const char *name), (file, name))
BY_NAME(ATTRIBUTE, lremovexattr, AT_FDCWD, file, (const char *file, const char *name), (file, name))
BY_DESCRIPTOR(ATTRIBUTE, fremovexattr, (int fd, const char *name), (fd, name))

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
// Covers all file systems, and can't fail.
void sync(void) {
    if (home) judge("sync", SYNC, home);
    begin_record();
    NEXT(sync)();
    end_record(home, SYNCED_ALL, home, NULL, 0, 0, NULL, 0);
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
