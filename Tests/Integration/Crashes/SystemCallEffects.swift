/// What Linux's system calls do to files: the knowledge with which ``KernelTrace`` judges a trace.
///
/// A call that is not in these lists fails the test that uses them, so that nobody has to foresee what a program, the C
/// library or SQLite will use one day: not `io_uring_setup`, `msync`, `vmsplice`, `open_by_handle_at` or a later kernel's.
enum SystemCallEffects {
    /// What a call works on.
    enum Target {
        /// The open file in the argument with this index.
        case descriptor(Int)
        /// The path in the argument with this index.
        case path(Int)
        /// The path in the argument after the one with this index, which is the open directory that it is relative to.
        case relativePath(Int)
        /// The address of a socket, which may create a file.
        case address(Int)
        /// Everything on all file systems.
        case everything
    }

    /// Calls that change content, attributes, names or durability, with what they change.
    ///
    /// A call with a target beneath the directory must be counted. The name is the one that the preloaded library uses.
    static let changes: [String: (name: String, targets: [Target])] = [
        "write": ("write", [.descriptor(0)]), "writev": ("writev", [.descriptor(0)]),
        "pwrite64": ("pwrite64", [.descriptor(0)]), "pwritev": ("pwritev", [.descriptor(0)]),
        "pwritev2": ("pwritev2", [.descriptor(0)]), "sendfile": ("sendfile", [.descriptor(0)]),
        "copy_file_range": ("copy_file_range", [.descriptor(2)]), "splice": ("splice", [.descriptor(2)]),
        "truncate": ("truncate", [.path(0)]), "ftruncate": ("ftruncate", [.descriptor(0)]),
        "fallocate": ("fallocate", [.descriptor(0)]),
        "mkdir": ("mkdir", [.path(0)]), "mkdirat": ("mkdir", [.relativePath(0)]),
        "mknod": ("mknod", [.path(0)]), "mknodat": ("mknod", [.relativePath(0)]),
        "rename": ("rename", [.path(0), .path(1)]), "renameat": ("rename", [.relativePath(0), .relativePath(2)]),
        "renameat2": ("rename", [.relativePath(0), .relativePath(2)]),
        "unlink": ("unlink", [.path(0)]), "rmdir": ("unlink", [.path(0)]), "unlinkat": ("unlink", [.relativePath(0)]),
        "link": ("link", [.path(1)]), "linkat": ("link", [.relativePath(2)]),
        "symlink": ("symlink", [.path(1)]), "symlinkat": ("symlink", [.relativePath(1)]),
        "chmod": ("chmod", [.path(0)]), "fchmod": ("fchmod", [.descriptor(0)]),
        "fchmodat": ("fchmodat", [.relativePath(0)]), "fchmodat2": ("fchmodat", [.relativePath(0)]),
        "chown": ("chown", [.path(0)]), "lchown": ("lchown", [.path(0)]), "fchown": ("fchown", [.descriptor(0)]),
        "fchownat": ("fchownat", [.relativePath(0)]),
        "utime": ("utime", [.path(0)]), "utimes": ("utimes", [.path(0)]),
        "futimesat": ("utimensat", [.relativePath(0)]), "utimensat": ("utimensat", [.relativePath(0)]),
        "setxattr": ("setxattr", [.path(0)]), "lsetxattr": ("lsetxattr", [.path(0)]),
        "fsetxattr": ("fsetxattr", [.descriptor(0)]), "removexattr": ("removexattr", [.path(0)]),
        "lremovexattr": ("lremovexattr", [.path(0)]), "fremovexattr": ("fremovexattr", [.descriptor(0)]),
        "fsync": ("fsync", [.descriptor(0)]), "fdatasync": ("fdatasync", [.descriptor(0)]),
        "syncfs": ("syncfs", [.descriptor(0)]), "sync_file_range": ("sync_file_range", [.descriptor(0)]),
        "sync": ("sync", [.everything]), "bind": ("bind", [.address(1)]),
    ]

    /// Calls that open files: they must be counted beneath the directory, and change something with certain flags.
    static let openings: [String: (target: Target, flags: Int)] = [
        "open": (.path(0), 1), "openat": (.relativePath(0), 2), "openat2": (.relativePath(0), 2),
        "creat": (.path(0), 0),
    ]

    /// Calls that read, which must be counted beneath the directory because they can be made to fail.
    static let reads: [String: (name: String, target: Target)] = [
        "read": ("read", .descriptor(0)), "readv": ("readv", .descriptor(0)), "pread64": ("pread64", .descriptor(0)),
        "preadv": ("preadv", .descriptor(0)), "preadv2": ("preadv", .descriptor(0)),
        "stat": ("newfstatat", .path(0)), "lstat": ("newfstatat", .path(0)), "fstat": ("newfstatat", .descriptor(0)),
        "newfstatat": ("newfstatat", .relativePath(0)), "statx": ("statx", .relativePath(0)),
    ]

    /// Calls that change no file, with the reason for those where it is not obvious.
    static let harmless: Set<String> = [
        // Reads that are not made to fail. The C library reads many entries of a directory at once and keeps them, so
        // the rig counts each entry that it returns instead of getdents64.
        "getdents64", "lseek", "readlink", "readlinkat", "access", "faccessat", "faccessat2", "statfs", "fstatfs",
        "getcwd", "getxattr", "lgetxattr", "fgetxattr", "listxattr", "llistxattr", "flistxattr", "fadvise64",
        "readahead", "inotify_init1", "inotify_add_watch", "inotify_rm_watch",
        // Descriptors. What was written through them was counted when it was written. `flock` and the locks of `fcntl`
        // end with the process.
        "close", "close_range", "dup", "dup2", "dup3", "fcntl", "flock", "pipe", "pipe2", "eventfd2", "signalfd4",
        "timerfd_create", "timerfd_settime", "timerfd_gettime", "epoll_create", "epoll_create1", "epoll_ctl",
        "epoll_wait", "epoll_pwait", "epoll_pwait2", "poll", "ppoll", "select", "pselect6", "memfd_create",
        // Sockets, whose messages reach no file. `bind` is among the changes.
        "socket", "socketpair", "connect", "listen", "accept", "accept4", "getsockname", "getpeername", "getsockopt",
        "setsockopt", "sendto", "recvfrom", "sendmsg", "recvmsg", "sendmmsg", "recvmmsg", "shutdown",
        // Memory. `mmap` is judged apart; the others only change mappings that it made.
        "brk", "munmap", "mprotect", "mremap", "madvise", "mincore", "mlock", "mlock2", "munlock",
        // Processes, threads, signals, time, limits.
        "execve", "clone", "clone3", "fork", "vfork", "wait4", "waitid", "exit", "exit_group", "kill", "tkill",
        "tgkill",
        "getpid", "getppid", "gettid", "getpgrp", "getsid", "setsid", "setpgid", "getuid", "geteuid", "getgid",
        "getegid", "getgroups", "getresuid", "getresgid", "umask", "chdir", "fchdir", "prctl", "arch_prctl",
        "set_tid_address", "set_robust_list", "rseq", "futex", "membarrier", "sched_yield", "sched_getaffinity",
        "sched_setaffinity", "sched_getparam", "sched_getscheduler", "sched_setscheduler", "sched_get_priority_max",
        "sched_get_priority_min", "getpriority", "setpriority", "ioprio_get", "ioprio_set", "getcpu",
        "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "rt_sigsuspend", "rt_sigtimedwait", "rt_sigpending",
        "sigaltstack", "restart_syscall", "pause", "alarm", "nanosleep", "clock_nanosleep", "clock_gettime",
        "clock_getres", "gettimeofday", "time", "times", "prlimit64", "getrlimit", "setrlimit", "getrusage", "sysinfo",
        "uname", "getrandom", "capget", "pidfd_open", "pidfd_send_signal",
    ]

    /// The requests of `ioctl` that change no file: those about terminals, and about reading sockets and pipes.
    ///
    /// Others may copy whole files (FICLONE) or change attributes.
    static let harmlessRequests: Set<String> = ["TCGETS", "TIOCGWINSZ", "TIOCGPGRP", "FIONBIO", "FIONREAD", "FIOCLEX"]

    /// What a descriptor may refer to that is no file on a disk.
    static let notFiles = ["socket:", "pipe:", "anon_inode:", "/dev/null", "/dev/pts/", "/dev/tty"]
}
