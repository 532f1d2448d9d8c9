import StoreCLinux

/// The limit of freed memory that the process keeps.
public enum HeapLimit {
    /// Limits the memory that glibc keeps for reuse; to be called before threads are started.
    ///
    /// By default glibc creates eight arenas per processor and reuses memory only within its arena: the responses to a
    /// hundred clients then leave half of the daemon's memory unused but not freed.
    public static func set() { clinux_limit_heap(arenas, kept) }

    /// The number of arenas, for the processors that allocate at once on most desktops.
    private static let arenas: Int32 = 2
    /// In bytes.
    private static let kept: Int32 = 1 << 20
}
