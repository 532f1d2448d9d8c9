import StoreCLinux

/// Keeps a process that runs for long, on threads that come and go, from holding memory that it needs no more.
public enum HeapLimit {
    /// To be called early. By itself glibc makes eight arenas for each processor, and lets
    /// none of what was freed in one serve another: a hundred clients' answers then leave half of the daemon's memory behind.
    public static func set() { clinux_limit_heap(arenas, kept) }

    /// As many as there are processors that ask for memory at once, on most machines that a person chats at.
    private static let arenas: Int32 = 2
    /// In bytes.
    private static let kept: Int32 = 1 << 20
}
