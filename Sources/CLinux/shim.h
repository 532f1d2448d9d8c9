// System calls of Linux that Swift can't import from the C library: functions that glibc declares only with
// _GNU_SOURCE, calls for which glibc 2.36 has no wrapper, and variadic functions.
//
// _GNU_SOURCE itself is not defined: it changes the layout of `fd_set` and others in headers that the module
// CDispatch also contains, and whether the compiler refuses that depends on which of the two modules it reads first.
#ifndef STORECTL_CLINUX_H
#define STORECTL_CLINUX_H

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/fs.h>
#include <linux/netlink.h>
#include <linux/openat2.h>
#include <linux/rtnetlink.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// Limits the memory that glibc holds for reuse (mallopt(3)): the number of arenas, and the free memory in bytes at the
// top of the heap from which on it is returned to the system. Each arena holds the memory that its threads have freed,
// so that a process with many threads would hold many times what it needs. mallopt is in a header of glibc's own.
static inline void clinux_limit_heap(int arenas, int kept) {
    mallopt(M_ARENA_MAX, arenas);
    mallopt(M_TRIM_THRESHOLD, kept);
}

// Returns the freed memory that the C library holds for reuse to the system, also pages between allocations
// (malloc_trim(3)). They still count as free in mallinfo(3), so that it does not tell whether there are any.
static inline void clinux_trim_heap(void) { malloc_trim(0); }

// Returns the bytes that this process has allocated and not freed, in all arenas and in mappings of their own
// (mallinfo(3)). mallinfo2, unlike mallinfo, counts more than 2 GB; glibc has it since version 2.33.
static inline uint64_t clinux_allocated_memory(void) {
    struct mallinfo2 info = mallinfo2();
    return (uint64_t)info.uordblks + (uint64_t)info.hblkhd;
}

// Opens a file beneath an open directory (openat2(2), for which glibc has no function). With RESOLVE_BENEATH no part
// of the path leads out of the directory, and no link, symbolic or magic, is followed.
static inline int clinux_open_beneath(int directory, const char *path, int flags, mode_t mode) {
    struct open_how how = {
        .flags = (uint64_t)(unsigned)flags,
        .mode = (flags & (O_CREAT | __O_TMPFILE)) ? mode : 0,
        .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
    };
    // EXDEV also occurs when a part of the path is moved out of the directory during the call (path_is_under() in
    // fs/namei.c). A further call then finds that part missing or replaced; for a path that really leads out, all
    // calls fail with EXDEV.
    //
    // EAGAIN says that anything on the machine was renamed while a '..' was followed, and asks for another call
    // (openat2(2)). A file with a lease also fails with it, so the number of calls is limited.
    int opened;
    int moves = 0;
    int renames = 0;
    do {
        opened = (int)syscall(SYS_openat2, directory, path, &how, sizeof how);
    } while (opened < 0 && ((errno == EXDEV && ++moves < 8) || (errno == EAGAIN && ++renames < 1000)));
    return opened;
}

// Makes a pipe whose ends no program inherits (pipe2(2)), which glibc declares only with _GNU_SOURCE.
static inline int clinux_pipe(int ends[2]) { return (int)syscall(SYS_pipe2, ends, O_CLOEXEC); }

// Opens a file (open(2)). The function is variadic, so that Swift can't call it with a mode.
static inline int clinux_open(const char *path, int flags, mode_t mode) { return open(path, flags, mode); }

// Functions that glibc declares only with _GNU_SOURCE. The flags of renameat2(2) are those of <linux/fs.h>.
static inline int clinux_rename(int from, const char *old, int to, const char *new_, unsigned flags) {
    return (int)syscall(SYS_renameat2, from, old, to, new_, flags);
}
static inline int clinux_syncfs(int fd) { return (int)syscall(SYS_syncfs, fd); }
extern ssize_t copy_file_range(int, __off64_t *, int, __off64_t *, size_t, unsigned);
static inline ssize_t clinux_copy_file_range(int from, off_t offset, int to, size_t count) {
    return copy_file_range(from, &offset, to, 0, count, 0);
}
static inline int clinux_fallocate(int fd, int mode, off_t offset, off_t length) {
    return (int)syscall(SYS_fallocate, fd, mode, offset, length);
}
// The value of FALLOC_FL_KEEP_SIZE (<linux/falloc.h>), which glibc's <fcntl.h> declares only with _GNU_SOURCE.
static inline int clinux_keep_size(void) { return 1; }

// Returns the id of the user at the other end of a unix socket, or (uid_t)-1 (SO_PEERCRED, unix(7)). glibc declares
// `struct ucred` only with _GNU_SOURCE; the struct below has the same layout.
static inline uid_t clinux_peer_user(int socket) {
    struct { pid_t process; uid_t user; gid_t group; } credentials;
    socklen_t length = sizeof credentials;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &length) != 0) return (uid_t)-1;
    return credentials.user;
}

// Opens a file relative to an open directory (openat(2)). The function is variadic, so that Swift can't call it with a
// mode. A process whose system calls are filtered may make this call, but not openat2(2).
static inline int clinux_openat(int directory, const char *path, int flags, mode_t mode) {
    return openat(directory, path, flags, mode);
}

// Changes an attribute of the calling process that has one value (prctl(2)). The function is variadic; the kernel
// refuses PR_SET_NO_NEW_PRIVS unless the arguments that it does not use are 0.
static inline int clinux_prctl(int attribute, unsigned long value) { return prctl(attribute, value, 0ul, 0ul, 0ul); }

// Closes all descriptors from `first` to `last` (close_range(2)), which glibc declares only with _GNU_SOURCE.
static inline int clinux_close_range(unsigned first, unsigned last) {
    return (int)syscall(SYS_close_range, first, last, 0u);
}
// Duplicates a descriptor with close-on-exec (fcntl(2)). The function is variadic.
static inline int clinux_duplicate_close_on_exec(int from) { return fcntl(from, F_DUPFD_CLOEXEC, 0); }
// Makes `to` another number of the open file `from` (dup2(2)), or closes nothing and fails. Programs inherit it.
static inline int clinux_duplicate(int from, int to) { return dup2(from, to); }

// Landlock (Documentation/userspace-api/landlock.rst of the kernel), for which glibc has no functions. The kernel's
// header <linux/landlock.h> may be older than the running kernel and lack members, so that the structs have the layout
// of ABI 6 here; the kernel accepts a longer struct than it knows as long as what it does not know is 0.
struct clinux_landlock_ruleset {
    uint64_t file_rights;
    uint64_t network_rights;
    uint64_t scopes;
};
// Returns the kernel's version of Landlock's ABI, at least 1; -1 where the kernel has no Landlock or it is not enabled.
static inline int clinux_landlock_version(void) { return (int)syscall(SYS_landlock_create_ruleset, 0, 0ul, 1u); }
// Returns a descriptor of a set of rules that denies the given rights.
static inline int clinux_landlock_create(const struct clinux_landlock_ruleset *ruleset) {
    return (int)syscall(SYS_landlock_create_ruleset, ruleset, sizeof *ruleset, 0u);
}
// Adds a rule to a set of rules: beneath the open directory the given rights are granted.
static inline int clinux_landlock_allow(int ruleset, int directory, uint64_t rights) {
    // Packed in the kernel's header, too.
    struct { uint64_t rights; int32_t directory; } __attribute__((packed)) rule = {rights, directory};
    return (int)syscall(SYS_landlock_add_rule, ruleset, 1, &rule, 0u);
}
// Confines the calling thread, and all that it starts, by a set of rules.
static inline int clinux_landlock_restrict(int ruleset) {
    return (int)syscall(SYS_landlock_restrict_self, ruleset, 0u);
}

// Filters the system calls of all threads of this process from now on (seccomp(2)), for which glibc has no function.
// Returns 0, or the id of a thread that could not be included, or -1 with errno set.
static inline int clinux_filter_calls(const struct sock_filter *program, unsigned short count) {
    struct sock_fprog filter = {.len = count, .filter = (struct sock_filter *)program};
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter);
}
// The value of AUDIT_ARCH_… (<linux/audit.h>) for which this is compiled, a macro that Swift does not import.
static inline uint32_t clinux_architecture(void) {
#if defined(__x86_64__)
    return AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
    return AUDIT_ARCH_AARCH64;
#else
    return 0;
#endif
}

// Opens a socket that becomes readable when a link, an address or a route changes (rtnetlink(7)); returns -1 and sets
// errno where that fails. `struct sockaddr_nl` and the groups are in headers that Swift's C library does not import.
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

// Starts a program in a session of its own, without the open files of this process: its input and output are
// /dev/null, its standard error is `errors`. `arguments` ends with a null pointer. Returns the id of an intermediate
// process, which exits with the program's exit code, or with 127 where the program could not be run; -1 where no
// process could be created. When the intermediate process is killed, the program becomes a child of process 1 and
// keeps running, so it never becomes a zombie of this process. The function returns once the program is about to be
// run: an intermediate process that is killed before that would start none.
//
// fork(2) is not available in Swift, because between fork and exec only functions that are safe in a signal handler
// may be called (signal-safety(7)); this function calls no others.
static inline pid_t clinux_start_detached(char *const *arguments, int errors) {
    int started[2];
    if (clinux_pipe(started) != 0) return -1;
    pid_t between = fork();
    if (between != 0) {
        int number = errno;
        close(started[1]);
        char none;
        // Ends when both processes have closed the other end.
        while (between > 0 && read(started[0], &none, 1) == -1 && errno == EINTR) {}
        close(started[0]);
        errno = number;
        return between;
    }
    setsid();
    pid_t program = fork();
    if (program != 0) {
        // Also where the next call fails: the function waits for it.
        close(started[1]);
        // While the descriptors stay open here, readers of pipes and sockets would never see their end.
        syscall(SYS_close_range, 0u, ~0u, 0u);
        int status = 127 << 8;
        while (program > 0 && waitpid(program, &status, 0) == -1 && errno == EINTR) {}
        _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    }
    // The program would otherwise inherit the signals that this process ignores or blocks.
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

// Closes all descriptors from a number on in a program that posix_spawn(3) starts, which glibc, since version 2.34,
// declares only with _GNU_SOURCE.
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);
static inline int clinux_close_from(posix_spawn_file_actions_t *actions, int first) {
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

// Creates a copy of this process (fork(2)), which Swift does not import because most processes have several threads. To
// be called by a process with one thread, whose copy may then do whatever the process may.
static inline pid_t clinux_fork(void) { return fork(); }

// Returns a descriptor of a process, which becomes readable when the process ends (pidfd_open(2)), for which glibc 2.35
// and older have no function.
static inline int clinux_open_process(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0u); }

// Waits until a process ends, or until the socket's other end is closed, in which case the process is killed.
static inline void clinux_await_process(int process, pid_t identifier, int socket) {
    struct pollfd files[2] = {{.fd = process, .events = POLLIN}, {.fd = socket, .events = 0}};
    while (poll(files, 2, -1) == -1 && errno == EINTR) {}
    if (files[1].revents & (POLLHUP | POLLERR)) kill(identifier, SIGKILL);
}

// Opens a file without a name in memory (memfd_create(2)), which glibc declares only with _GNU_SOURCE.
static inline int clinux_open_memory(const char *name) { return (int)syscall(SYS_memfd_create, name, 1u); }

// The most descriptors that one message carries here.
#define CLINUX_DESCRIPTORS 64

// Sends a message with open descriptors on a connected unix socket (sendmsg(2), SCM_RIGHTS of unix(7)). The macros for
// such messages are not available in Swift.
static inline ssize_t clinux_send_message(
    int socket, const void *bytes, size_t length, const int *descriptors, size_t count
) {
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(CLINUX_DESCRIPTORS * sizeof(int))];
    } control;
    if (count > CLINUX_DESCRIPTORS) {
        errno = EINVAL;
        return -1;
    }
    memset(&control, 0, sizeof control);
    struct iovec piece = {.iov_base = (void *)bytes, .iov_len = length};
    struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
    if (count > 0) {
        message.msg_control = control.bytes;
        message.msg_controllen = CMSG_SPACE(count * sizeof(int));
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(count * sizeof(int));
        memcpy(CMSG_DATA(header), descriptors, count * sizeof(int));
    }
    return sendmsg(socket, &message, MSG_NOSIGNAL);
}

// Receives a message with open descriptors from a connected unix socket. `*count` is the room in `descriptors`, and
// afterwards the number of those received. Where a message was longer than the room for it, or carried more
// descriptors, EMSGSIZE is the error.
// With MSG_PEEK in `flags` the message stays in the socket, and the descriptors are further ones of the same files.
static inline ssize_t clinux_receive_message(
    int socket, void *bytes, size_t length, int *descriptors, size_t *count, int flags
) {
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(CLINUX_DESCRIPTORS * sizeof(int))];
    } control;
    struct iovec piece = {.iov_base = bytes, .iov_len = length};
    struct msghdr message = {
        .msg_iov = &piece, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control,
    };
    size_t room = *count;
    int excess = 0;
    *count = 0;
    ssize_t received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC | flags);
    if (received < 0) return -1;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        size_t found = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t number = 0; number < found; number++) {
            int descriptor;
            memcpy(&descriptor, CMSG_DATA(header) + number * sizeof(int), sizeof descriptor);
            if (*count < room) {
                descriptors[(*count)++] = descriptor;
            } else {
                close(descriptor);
                excess = 1;
            }
        }
    }
    if (excess || message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) {
        for (size_t number = 0; number < *count; number++) close(descriptors[number]);
        *count = 0;
        errno = EMSGSIZE;
        return -1;
    }
    return received;
}

#endif
