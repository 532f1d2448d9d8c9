import Dispatch
import StoreSystem
import Synchronization

/// The process's SIGTERM and SIGINT, which end every daemon that runs in it.
///
/// There is one for the process, as there is one disposition of a signal; and libdispatch on Linux never hears of a
/// signal again once a source for it was cancelled, so its sources stay.
final class TerminationSignals: Sendable {
    private let listeners = Mutex<[ObjectIdentifier: ShutdownTrigger]>([:])
    /// Held so that they stay.
    private let sources = Mutex<[any DispatchSourceSignal]>([])

    /// Until the system was told of the sources a signal is ignored, and nobody ever hears of it.
    private let registering = DispatchGroup()

    private static let shared = TerminationSignals()

    private init() {
        for signal in [Signal.terminate, .interrupt] {
            // Else it would end the process before the source is told of it.
            signal.ignore()
            registering.enter()
            sources.withLock { sources in
                let source = DispatchSource.makeSignalSource(signal: signal.rawValue, queue: .global())
                source.setRegistrationHandler { [registering] in registering.leave() }
                source.setEventHandler { [weak self] in
                    guard let listeners = self?.listeners.withLock({ $0 }) else { return }
                    for stop in listeners.values { stop.request(.signal) }
                }
                source.resume()
                sources.append(source)
            }
        }
    }

    /// While `body` runs, the signals end it through `stop` instead of ending the process.
    static func trapped<Value>(by stop: ShutdownTrigger, _ body: () async throws -> Value) async throws -> Value {
        shared.listeners.withLock { $0[ObjectIdentifier(stop)] = stop }
        defer { shared.listeners.withLock { $0[ObjectIdentifier(stop)] = nil } }
        await withCheckedContinuation { continuation in
            shared.registering.notify(queue: .global()) { continuation.resume() }
        }
        return try await body()
    }
}
