import Glibc
public import StoreModel
import Synchronization

/// A namespace for starting threads of the operating system, for work that blocks most of the time.
///
/// Such work would otherwise hold one of the few threads of Swift's concurrency pool.
public enum SystemThread {
    private final class Body {
        let run: () -> Void
        init(_ run: @escaping () -> Void) { self.run = run }
    }

    /// A reference to a started thread of the operating system, with which a caller can wait for the thread's end.
    public final class Handle: Sendable {
        private let thread: Mutex<pthread_t?>

        fileprivate init(_ thread: pthread_t) { self.thread = Mutex(thread) }

        // Nobody waits for the thread: the C library releases it at its end.
        deinit { if let thread = take() { pthread_detach(thread) } }

        private func take() -> pthread_t? {
            thread.withLock { thread in
                defer { thread = nil }
                return thread
            }
        }

        /// Blocks until the thread has ended, including the destructors of its thread-specific data (pthread_key_create(3)).
        ///
        /// Only the first call waits.
        public func join() { if let thread = take() { pthread_join(thread, nil) } }
    }

    /// Starts a thread of the operating system that runs `body` and ends with it.
    ///
    /// SIGPIPE is blocked in the thread, because a TLS library may raise the signal on a broken connection.
    @discardableResult
    public static func start(_ body: @escaping @Sendable () -> Void) throws(SystemCallError) -> Handle {
        var thread = pthread_t()
        let context = Unmanaged.passRetained(Body(body))
        let number = pthread_create(
            &thread, nil,
            { context in
                let body = Unmanaged<Body>.fromOpaque(context!).takeRetainedValue()
                Signal.brokenPipe.blockInThisThread()
                body.run()
                return nil
            }, context.toOpaque())
        guard number != 0 else { return Handle(thread) }
        context.release()
        throw SystemCallError(function: "pthread_create", errno: Errno(rawValue: number))
    }

    /// Runs `body` on a new thread of the operating system, and blocks the calling thread until it has ended.
    ///
    /// The first thread of a process that was copied with fork(2) (see ``ForkedProcess``) does all work that uses other
    /// threads with this method. Swift's runtime stores the number of each thread, and in that thread it is the number of
    /// a thread of the original process: if it initializes a global variable while another thread waits for the same
    /// variable, the lock is never released (`lib/Threading/Linux.cpp` of the runtime).
    ///
    /// - Throws: `SystemCallError` if the thread can't be started.
    public static func run<Value>(_ body: () -> Value) throws(SystemCallError) -> Value {
        var result: Value?
        let number = withoutActuallyEscaping(
            { result = body() },
            do: { work -> Int32 in
                let context = Body(work)
                var thread = pthread_t()
                let number = pthread_create(
                    &thread, nil,
                    { context in
                        Unmanaged<Body>.fromOpaque(context!).takeUnretainedValue().run()
                        return nil
                    }, Unmanaged.passUnretained(context).toOpaque())
                if number == 0 { withExtendedLifetime(context) { _ = pthread_join(thread, nil) } }
                return number
            })
        guard let result else { throw SystemCallError(function: "pthread_create", errno: Errno(rawValue: number)) }
        return result
    }

    /// Blocks the calling thread of the operating system for a duration.
    public static func sleep(for duration: Duration) {
        let (seconds, attoseconds) = duration.components
        var rest = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        var left = timespec()
        while nanosleep(&rest, &left) == -1, errno == EINTR { rest = left }
    }
}
