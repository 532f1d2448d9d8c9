import Glibc
public import StoreModel

/// A namespace for starting threads of the operating system, for work that blocks most of the time.
///
/// Such work would otherwise hold one of the few threads of Swift's concurrency pool.
public enum SystemThread {
    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts a thread of the operating system that runs `body` and ends with it.
    ///
    /// SIGPIPE is blocked in the thread, because a TLS library may raise the signal on a broken connection.
    public static func start(_ body: @escaping @Sendable () -> Void) throws(SystemCallError) {
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
                Signal.brokenPipe.blockInThisThread()
                body.run()
                return nil
            }, context.toOpaque())
        guard number != 0 else { return }
        context.release()
        throw SystemCallError(function: "pthread_create", errno: Errno(rawValue: number))
    }

    /// Runs `body` on a thread of the operating system that is started for it, and waits for its end.
    ///
    /// For a process that was copied with fork(2) (see ``ForkedProcess``): Swift's runtime keeps the number of each
    /// thread, in the copy's first thread that of the original, and with it the locks of global variables that several
    /// threads need at once are never released (`Threading/Linux.cpp` of the runtime). The first thread of a copy may
    /// not share anything with other threads, therefore, but only wait for them.
    public static func run<Value>(_ body: () -> Value) throws(SystemCallError) -> Value {
        try withoutActuallyEscaping(body) { body throws(SystemCallError) in
            let call = Call(body)
            var thread = pthread_t()
            let number = pthread_create(
                &thread, nil,
                { context in
                    Unmanaged<AnyCall>.fromOpaque(context!).takeUnretainedValue().run()
                    return nil
                }, Unmanaged<AnyCall>.passUnretained(call).toOpaque())
            guard number == 0 else { throw SystemCallError(function: "pthread_create", errno: Errno(rawValue: number)) }
            pthread_join(thread, nil)
            // The thread has ended, so that the call has a result.
            return withExtendedLifetime(call) { call.result! }
        }
    }

    private class AnyCall {
        func run() {}
    }

    /// A function that another thread calls while the one that waits for its result does nothing.
    private final class Call<Value>: AnyCall {
        private let body: () -> Value
        private(set) var result: Value?
        init(_ body: @escaping () -> Value) { self.body = body }
        override func run() { result = body() }
    }

    /// Blocks the calling thread of the operating system for a duration.
    public static func sleep(for duration: Duration) {
        let (seconds, attoseconds) = duration.components
        var rest = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        var left = timespec()
        while nanosleep(&rest, &left) == -1, errno == EINTR { rest = left }
    }
}
