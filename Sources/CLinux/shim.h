// The door to what Linux has and the C library's Swift overlay does not show: calls that glibc keeps behind
// _GNU_SOURCE, calls without a wrapper in glibc 2.36, and variadic ones.
//
// _GNU_SOURCE itself is not defined: it changes the layout of `fd_set` and others in headers that the module
// CDispatch holds too, and whether the compiler refuses that depends on which of the two it reads first.
#ifndef STORECTL_CLINUX_H
#define STORECTL_CLINUX_H

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/netlink.h>
#include <linux/openat2.h>
#include <linux/rtnetlink.h>
#include <malloc.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// mallopt(3) is in a header of glibc's own. Each arena keeps what its threads have given back, so that a process with many
// threads holds many times what it needs. What lies free at the end of one goes back to the system.
static inline void clinux_limit_heap(int arenas, int kept) {
    mallopt(M_ARENA_MAX, arenas);
    mallopt(M_TRIM_THRESHOLD, kept);
}

// glibc has no openat2(2). RESOLVE_BENEATH keeps every part of the path inside the open folder, and no link,
// symbolic or magic, is followed.
static inline int clinux_open_beneath(int directory, const char *path, int flags, mode_t mode) {
    struct open_how how = {
        .flags = (uint64_t)(unsigned)flags,
        .mode = (flags & (O_CREAT | __O_TMPFILE)) ? mode : 0,
        .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
    };
    // What is moved out of the folder in the moment of the call is told as if the path led out of it (path_is_under() in
    // fs/namei.c). The next look finds it gone, or what has taken its place; a path that leads out always does.
    int opened;
    int looks = 0;
    do {
        opened = (int)syscall(SYS_openat2, directory, path, &how, sizeof how);
    } while (opened < 0 && errno == EXDEV && ++looks < 8);
    return opened;
}

// open(2) is variadic, which Swift can't call with a mode.
static inline int clinux_open(const char *path, int flags, mode_t mode) { return open(path, flags, mode); }

// Behind _GNU_SOURCE. The flags are those of <linux/fs.h>.
static inline int clinux_rename(int from, const char *old, int to, const char *new_, unsigned flags) {
    return (int)syscall(SYS_renameat2, from, old, to, new_, flags);
}
static inline int clinux_syncfs(int fd) { return (int)syscall(SYS_syncfs, fd); }
extern ssize_t copy_file_range(int, __off64_t *, int, __off64_t *, size_t, unsigned);
static inline ssize_t clinux_copy_file_range(int from, int to, size_t count) {
    return copy_file_range(from, 0, to, 0, count, 0);
}
static inline int clinux_fallocate(int fd, int mode, off_t offset, off_t length) {
    return (int)syscall(SYS_fallocate, fd, mode, offset, length);
}
// FALLOC_FL_KEEP_SIZE of <linux/falloc.h>, which glibc's <fcntl.h> shows behind _GNU_SOURCE only.
static inline int clinux_keep_size(void) { return 1; }

// `struct ucred` is behind _GNU_SOURCE; this is its layout (unix(7)). The user at the other end of a unix socket,
// or (uid_t)-1.
static inline uid_t clinux_peer_user(int socket) {
    struct { pid_t process; uid_t user; gid_t group; } credentials;
    socklen_t length = sizeof credentials;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &length) != 0) return (uid_t)-1;
    return credentials.user;
}

// `struct sockaddr_nl` and the groups are in headers that Swift's C library does not show. A socket that becomes readable
// when a link, an address or a route changes (rtnetlink(7)); -1 with errno where there is none.
static inline int clinux_open_network_changes(void) {
    int changes = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
    if (changes < 0) return -1;
    struct sockaddr_nl address = {
        .nl_family = AF_NETLINK,
        .nl_groups = RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_IFADDR | RTMGRP_IPV6_ROUTE,
    };
    if (bind(changes, (struct sockaddr *)&address, sizeof address) == 0) return changes;
    close(changes);
    return -1;
}

// fork(2) is kept from Swift, because between it and exec only what is safe in a signal handler may run; here
// nothing else does (signal-safety(7)).
//
// Starts a program in a session of its own, with nothing of ours open: its input and output are /dev/null, its errors
// go to `errors`. `arguments` ends with a null pointer. Answers the id of a process that stands between and ends with
// the program's exit code, 127 where the program could not be run; -1 where there was no starting it. When that
// process is killed, the program goes on as a child of process 1: it never becomes a zombie of ours.
static inline pid_t clinux_start_detached(char *const *arguments, int errors) {
    pid_t between = fork();
    if (between != 0) return between;
    setsid();
    pid_t program = fork();
    if (program != 0) {
        // Descriptors that stay open here would keep others from seeing their end.
        syscall(SYS_close_range, 0u, ~0u, 0u);
        int status = 127 << 8;
        while (program > 0 && waitpid(program, &status, 0) == -1 && errno == EINTR) {}
        _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    }
    // What we ignore or block would otherwise be ignored or blocked by the program.
    struct sigaction action = {.sa_handler = SIG_DFL};
    for (int number = 1; number < 32; number++) sigaction(number, &action, 0);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, 0);
    int nothing = open("/dev/null", O_RDWR);
    if (nothing < 0 || dup2(errors, 2) < 0 || dup2(nothing, 0) < 0 || dup2(nothing, 1) < 0) _exit(127);
    syscall(SYS_close_range, 3u, ~0u, 0u);
    if (chdir("/") != 0) _exit(127);
    execv(arguments[0], arguments);
    _exit(127);
}

#endif
