import Glibc

/// How many files and sockets this process may have open at once.
public enum OpenFileLimit {
    /// Raises it as far as the system lets this process: what a login gives at first (often 1024) is kept low for
    /// programs that use `select`, which this one does not.
    ///
    /// - Returns: the limit that holds now.
    @discardableResult
    public static func raise() -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
        let before = limit.rlim_cur
        limit.rlim_cur = limit.rlim_max
        let isRaised = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
        return Int(clamping: isRaised ? limit.rlim_max : before)
    }
}
