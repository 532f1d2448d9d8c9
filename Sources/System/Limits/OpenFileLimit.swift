import Glibc

/// The limit of files and sockets that this process may have open at once.
public enum OpenFileLimit {
    /// The limit that holds now; 0 where the kernel does not tell.
    public static var current: Int { limits().map { Int(clamping: $0.rlim_cur) } ?? 0 }

    /// Raises the limit as far as the system allows: a login's default, often 1024, is kept low for programs that use
    /// `select`, which ours do not.
    ///
    /// - Returns: the limit that holds now.
    @discardableResult
    public static func raise() -> Int {
        guard var limit = limits() else { return 0 }
        limit.rlim_cur = limit.rlim_max
        _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return current
    }

    private static func limits() -> rlimit? {
        var limit = rlimit()
        return getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 ? limit : nil
    }
}
