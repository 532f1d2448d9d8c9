import StoreModel
import StoreSystem
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
        /// Ends the wait for the next look early; `nil` once it has.
        var alarm: Promise<Void>?
        var hasChanged = false

        mutating func takeAlarm() -> Promise<Void>? {
            defer { alarm = nil }
            return alarm
        }
    }
    private let state: Mutex<State>
    private let source: NetworkSource
    private let clock: TimeSource
    /// One change seldom comes alone: a link, its address, a route. Also the least time between two looks.
    private let settling: Duration

    init(
        _ source: NetworkSource = .system, clock: TimeSource = .system, waits: NetworkQueue.Waits = .init(),
        settling: Duration = .milliseconds(500)
    ) {
        self.source = source
        self.clock = clock
        self.settling = settling
        state = Mutex(State(queue: NetworkQueue(waits)))
    }

    /// How many wait for a trial or for its outcome.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Whether a task waits for a trial or for its outcome.
    func isWaiting(_ number: Int) -> Bool { state.withLock { $0.waiting[number] != nil } }

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
            return (released, state.queue.wait == nil ? state.takeAlarm() : nil)
        }
        for continuation in released { continuation.resume() }
        // Where nobody waits any more, the watch is over.
        alarm?.keep(())
    }

    // MARK: Looking

    /// What the clock is told that waits here. No product has a name with a space.
    private static let (look, settled) = ("network look", "network settled")

    /// Whether it does nothing before time passes, or the network changes.
    ///
    /// - Parameter waits: whether a wait of that name is under way on the clock.
    func isAtRest(_ waits: (_ who: String) -> Bool) -> Bool {
        state.withLock { state in
            guard state.watch != nil else { return true }
            return state.hasChanged ? waits(Self.settled) : state.alarm != nil && waits(Self.look)
        }
    }

    private func watch() async {
        let observation = source.observe { [weak self] in self?.changed() }
        while let wait = nextWait() {
            let hasPassed = await waited(wait)
            let isChange = state.withLock { $0.hasChanged }
            // Or nobody waited in between, and whoever does now has only just found that there is no network.
            guard hasPassed || isChange else { continue }
            if isChange { try? await clock.sleep(settling, Self.settled) }
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
            return state.takeAlarm()
        }
        alarm?.keep(())
    }

    /// Waits, but only until a change, or until nobody waits for a look.
    ///
    /// - Returns: whether all the time has passed.
    private func waited(_ wait: Duration) async -> Bool {
        let alarm = Promise<Void>()
        let hasChanged = state.withLock { state in
            state.alarm = alarm
            return state.hasChanged
        }
        if hasChanged { return false }
        return await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                try? await alarm.value()
                return false
            }
            group.addTask { [clock] in
                (try? await clock.sleep(wait, Self.look)) != nil
            }
            let first = await group.next() ?? false
            group.cancelAll()
            return first
        }
    }
}
