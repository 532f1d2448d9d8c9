import FoundationEssentials
public import StoreDownloads
public import StoreEngine
public import StoreModel
import StorePublishing
import StoreSystem
public import StoreTransfers

/// A scenario (simulation of a store and its downloads for tests) that is being played.
///
/// It creates its store, performs its scripted events, and advances its virtual clock. A scenario outlives the daemon's
/// restarts, which a script may contain.
public actor Scenario {
    /// The script of the scenario: products, the course of their downloads, and actions at given times.
    public nonisolated let script: ScenarioScript
    /// The scenario's virtual clock, which the daemon uses instead of the system's.
    public nonisolated let clock: VirtualClock
    /// Whether the scenario's clock is advanced by requests or runs by itself.
    public nonisolated let clockMode: ScenarioScript.ClockMode
    private let storePath: String
    private(set) var environment: Environment?
    private var manager: StoreManager?
    /// The scripted events of the scenario that have not happened yet, in order.
    private var pending: ArraySlice<ScriptedEvent>
    private var lastAdvance: Task<Advance, any Error>?

    /// The simulated environment of the scenario: its store, and the transfers that replace the network.
    struct Environment {
        let store: ScenarioStore
        let transfers: ScenarioTransfers
    }

    private typealias Publication = (product: ScenarioScript.Product, release: ScenarioScript.Release)

    private struct ScriptedEvent {
        enum Kind {
            case publication(ScenarioScript.Product, ScenarioScript.Release)
            case step(ScenarioScript.Step)
        }
        let at: Duration
        let kind: Kind
    }

    /// The outcome of advancing the scenario's clock.
    public struct Advance: Sendable {
        /// The scripted steps that were performed while the clock advanced, in order.
        public internal(set) var steps: [StepOutcome] = []
        /// Whether the clock stopped early because the scenario's script restarts the daemon at this point.
        public internal(set) var restarts = false
    }

    /// The outcome of a step of the scenario's script.
    public struct StepOutcome: Sendable {
        /// The performed step as the scenario's script states it.
        public let step: ScenarioScript.Step
        /// The error of the scripted step, after which the scenario continues; `nil` if the step succeeded.
        public let error: ErrorReport?
    }

    /// Creates a scenario from its script; ``prepare()`` creates its store.
    ///
    /// - Parameters:
    ///   - home: the path of the scenario's data directory, which must be empty or not exist yet.
    ///   - mode: how the clock advances; `nil` uses the script's choice.
    public init(_ script: ScenarioScript, home: String, clock mode: ScenarioScript.ClockMode? = nil) {
        self.script = script
        clockMode = mode ?? script.clock
        clock = VirtualClock(begins: script.begins)
        storePath = home + "/scenario"
        let releases = script.products.flatMap { product in
            product.versions.map { ScriptedEvent(at: $0.appears, kind: .publication(product, $0)) }
        }
        let steps = script.steps.map { ScriptedEvent(at: $0.at, kind: .step($0)) }
        // A version is published before steps of the same time; the sort keeps the order of the script.
        pending =
            (releases + steps).enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
            .map(\.element)[...]
    }

    /// Checks that a data directory is empty or does not exist, so that no scenario touches a user's packs.
    ///
    /// - Throws: `scenario.home`; an error of the file system.
    public static func requireEmpty(_ home: String) throws {
        do {
            guard let entry = try Directory.open(home).entries().first else { return }
            throw StoreError(.scenarioHomeNotEmpty, ["home": .path(home), "entry": .untrusted(entry.name)])
        } catch let error as any CodedError {
            guard error.code == .fileMissing else { throw error }
        }
    }

    /// Creates the scenario's store with the products that it offers at the beginning.
    ///
    /// The caller holds the lock of the scenario's data directory.
    ///
    /// - Returns: replacements of the network: transfers, and the source of changes of connectivity.
    /// - Throws: `scenario.malformed` for flaws of the script that only appear now; an error of the file system.
    public func prepare() async throws -> (transfers: any Transferring, network: NetworkSource) {
        if let environment { return (environment.transfers, environment.transfers.network) }
        let store = try ScenarioStore(script, at: storePath)
        let environment = Environment(
            store: store, transfers: try ScenarioTransfers(store: store.published, clock: clock))
        self.environment = environment
        let first = pending.prefix { $0.at == .zero }.compactMap { event -> Publication? in
            if case .publication(let product, let release) = event.kind { (product, release) } else { nil }
        }
        try await publish(first)
        pending =
            pending.filter { event in
                if case .publication = event.kind { event.at > .zero } else { true }
            }[...]
        return (environment.transfers, environment.transfers.network)
    }

    /// Connects the scenario with the engine that it drives: the first one, or that of a restarted daemon.
    ///
    /// - Throws: an error of adding the scenario's store to the first engine.
    public func play(_ manager: StoreManager) async throws {
        let isBeginning = self.manager == nil
        self.manager = manager
        guard isBeginning, let address = URL(string: ScenarioStore.address) else { return }
        _ = try await manager.stores.add(name: script.store, url: address, unsigned: true, priority: 0)
    }

    // MARK: The clock

    /// Waits until nothing is in progress in the scenario, and returns the time of the next event.
    ///
    /// - Returns: the time since the beginning; `nil` if nothing will happen without a request.
    public func nextTime() async -> Duration? {
        await waitUntilIdle()
        return await next()?.due
    }

    /// Advances the scenario's clock and performs everything that is due until then, one event at a time.
    ///
    /// Returns when all consequences have happened. Concurrent calls are performed one after another.
    ///
    /// - Throws: an error of the file system while a version is published.
    public func advance(by duration: Duration) async throws -> Advance {
        let previous = lastAdvance
        let advance = Task {
            _ = await previous?.result
            return try await self.performAdvance(by: duration)
        }
        lastAdvance = advance
        return try await advance.value
    }

    /// Advances the scenario's clock in real time, until the task is cancelled or the script restarts the daemon.
    ///
    /// - Returns: whether the daemon must be restarted.
    /// - Throws: as ``advance(by:)``.
    public func run() async throws -> Bool {
        var last = ContinuousClock.now
        while !Task.isCancelled {
            // The interval is short enough that the progress looks continuous.
            try? await Task.sleep(for: .milliseconds(50))
            let now = ContinuousClock.now
            if try await advance(by: now - last).restarts { return true }
            last = now
        }
        return false
    }

    private enum NextEvent {
        case scripted
        case sleeper(Int)
        case check
    }

    private func performAdvance(by duration: Duration) async throws -> Advance {
        var advance = Advance()
        let target = clock.elapsed + duration
        while true {
            await waitUntilIdle()
            guard let next = await self.next(), next.due <= target else { break }
            clock.move(to: next.due)
            switch next.event {
            case .sleeper(let number): clock.wake(number)
            case .check: await manager?.updates.check()
            case .scripted:
                guard let event = pending.popFirst() else { continue }
                switch event.kind {
                case .publication(let product, let release):
                    try await publish([(product, release)])
                case .step(let step) where step.action == .restart:
                    advance.steps.append(StepOutcome(step: step, error: nil))
                    advance.restarts = true
                    return advance
                case .step(let step): advance.steps.append(await perform(step, with: manager))
                }
            }
        }
        clock.move(to: target)
        return advance
    }

    /// Waits until nothing more happens without advancing the scenario's clock.
    ///
    /// All events were delivered to observers then.
    private func waitUntilIdle() async {
        guard let manager else { return }
        while true {
            let lastEvent = manager.events.lastSequence
            let isWaiting: @Sendable (String) -> Bool = { [clock] in clock.isWaiting($0) }
            // Checked twice: one task may have released another between the checks of the two.
            if await manager.isIdle(isWaiting), await manager.isIdle(isWaiting),
                manager.events.lastSequence == lastEvent
            {
                break
            }
            // Something is being processed; nothing reports when that is done.
            try? await Task.sleep(for: .milliseconds(1))
        }
        await manager.events.flush()
    }

    private func next() async -> (due: Duration, event: NextEvent)? {
        var found: (due: Duration, event: NextEvent)?
        func consider(_ due: Duration, _ event: NextEvent) {
            if due < found?.due ?? due + .seconds(1) { found = (max(due, clock.elapsed), event) }
        }
        if let event = pending.first { consider(event.at, .scripted) }
        if let sleeper = clock.next { consider(sleeper.due, .sleeper(sleeper.number)) }
        if let manager, let interval = manager.settings.current.updatesCheckEvery {
            consider(clock.elapsed + (await manager.updates.timeToNextCheck(every: interval)), .check)
        }
        return found
    }

    // MARK: Publishing

    private func publish(_ releases: [Publication]) async throws {
        guard let environment, !releases.isEmpty else { return }
        let archives = try await environment.store.publish(releases, at: clock.date)
        for ((product, release), archive) in zip(releases, archives) {
            environment.transfers.add(archive, of: product, release)
        }
    }
}
