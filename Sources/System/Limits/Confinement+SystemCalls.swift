import Glibc
import StoreCLinux

extension Confinement {
    /// The system calls of a confined process.
    ///
    /// Beyond the work itself the list has what glibc 2.36 to 2.41 calls to allocate memory, to start and end threads,
    /// and to abort. The arguments and their order are those of the manual page of each call.
    ///
    /// - Parameters:
    ///   - process: the id of this process.
    ///   - access: what the process may do beneath its directory.
    static func allowedCalls(process: Int32, access: Access = .creating) -> [SystemCallFilter.Rule] {
        [
            // The first are the most frequent ones.
            .init(SYS_read), .init(SYS_write), .init(SYS_pread64), .init(SYS_pwrite64), .init(SYS_futex),
            .init(SYS_readv), .init(SYS_writev), .init(SYS_lseek), .init(SYS_close),
        ] + (access == .creating ? creation : reading) + files + messages + memory + threads(process: process)
            + harmless
    }

    private static var creation: [SystemCallFilter.Rule] {
        // Only a file that this call creates is opened, and none through a symbolic link at its end, so that even
        // without Landlock no existing file can be read or changed.
        let freely = O_ACCMODE | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
        // Setuid, setgid and sticky.
        let special: Int32 = 0o7000
        return [
            .init(SYS_openat, .flags(2, O_CREAT | O_EXCL, optional: freely), .without(3, special)),
            .init(SYS_openat, .flags(2, O_DIRECTORY | O_NOFOLLOW, optional: O_CLOEXEC | O_NONBLOCK)),
            .init(SYS_mkdirat, .without(2, special)),
            .init(SYS_ftruncate), .init(SYS_fallocate), .init(SYS_fsync), .init(SYS_fdatasync),
        ]
    }

    private static var reading: [SystemCallFilter.Rule] {
        // Nothing is created, and a link at the end of a name is not followed. Only a file that was opened for writing
        // before, for the result, can be cut.
        let freely = O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_DIRECTORY
        return [
            .init(SYS_openat, .flags(2, O_RDONLY | O_NOFOLLOW, optional: freely)),
            .init(SYS_getdents64), .init(SYS_ftruncate),
            .init(SYS_newfstatat, .flags(3, AT_SYMLINK_NOFOLLOW)),
        ]
    }

    private static var files: [SystemCallFilter.Rule] {
        [
            // The C library looks for files, such as the number of processors, and does without them.
            .init(SYS_openat, verdict: .fail(.permissionDenied)),
            // The flags are in memory, which a filter can't see.
            .init(SYS_openat2, verdict: .fail(.noFunction)),
            .init(SYS_fstat),
            // glibc 2.33 to 2.38 implements fstat with an empty path. Others could be asked for too, because a filter
            // can't see the path; it tells a file's status, but not its content.
            .init(SYS_newfstatat, .flags(3, 0x1000)),  // AT_EMPTY_PATH
            .init(SYS_newfstatat, verdict: .fail(.permissionDenied)),
            .init(SYS_statx, verdict: .fail(.noFunction)),
            .init(SYS_fadvise64),
            .init(SYS_fcntl, .flags(1, F_GETFD)), .init(SYS_fcntl, .flags(1, F_SETFD)),
            .init(SYS_fcntl, .flags(1, F_GETFL)),
            // qsort(3) of glibc 2.36 asks how large the memory is.
            .init(SYS_sysinfo, verdict: .fail(.noFunction)),
            // Asked whether standard error is a terminal.
            .init(SYS_ioctl, verdict: .fail(Errno(rawValue: ENOTTY))),
        ]
    }

    private static var messages: [SystemCallFilter.Rule] {
        var rules: [SystemCallFilter.Rule] = [
            .init(SYS_recvmsg), .init(SYS_sendmsg), .init(SYS_ppoll),
            .init(SYS_recvfrom),
            // No address: a datagram socket could otherwise reach any other.
            .init(SYS_sendto, .equals(4, 0)),
        ]
        #if arch(x86_64)
            rules.append(.init(SYS_poll))
        #endif
        return rules
    }

    private static var memory: [SystemCallFilter.Rule] {
        [
            // RLIMIT_DATA does not count shared memory (setrlimit(2)), so there is none.
            .init(
                SYS_mmap,
                .init(argument: 3, mask: 0xf | UInt64(MAP_ANONYMOUS), value: UInt64(MAP_SHARED | MAP_ANONYMOUS)),
                verdict: .fail(.notPermitted)),
            .init(SYS_mmap, .without(2, PROT_EXEC)),
            .init(SYS_mprotect, .without(2, PROT_EXEC)),
            .init(SYS_munmap), .init(SYS_mremap), .init(SYS_madvise), .init(SYS_brk),
        ]
    }

    private static func threads(process: Int32) -> [SystemCallFilter.Rule] {
        // Exactly the flags with which glibc creates a thread (sysdeps/unix/sysv/linux/createthread.c): CLONE_VM,
        // CLONE_FS, CLONE_FILES, CLONE_SIGHAND, CLONE_THREAD, CLONE_SYSVSEM, CLONE_SETTLS, CLONE_PARENT_SETTID and
        // CLONE_CHILD_CLEARTID. fork lacks most of them.
        let newThread: Int32 = 0x3d0f00
        return [
            .init(SYS_clone, .flags(0, newThread)),
            // The flags are in memory, which a filter can't see; glibc then calls clone.
            .init(SYS_clone3, verdict: .fail(.noFunction)),
            .init(SYS_set_robust_list), .init(SYS_rseq), .init(SYS_sched_yield), .init(SYS_sched_getaffinity),
            .init(SYS_rt_sigaction), .init(SYS_rt_sigprocmask), .init(SYS_rt_sigreturn), .init(SYS_sigaltstack),
            .init(SYS_restart_syscall), .init(SYS_exit), .init(SYS_exit_group),
            // abort(3) sends SIGABRT to the calling thread.
            .init(SYS_gettid), .init(SYS_getpid), .init(SYS_tgkill, .flags(0, process)),
            // getrlimit(3) of this process; the size of a thread's stack is a limit.
            .init(SYS_prlimit64, .flags(0, 0), .equals(2, 0)),
            .init(SYS_prctl, .flags(0, PR_SET_NAME)),
        ]
    }

    private static var harmless: [SystemCallFilter.Rule] {
        [
            .init(SYS_clock_gettime), .init(SYS_clock_getres), .init(SYS_gettimeofday), .init(SYS_clock_nanosleep),
            .init(SYS_nanosleep), .init(SYS_getrandom), .init(SYS_getcpu),
        ]
    }
}
