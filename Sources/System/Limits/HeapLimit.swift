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

    /// The number of bytes in physical memory, besides those of files, that the program has not allocated.
    ///
    /// It consists of freed memory that glibc holds for reuse, and of a few megabytes for stacks and the data of libraries.
    public static var heldMemory: Int {
        let usage = ResourceUsage.memory()
        return max(0, usage.anonymous - usage.allocated)
    }

    /// Returns freed memory to the system that glibc holds for reuse, also from between allocations; this takes milliseconds.
    public static func returnFreedMemory() { clinux_trim_heap() }

    /// The number of free bytes at the top of the heap above which glibc returns memory to the system.
    private static let kept: Int32 = 1 << 20
}
