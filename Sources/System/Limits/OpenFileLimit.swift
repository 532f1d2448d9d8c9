import Glibc

/// A namespace for the limit of files and sockets that this process may have open at once.
public enum OpenFileLimit {
    /// The number of files and sockets that this process may have open at once; 0 where the kernel does not report it.
    public static var current: Int { limits().map { Int(clamping: $0.rlim_cur) } ?? 0 }

    /// Raises the number of files and sockets that this process may have open as far as the system allows.
    ///
    /// The default of a login, often 1024, is low for the sake of programs that use `select`, which this package does
    /// not.
    ///
    /// - Returns: the limit in force afterwards.
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
