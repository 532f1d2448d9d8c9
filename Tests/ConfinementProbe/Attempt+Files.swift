import Glibc

extension Attempt {
    private static let creation = Int(O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC)
    private static let asDirectory = Int(O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

    /// Attempts to reach or to make files that a confined process must not have.
    static var files: [String: Body] {
        [
            "read": { call(Number.openat, AT_FDCWD, $0.path, Int(O_RDONLY)) },
            "overwrite": { call(Number.openat, AT_FDCWD, $0.path, Int(O_WRONLY)) },
            "truncate": { call(Number.openat, AT_FDCWD, $0.path, Int(O_WRONLY | O_CREAT | O_TRUNC), 0o600) },
            "create": { call(Number.openat, AT_FDCWD, $0.path, creation, 0o600) },
            "make-directory": { call(Number.mkdirat, AT_FDCWD, $0.path, 0o700) },
            "open-directory": { call(Number.openat, AT_FDCWD, $0.path, asDirectory) },
            "open-parent": { call(Number.openat, $0.directory.descriptor, "..", asDirectory) },
            "create-in-parent": { call(Number.openat, $0.directory.descriptor, "../stray", creation, 0o600) },
            "read-in-directory": { call(Number.openat, $0.directory.descriptor, "existing", Int(O_RDONLY)) },
            // O_PATH, which Landlock does not check.
            "open-path": { call(Number.openat, AT_FDCWD, $0.path, 0o10_000_000) },
            "unnamed": { call(Number.openat, $0.directory.descriptor, ".", 0o20_000_000 | Int(O_DIRECTORY | O_RDWR)) },
            "status": { path in
                var status = stat()
                return withUnsafeMutablePointer(to: &status) {
                    call(Number.newfstatat, AT_FDCWD, path.path, Int(bitPattern: $0), 0)
                }
            },
            "openat2": { call(Number.openat2, $0.directory.descriptor, "file", 0, 24) },
            "list": { call(Number.getdents, Int($0.directory.descriptor), 0, 0) },
            "symbolic-link": { files in
                "/etc".withCString {
                    call(Number.symlinkat, Int(bitPattern: $0), Int(files.directory.descriptor), Int(bitPattern: $0))
                }
            },
            "hard-link": { files in
                "existing".withCString {
                    let directory = Int(files.directory.descriptor)
                    return call(Number.linkat, directory, Int(bitPattern: $0), directory, Int(bitPattern: $0), 0)
                }
            },
            "rename": { files in
                "existing".withCString {
                    let directory = Int(files.directory.descriptor)
                    return call(Number.renameat2, directory, Int(bitPattern: $0), directory, Int(bitPattern: $0), 0)
                }
            },
            "remove": { call(Number.unlinkat, $0.directory.descriptor, "existing", 0) },
            "device": { call(Number.mknodat, $0.directory.descriptor, "null", Int(S_IFCHR) | 0o600, 0x103) },
            "pipe": { call(Number.mknodat, $0.directory.descriptor, "pipe", Int(S_IFIFO) | 0o600, 0) },
            "setuid-file": { call(Number.openat, $0.directory.descriptor, "program", creation, 0o4755) },
            "setgid-file": { call(Number.openat, $0.directory.descriptor, "program", creation, 0o2755) },
            "setgid-directory": { call(Number.mkdirat, $0.directory.descriptor, "shared", 0o2755) },
            "change-mode": { call(Number.fchmod, Int($0.directory.descriptor), 0o4755) },
        ]
    }
}
