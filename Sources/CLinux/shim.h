// The door to what Linux has and the C library's Swift overlay does not show: calls behind _GNU_SOURCE, calls
// without a wrapper in glibc 2.36, and variadic ones. _GNU_SOURCE itself stays undefined: with it the C library's
// types look different than in Swift's own modules (fd_set), and the compiler refuses to mix the two.
#ifndef STORECTL_CLINUX_H
#define STORECTL_CLINUX_H

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef RENAME_NOREPLACE
#define RENAME_NOREPLACE (1 << 0)
#endif
#ifndef RENAME_EXCHANGE
#define RENAME_EXCHANGE (1 << 1)
#endif

// glibc has no openat2(2). RESOLVE_BENEATH keeps every part of the path inside the open folder, and no link,
// symbolic or magic, is followed.
static inline int clinux_open_beneath(int directory, const char *path, int flags, mode_t mode) {
    struct open_how how = {
        .flags = (uint64_t)(unsigned)flags,
        .mode = (flags & O_CREAT) ? mode : 0,
        .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
    };
    return (int)syscall(SYS_openat2, directory, path, &how, sizeof how);
}

// open(2) is variadic, which Swift can't call with a mode.
static inline int clinux_open(const char *path, int flags, mode_t mode) { return open(path, flags, mode); }

// Behind _GNU_SOURCE, so declared here as glibc has them.
extern int renameat2(int from, const char *old, int to, const char *new_, unsigned flags);
extern int syncfs(int fd);
extern int fallocate(int fd, int mode, off_t offset, off_t length);
static inline int clinux_rename(int from, const char *old, int to, const char *new_, unsigned flags) {
    return renameat2(from, old, to, new_, flags);
}
static inline int clinux_syncfs(int fd) { return syncfs(fd); }
static inline int clinux_fallocate(int fd, int mode, off_t offset, off_t length) {
    return fallocate(fd, mode, offset, length);
}

// The user at the other end of a unix socket, or (uid_t)-1. struct ucred is behind _GNU_SOURCE; these are its
// members, unix(7).
static inline uid_t clinux_peer_user(int socket) {
    struct {
        pid_t process;
        uid_t user;
        gid_t group;
    } credentials;
    socklen_t length = sizeof credentials;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &length) != 0) return (uid_t)-1;
    return credentials.user;
}

#endif
