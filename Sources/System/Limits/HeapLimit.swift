import StoreCLinux

/// A namespace for limiting the freed memory that the C library holds for reuse.
public enum HeapLimit {
    /// Limits the memory that glibc holds for reuse; to be called before threads are started.
    ///
    /// By default glibc creates eight arenas per processor and reuses memory only within its arena: the responses to a
    /// hundred clients then leave half of the daemon's memory unused but not freed.
    ///
    /// - Parameter arenas: the maximum number of glibc's arenas, the heaps between which it divides the threads that
    ///   allocate memory. Two are as many as processors that allocate at once on most desktops.
    public static func set(arenas: Int = 2) { clinux_limit_heap(Int32(arenas), kept) }

    /// Returns freed memory to the system that glibc holds for reuse, also from between allocations; this takes milliseconds.
    ///
    /// - Parameter most: the number of bytes that glibc may hold; up to it nothing is done.
    public static func returnFreedMemory(above most: Int) { clinux_trim_heap(UInt64(most)) }

    /// The number of free bytes at the top of the heap above which glibc returns memory to the system.
    private static let kept: Int32 = 1 << 20
}
