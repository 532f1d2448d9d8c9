import Glibc

/// The sanitizers that tests may be built with.
public enum Sanitizers {
    /// Whether this process, and the programs beside it, run with one. It keeps a shadow of all memory and does not give
    /// freed memory back at once, so that sizes of processes then say nothing.
    public static let areOn = dlsym(nil, "__tsan_init") != nil || dlsym(nil, "__asan_init") != nil
}
