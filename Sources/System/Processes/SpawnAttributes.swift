import Glibc

/// A namespace for the attributes with which programs are started by posix_spawn(3).
package enum SpawnAttributes {
    /// Calls a function with the attributes of a program that inherits neither the signal mask nor ignored signals.
    ///
    /// A program does not expect that a signal is blocked or ignored when it starts, and would not end by it.
    ///
    /// - Parameter body: called with a pointer to the attributes, a `posix_spawnattr_t`.
    package static func withDefaultSignals<Result>(
        _ body: (UnsafeRawPointer) -> Result
    ) -> Result {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        return body(&attributes)
    }
}
