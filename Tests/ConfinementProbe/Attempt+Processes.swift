import Glibc

extension Attempt {
    /// Attempts to reach the network or other processes, and to get privileges or executable memory.
    static var processes: [String: Body] {
        [
            "socket": { _ in call(Number.socket, Int(AF_INET), Int(SOCK_STREAM.rawValue), 0) },
            "unix-socket": { _ in call(Number.socket, Int(AF_UNIX), Int(SOCK_STREAM.rawValue), 0) },
            "connect": { call(Number.connect, Int($0.sockets.0), 0, 0) },
            "execute": { _ in
                "/bin/true".withCString { call(Number.execve, Int(bitPattern: $0), 0, 0) }
            },
            // With which glibc forks: SIGCHLD and no flags of a thread.
            "fork": { _ in call(Number.clone, Int(SIGCHLD), 0, 0, 0, 0) },
            // CLONE_VM and CLONE_VFORK.
            "vfork": { _ in call(Number.clone, Int(SIGCHLD) | 0x100 | 0x4000, 0, 0, 0, 0) },
            // A thread's flags and CLONE_NEWUSER.
            "namespace": { _ in call(Number.clone, 0x3d0f00 | 0x1000_0000, 0, 0, 0, 0) },
            "clone3": { _ in call(Number.clone3, 0, 0) },
            "signal": { call(Number.kill, Int($0.parent), 0) },
            "signal-thread": { call(Number.tgkill, Int($0.parent), Int($0.parent), 0) },
            // PTRACE_ATTACH.
            "trace": { call(Number.ptrace, 16, Int($0.parent), 0, 0) },
            "read-memory": { call(Number.readMemory, Int($0.parent), 0, 0, 0, 0, 0) },
            "write-memory": { call(Number.writeMemory, Int($0.parent), 0, 0, 0, 0, 0) },
            "ring": { _ in call(Number.ringSetup, 1, 0) },
            // PR_SET_DUMPABLE.
            "allow-dumping": { _ in call(Number.prctl, 4, 1, 0, 0, 0) },
            "raise-limit": { _ in
                var limit = rlimit(rlim_cur: 1, rlim_max: 1)
                return withUnsafeMutablePointer(to: &limit) {
                    call(Number.setLimit, 0, Int(RLIMIT_FSIZE.rawValue), Int(bitPattern: $0), 0)
                }
            },
            "executable-memory": { _ in
                let memory = mmap(nil, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                return memory == MAP_FAILED ? errno : 0
            },
            "make-executable": { _ in
                let memory = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                return mprotect(memory, 4096, PROT_READ | PROT_EXEC) == 0 ? 0 : errno
            },
            // A call of x86_64's ABI x32, getpid; no other architecture has a call of such a number.
            "x32": { _ in call(0x4000_0000 | 39) },
            "unknown-call": { _ in call(4000) },
        ]
    }
}
