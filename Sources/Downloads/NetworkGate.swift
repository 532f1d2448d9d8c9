import Files
import Synchronization

/// Where it is heard that something about the machine's network has changed.
public struct NetworkSource: Sendable {
    /// Calls back at each change for as long as what is returned lives.
    let observe: @Sendable (_ changed: @escaping @Sendable () -> Void) -> (any Sendable)?

    /// - Parameter observe: calls its argument at each change, from anywhere, for as long as what it returns lives.
    public init(observe: @escaping @Sendable (_ changed: @escaping @Sendable () -> Void) -> (any Sendable)?) {
        self.observe = observe
    }

    /// What the kernel tells of links, addresses and routes.
    public static let system = NetworkSource { NetworkChanges($0) }
}

/// Holds back tasks whose host can't be reached for want of a network; see ``NetworkQueue``. Where nobody waits,
/// nothing is observed and no time runs.
final class NetworkGate: Sendable {
    private struct State {
        var queue: NetworkQueue
        var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]
        var watch: Task<Void, Never>?
        /// Kept at the next change.
        var alarm: Promised<Void>?
        var hasChanged = false
    }
    private let state: Mutex<State>
    private let source: NetworkSource
    /// One change seldom comes alone: a link, its address, a route. Also the least time between two looks.
    private let settling: Duration

    init(
        _ source: NetworkSource = .system, waits: NetworkQueue.Waits = .init(), settling: Duration = .milliseconds(500)
    ) {
        self.source = source
        self.settling = settling
        state = Mutex(State(queue: NetworkQueue(waits)))
    }

    /// How many wait for a trial or for its outcome.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    func allows(_ number: Int, _ hosts: [String]) -> Bool { state.withLock { $0.queue.allows(number, hosts) } }

    func lose(_ hosts: [String]) { state.withLock { $0.queue.lose(hosts) } }

    func reach(_ host: String) { release { $0.reach(host) } }

    func leave(_ number: Int) { release { $0.leave(number) } }

    func move(_ number: Int, to priority: Int) { state.withLock { $0.queue.move(number, to: priority) } }

    /// Returns when the caller may try one of the hosts.
    ///
    /// - Throws: `CancellationError`.
    func wait(_ place: Place, for hosts: [String]) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let mustWait = state.withLock { state in
                    guard state.queue.enter(place, hosts) else { return false }
                    state.waiting[place.number] = continuation
                    if state.watch == nil { state.watch = Task { [weak self] in await self?.watch() } }
                    return true
                }
                if !mustWait { return continuation.resume() }
                // Cancelled before it stood in line: the handler found nobody.
                if Task.isCancelled { turnAway(place.number) }
            }
        } onCancel: {
            turnAway(place.number)
        }
    }

    private func turnAway(_ number: Int) {
        guard let turnedAway = state.withLock({ $0.waiting.removeValue(forKey: number) }) else { return }
        leave(number)
        turnedAway.resume(throwing: CancellationError())
    }

    private func release(_ body: (inout NetworkQueue) -> [Int]) {
        let (released, alarm) = state.withLock { state in
            let released = body(&state.queue).compactMap { state.waiting.removeValue(forKey: $0) }
            return (released, state.queue.wait == nil ? state.alarm : nil)
        }
        for continuation in released { continuation.resume() }
        // Where nobody waits any more, the watch is over.
        alarm?.keep(())
    }

    // MARK: Looking

    private func watch() async {
        let observation = source.observe { [weak self] in self?.changed() }
        while let wait = nextWait() {
            let isChange = await change(within: wait)
            if isChange { try? await Task.sleep(for: settling) }
            state.withLock { $0.hasChanged = false }
            release { $0.look(isChange: isChange) }
        }
        withExtendedLifetime(observation) {}
    }

    private func nextWait() -> Duration? {
        state.withLock { state in
            let wait = state.queue.wait
            // In one step with the look at the line, so that the next one in it finds that nobody watches.
            if wait == nil { state.watch = nil }
            return wait
        }
    }

    private func changed() {
        let alarm = state.withLock { state in
            state.hasChanged = true
            return state.alarm
        }
        alarm?.keep(())
    }

    /// Waits for a change, but no longer than `wait`.
    private func change(within wait: Duration) async -> Bool {
        let alarm = Promised<Void>()
        let hasChanged = state.withLock { state in
            state.alarm = alarm
            return state.hasChanged
        }
        if hasChanged { return true }
        return await withTaskGroup(of: Bool.self) { group in
            group.addTask { (try? await alarm.value()) != nil }
            group.addTask {
                try? await Task.sleep(for: wait)
                return false
            }
            let first = await group.next() ?? false
            group.cancelAll()
            return first
        }
    }
}
