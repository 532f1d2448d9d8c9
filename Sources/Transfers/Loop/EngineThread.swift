import Glibc

/// A thread of the system, for work that waits for the network all its life and must not hold one of the few
/// threads of Swift's concurrency pool.
enum EngineThread {
    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts a thread that runs `body` and ends with it. Returns 0, or the system's number for why it could not.
    static func start(_ body: @escaping @Sendable () -> Void) -> Int32 {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        var thread = pthread_t()
        let context = Unmanaged.passRetained(Body(body))
        let number = pthread_create(
            &thread, &attributes,
            { context in
                let body = Unmanaged<Body>.fromOpaque(context!).takeRetainedValue()
                EngineThread.blockBrokenPipeSignal()
                body.run()
                return nil
            }, context.toOpaque())
        if number != 0 { context.release() }
        return number
    }

    /// libcurl without signals (`CURLOPT_NOSIGNAL`) leaves SIGPIPE to the program, and a TLS library may still raise
    /// it on a connection that broke. It goes to the thread that wrote, which is this one.
    private static func blockBrokenPipeSignal() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
