import StoreCLinux

/// The limit of freed memory that the C library holds for reuse instead of returning it to the system.
public enum HeapLimit {
    /// Limits the memory that glibc holds for reuse; to be called before threads are started.
    ///
    /// By default glibc creates eight arenas per processor and reuses memory only within its arena: the responses to a
    /// hundred clients then leave half of the daemon's memory unused but not freed.
    public static func set() { clinux_limit_heap(arenas, kept) }

    /// The number of glibc's arenas: one for each processor that allocates at once on most desktops.
    private static let arenas: Int32 = 2
    /// The free memory at the top of the heap from which on glibc returns it to the system, in bytes.
    private static let kept: Int32 = 1 << 20
}
