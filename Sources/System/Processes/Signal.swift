import Dispatch
import Glibc
import StoreCLinux

/// The number of a signal of the operating system (signal(7)).
public struct Signal: RawRepresentable, Sendable, Hashable {
    public let rawValue: Int32

    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// The signal that asks the process to end (SIGTERM).
    public static let terminate = Signal(rawValue: SIGTERM)
    /// The signal that the terminal sends for Ctrl-C (SIGINT).
    public static let interrupt = Signal(rawValue: SIGINT)
    /// The signal that the kernel sends for a write to a closed connection or pipe (SIGPIPE).
    public static let brokenPipe = Signal(rawValue: SIGPIPE)

    /// The signal that the kernel sends to a process that has used up its processor time (SIGXCPU).
    public static let processorTime = Signal(rawValue: SIGXCPU)

    /// Makes the process ignore the signal.
    public func ignore() { _ = signal(rawValue, SIG_IGN) }

    /// Whether the process ignores the signal, as one started by `nohup` or as a shell's background job may.
    public var isIgnored: Bool {
        var action = sigaction()
        sigaction(rawValue, nil, &action)
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    }

    /// Blocks the signal in the calling thread (pthread_sigmask(3)).
    func blockInThisThread() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, rawValue)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}

extension Signal {
    /// Calls a function for every SIGINT (Ctrl-C), instead of ending the process.
    ///
    /// Not to be called twice.
    ///
    /// - Parameter handler: receives the number of interrupts so far; called on a dispatch queue of its own.
    /// - Returns: whether the handler was installed: not where the process was started with the signal ignored, or has
    ///   no file descriptor left.
    @discardableResult
    public static func handleInterrupts(_ handler: @escaping @Sendable (_ count: Int) -> Void) -> Bool {
        let pipe = interruptPipe
        guard !Signal.interrupt.isIgnored, pipe.read >= 0 else { return false }
        DispatchQueue(label: "system.interrupts").async {
            var count = 0
            var byte: UInt8 = 0
            while read(pipe.read, &byte, 1) > 0 {
                count += 1
                handler(count)
            }
        }
        // A source of libdispatch would not do: the signal would end the process through a thread of the runtime that
        // does not block it. The handler only writes, which is allowed there (signal-safety(7)); the pipe was made above.
        signal(SIGINT) { _ in
            var byte: UInt8 = 1
            let number = errno
            _ = write(interruptPipe.write, &byte, 1)
            errno = number
        }
        return true
    }
}

/// The pipe from the SIGINT handler to the dispatch queue that reads it.
///
/// Both descriptors are -1 where no pipe could be opened.
private let interruptPipe: (read: Int32, write: Int32) = {
    var ends: [Int32] = [-1, -1]
    guard clinux_pipe(&ends) == 0 else { return (-1, -1) }
    return (ends[0], ends[1])
}()
