// Interceptors of calls that read, so that they can fail; see shim.c.
#include "shim.h"

// MARK: Contents

#define READING(name, call, parameters, arguments) \
    ssize_t name parameters { \
        path_t path; \
        if (of_descriptor(fd, path) && judge(call, READ, path) == REFUSE) return -1; \
        return NEXT(name) arguments; \
    }
READING(read, "read", (int fd, void *bytes, size_t size), (fd, bytes, size))
READING(pread, "pread64", (int fd, void *bytes, size_t size, off_t offset), (fd, bytes, size, offset))
READING(pread64, "pread64", (int fd, void *bytes, size_t size, off64_t offset), (fd, bytes, size, offset))
READING(readv, "readv", (int fd, const struct iovec *parts, int count), (fd, parts, count))
READING(preadv, "preadv", (int fd, const struct iovec *parts, int count, off_t offset), (fd, parts, count, offset))
READING(preadv64, "preadv", (int fd, const struct iovec *parts, int count, off64_t offset),
        (fd, parts, count, offset))
READING(preadv2, "preadv", (int fd, const struct iovec *parts, int count, off_t offset, int flags),
        (fd, parts, count, offset, flags))
READING(preadv64v2, "preadv", (int fd, const struct iovec *parts, int count, off64_t offset, int flags),
        (fd, parts, count, offset, flags))

// With checks of the buffer's size, which the compiler inserts (_FORTIFY_SOURCE).
ssize_t __read_chk(int fd, void *bytes, size_t size, size_t room) {
    if (size > room) abort();
    return read(fd, bytes, size);
}
ssize_t __pread_chk(int fd, void *bytes, size_t size, off_t offset, size_t room) {
    if (size > room) abort();
    return pread(fd, bytes, size, offset);
}
ssize_t __pread64_chk(int fd, void *bytes, size_t size, off64_t offset, size_t room) {
    return __pread_chk(fd, bytes, size, offset, room);
}

// MARK: Directories

// The C library takes the status of the directory itself.
DIR *fdopendir(int fd) {
    path_t path;
    if (of_descriptor(fd, path) && judge("newfstatat", READ, path) == REFUSE) return NULL;
    return NEXT(fdopendir)(fd);
}
DIR *opendir(const char *name) {
    int fd = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK);
    DIR *stream = fd < 0 ? NULL : fdopendir(fd);
    if (fd >= 0 && !stream) close(fd);
    return stream;
}

// The C library reads many entries at once (getdents64). Here each entry counts, so that a failure can come between any two.
struct dirent *readdir(DIR *stream) {
    path_t path;
    if (of_descriptor(dirfd(stream), path) && judge("readdir", READ, path) == REFUSE) return NULL;
    return NEXT(readdir)(stream);
}
struct dirent64 *readdir64(DIR *stream) { return (struct dirent64 *)readdir(stream); }

// MARK: Status

#define STATUS_OF_NAME(name, directory, parameters, arguments) \
    int name parameters { \
        path_t path; \
        if (of_name(directory, file, path) && judge("newfstatat", READ, path) == REFUSE) return -1; \
        return NEXT(name) arguments; \
    }
#define STATUS_OF_DESCRIPTOR(name, parameters, arguments) \
    int name parameters { \
        path_t path; \
        if (of_descriptor(fd, path) && judge("newfstatat", READ, path) == REFUSE) return -1; \
        return NEXT(name) arguments; \
    }
STATUS_OF_NAME(stat, AT_FDCWD, (const char *file, struct stat *status), (file, status))
STATUS_OF_NAME(stat64, AT_FDCWD, (const char *file, struct stat64 *status), (file, status))
STATUS_OF_NAME(lstat, AT_FDCWD, (const char *file, struct stat *status), (file, status))
STATUS_OF_NAME(lstat64, AT_FDCWD, (const char *file, struct stat64 *status), (file, status))
STATUS_OF_NAME(fstatat, fd, (int fd, const char *file, struct stat *status, int flags), (fd, file, status, flags))
STATUS_OF_NAME(fstatat64, fd, (int fd, const char *file, struct stat64 *status, int flags), (fd, file, status, flags))
STATUS_OF_DESCRIPTOR(fstat, (int fd, struct stat *status), (fd, status))
STATUS_OF_DESCRIPTOR(fstat64, (int fd, struct stat64 *status), (fd, status))

int statx(int fd, const char *restrict file, int flags, unsigned mask, struct statx *restrict status) {
    path_t path;
    if (of_name(fd, file, path) && judge("statx", READ, path) == REFUSE) return -1;
    return NEXT(statx)(fd, file, flags, mask, status);
}
