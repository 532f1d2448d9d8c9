import Dispatch
import StoreSystem
import Synchronization

/// The handler of SIGTERM and SIGINT, which shuts down every daemon in the process.
///
/// There is one instance, because a process has one disposition per signal. Its sources are never cancelled: libdispatch on
/// Linux does not deliver a signal again once a source for it was cancelled.
final class TerminationSignals: Sendable {
    private let listeners = Mutex<[ObjectIdentifier: ShutdownTrigger]>([:])
    /// The dispatch sources of the signals, retained because a released source is cancelled.
    private let sources = Mutex<[any DispatchSourceSignal]>([])

    /// A dispatch group that is entered until the signals' sources are registered.
    ///
    /// A signal before that is ignored and lost.
    private let registering = DispatchGroup()

    private static let shared = TerminationSignals()

    private init() {
        for signal in [Signal.terminate, .interrupt] {
            // The default disposition would terminate the process before the source sees the signal.
            signal.ignore()
            registering.enter()
            sources.withLock { sources in
                let source = DispatchSource.makeSignalSource(signal: signal.rawValue, queue: .global())
                source.setRegistrationHandler { [registering] in registering.leave() }
                source.setEventHandler { [weak self] in
                    guard let listeners = self?.listeners.withLock({ $0 }) else { return }
                    for shutdown in listeners.values { shutdown.request(.signal) }
                }
                source.resume()
                sources.append(source)
            }
        }
    }

    /// Runs `body`; in the meantime, SIGTERM and SIGINT request a shutdown and don't terminate the process.
    static func withSignals<Value>(triggering shutdown: ShutdownTrigger, _ body: () async throws -> Value) async throws
        -> Value
    {
        shared.listeners.withLock { $0[ObjectIdentifier(shutdown)] = shutdown }
        defer { shared.listeners.withLock { $0[ObjectIdentifier(shutdown)] = nil } }
        await withCheckedContinuation { continuation in
            shared.registering.notify(queue: .global()) { continuation.resume() }
        }
        return try await body()
    }
}
