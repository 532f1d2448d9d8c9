import StoreModel
import StoreSystem
import Synchronization

/// A circuit breaker that holds back downloads whose hosts are unreachable for lack of a network.
///
/// One download at a time probes each host. ``HostCircuits`` decides which. While no download waits, the network is not
/// observed and no timer runs. Downloads are called tasks here and have numbers.
final class HostCircuitBreaker: Sendable {
    private struct State {
        var circuits: HostCircuits
        var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]
        /// The Swift task that waits for the time of the next probe of a host; `nil` while no download waits.
        var timer: Task<Void, Never>?
        /// A promise whose resolution ends the current delay before a probe early; `nil` without a delay.
        var wakeUp: Promise<Void>?
        var networkChanged = false

        mutating func takeWakeUp() -> Promise<Void>? {
            defer { wakeUp = nil }
            return wakeUp
        }
    }
    private let state: Mutex<State>
    private let source: NetworkSource
    private let clock: TimeSource
    private let settlingTime: Duration

    /// Creates a circuit breaker that holds back no download yet: the circuits of all hosts are closed.
    ///
    /// - Parameters:
    ///   - source: the source of notifications about changes of the network.
    ///   - delays: the delays before probes while the network does not change.
    ///   - settlingTime: the time from the first change of the network to the probe, because changes of link, address
    ///     and route come together; also the least time between two rounds of probes after changes.
    init(
        _ source: NetworkSource = .system, clock: TimeSource = .system, delays: ProbeDelays = ProbeDelays(),
        settlingTime: Duration = .milliseconds(500)
    ) {
        self.source = source
        self.clock = clock
        self.settlingTime = settlingTime
        state = Mutex(State(circuits: HostCircuits(delays)))
    }

    /// The number of downloads that wait until a host of their archive can be reached.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Returns whether the download with the given number waits until a host of its archive can be reached.
    func isWaiting(_ number: Int) -> Bool { state.withLock { $0.waiting[number] != nil } }

    /// Returns whether the download with a number may transfer from one of these hosts now.
    ///
    /// Without hosts it always may.
    ///
    /// - Parameter number: the number of the download.
    func allows(_ number: Int, _ hosts: [String]) -> Bool { state.withLock { $0.circuits.allows(number, hosts) } }

    /// Opens the circuits of hosts after a transfer failed for lack of a network; downloads from them then wait.
    func open(_ hosts: [String]) { state.withLock { $0.circuits.open(hosts) } }

    /// Closes the circuit of a host that a transfer has reached, and lets downloads that wait for it continue.
    func close(_ host: String) { release { $0.close(host) } }

    /// Removes the download with a number, which no longer waits or probes a host.
    ///
    /// The next download in the queue probes instead.
    func leave(_ number: Int) { release { $0.leave(number) } }

    /// Changes the priority of a download in the wait queues of hosts; does nothing if it does not wait.
    func setPriority(_ priority: Int, of number: Int) {
        state.withLock { $0.circuits.setPriority(priority, of: number) }
    }

    /// Waits until a download may transfer from one of the hosts; returns at once if it may now.
    ///
    /// - Throws: `CancellationError` if the calling Swift task is cancelled while it waits.
    func wait(_ ticket: Ticket, for hosts: [String]) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let mustWait = state.withLock { state in
                    guard state.circuits.wait(ticket, for: hosts) else { return false }
                    state.waiting[ticket.number] = continuation
                    if state.timer == nil { state.timer = Task { [weak self] in await self?.runTimer() } }
                    return true
                }
                if !mustWait { return continuation.resume() }
                // If the task was cancelled before it was in the queue, the handler has found nothing.
                if Task.isCancelled { cancelWait(ticket.number) }
            }
        } onCancel: {
            cancelWait(ticket.number)
        }
    }

    private func cancelWait(_ number: Int) {
        guard let continuation = state.withLock({ $0.waiting.removeValue(forKey: number) }) else { return }
        leave(number)
        continuation.resume(throwing: CancellationError())
    }

    private func release(_ body: (inout HostCircuits) -> [Int]) {
        let (released, wakeUp) = state.withLock { state in
            let released = body(&state.circuits).compactMap { state.waiting.removeValue(forKey: $0) }
            return (released, state.circuits.probeDelay == nil ? state.takeWakeUp() : nil)
        }
        for continuation in released { continuation.resume() }
        // When no task waits any more, the timer ends.
        wakeUp?.keep(())
    }

    // MARK: The timer

    /// The names of the circuit breaker's waits on the clock; no product identifier has a space.
    private static let (probeWait, settlingWait) = ("network probe", "network settling")

    /// Returns whether the circuit breaker does nothing before time passes or the network changes.
    ///
    /// - Parameter isWaiting: returns whether a wait with a name is in progress on the clock.
    func isQuiescent(_ isWaiting: (_ name: String) -> Bool) -> Bool {
        state.withLock { state in
            guard state.timer != nil else { return true }
            return state.networkChanged
                ? isWaiting(Self.settlingWait) : state.wakeUp != nil && isWaiting(Self.probeWait)
        }
    }

    private func runTimer() async {
        let observation = source.observe { [weak self] in self?.networkDidChange() }
        while let delay = nextDelay() {
            let hasPassed = await sleep(delay)
            let isChange = state.withLock { $0.networkChanged }
            // Otherwise no task waited in between, and one that waits now has only just failed.
            guard hasPassed || isChange else { continue }
            if isChange { try? await clock.sleep(settlingTime, Self.settlingWait) }
            state.withLock { $0.networkChanged = false }
            release { $0.beginProbes(afterChange: isChange) }
        }
        withExtendedLifetime(observation) {}
    }

    private func nextDelay() -> Duration? {
        state.withLock { state in
            let delay = state.circuits.probeDelay
            // In one step with the look at the circuits, so that the next task that waits starts another timer.
            if delay == nil { state.timer = nil }
            return delay
        }
    }

    private func networkDidChange() {
        let wakeUp = state.withLock { state in
            state.networkChanged = true
            return state.takeWakeUp()
        }
        wakeUp?.keep(())
    }

    /// Waits until a delay has passed, the network has changed, or no download waits for a probe any more.
    ///
    /// - Returns: whether the whole delay has passed.
    private func sleep(_ delay: Duration) async -> Bool {
        let wakeUp = Promise<Void>()
        let hasChanged = state.withLock { state in
            state.wakeUp = wakeUp
            return state.networkChanged
        }
        if hasChanged { return false }
        return await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                try? await wakeUp.value()
                return false
            }
            group.addTask { [clock] in
                (try? await clock.sleep(delay, Self.probeWait)) != nil
            }
            let first = await group.next() ?? false
            group.cancelAll()
            return first
        }
    }
}
