import FoundationEssentials
public import StoreDownloads
public import StoreEngine
public import StoreModel
import StorePublishing
import StoreSystem
public import StoreTransfers

/// A story that is being played: makes its store, lets happen what it tells, and moves its clock.
///
/// It outlives the daemon's restarts, which are a part of the story.
public actor Scenario {
    public nonisolated let story: Story
    public nonisolated let clock: StoryClock
    public nonisolated let clockMode: Story.Clock
    private let storePath: String
    private(set) var stage: Stage?
    private var manager: StoreManager?
    /// What is still to happen by itself, in order.
    private var coming: ArraySlice<Happening>
    private var lastMove: Task<Move, any Error>?

    /// What the story is played on.
    struct Stage {
        let store: StoryStore
        let transfers: StoryTransfers
    }

    private typealias Appearing = (product: Story.Product, release: Story.Release)

    private struct Happening {
        enum Kind {
            case appears(Story.Product, Story.Release)
            case step(Story.Step)
        }
        let at: Duration
        let kind: Kind
    }

    /// What came of moving the clock.
    public struct Move: Sendable {
        /// What happened by itself meanwhile, in order.
        public internal(set) var steps: [Done] = []
        /// The clock has stopped before its time, because the daemon is to end and start again now.
        public internal(set) var restarts = false
    }

    /// A step that was made.
    public struct Done: Sendable {
        public let step: Story.Step
        /// Why it could not be.
        public let error: ErrorReport?
    }

    /// - Parameters:
    ///   - home: an empty folder, or one that is not there yet.
    ///   - clock: who moves it; `nil` leaves that to the story.
    public init(_ story: Story, home: String, clock mode: Story.Clock? = nil) {
        self.story = story
        clockMode = mode ?? story.clock
        clock = StoryClock(begins: story.begins)
        storePath = home + "/story"
        let releases = story.products.flatMap { product in
            product.versions.map { Happening(at: $0.appears, kind: .appears(product, $0)) }
        }
        let steps = story.steps.map { Happening(at: $0.at, kind: .step($0)) }
        // What appears in a moment is there for the steps of the same one; the sort keeps the order of the document.
        coming =
            (releases + steps).enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
            .map(\.element)[...]
    }

    /// Refuses a home that holds something: nobody's packs are to end in a story.
    ///
    /// - Throws: `scenario.home`; what the disk says.
    public static func requireEmpty(_ home: String) throws {
        do {
            guard let entry = try Directory.open(home).entries().first else { return }
            throw ScenarioError(
                .scenarioHome,
                "A story is not played in '\(home)', which holds '\(entry.name)'. "
                    + "Name an empty folder, or a new one, with --home.")
        } catch let error as FileError {
            guard error.code == .fileMissing else { throw error }
        }
    }

    /// Makes the store, with what it has at the beginning. The home must be the caller's by now.
    ///
    /// - Returns: what brings bytes in the story, and where it is heard of that its network changed.
    /// - Throws: `scenario.malformed` for what only shows now; what the disk says.
    public func prepare() async throws -> (transfers: any Transferring, network: NetworkSource) {
        if let stage { return (stage.transfers, stage.transfers.network) }
        let store = try StoryStore(story, at: storePath)
        let stage = Stage(store: store, transfers: try StoryTransfers(store: store.published, clock: clock))
        self.stage = stage
        let first = coming.prefix { $0.at == .zero }.compactMap { happening -> Appearing? in
            if case .appears(let product, let release) = happening.kind { (product, release) } else { nil }
        }
        try await publish(first)
        coming =
            coming.filter { happening in
                if case .appears = happening.kind { happening.at > .zero } else { true }
            }[...]
        return (stage.transfers, stage.transfers.network)
    }

    /// Goes on with this manager, at the beginning and after each restart.
    ///
    /// - Throws: what keeps the manager from using the store.
    public func play(_ manager: StoreManager) async throws {
        let isBeginning = self.manager == nil
        self.manager = manager
        guard isBeginning, let address = URL(string: StoryStore.address) else { return }
        _ = try await manager.stores.add(name: story.store, url: address, unsigned: true, priority: 0)
    }

    // MARK: The clock

    /// When something is to happen next that is not for somebody to ask for; `nil` where nothing is. What needs no time has
    /// happened before.
    public func nextTime() async -> Duration? {
        await rest()
        return await next()?.due
    }

    /// Moves the clock, and lets happen one after another what is due until then. Returns when all that follows from it
    /// has happened; a second move waits for the first.
    ///
    /// - Throws: what keeps a version from appearing: the disk.
    public func advance(by duration: Duration) async throws -> Move {
        let before = lastMove
        let move = Task {
            _ = await before?.result
            return try await self.move(by: duration)
        }
        lastMove = move
        return try await move.value
    }

    /// Moves the clock as the machine's does, until the task is cancelled or the story wants the daemon to start anew.
    ///
    /// - Returns: whether the daemon is to start anew.
    /// - Throws: as ``advance(by:)``.
    public func run() async throws -> Bool {
        var last = ContinuousClock.now
        while !Task.isCancelled {
            // More often than anybody sees.
            try? await Task.sleep(for: .milliseconds(50))
            let now = ContinuousClock.now
            if try await advance(by: now - last).restarts { return true }
            last = now
        }
        return false
    }

    private enum Next {
        case happening
        case sleeper(Int)
        case check
    }

    private func move(by duration: Duration) async throws -> Move {
        var move = Move()
        let target = clock.elapsed + duration
        while true {
            await rest()
            guard let next = await self.next(), next.due <= target else { break }
            clock.move(to: next.due)
            switch next.what {
            case .sleeper(let number): clock.wake(number)
            case .check: await manager?.updates.check()
            case .happening:
                guard let happening = coming.popFirst() else { continue }
                switch happening.kind {
                case .appears(let product, let release):
                    try await publish([(product, release)])
                case .step(let step) where step.action == .restart:
                    move.steps.append(Done(step: step, error: nil))
                    move.restarts = true
                    return move
                case .step(let step): move.steps.append(await make(step, with: manager))
                }
            }
        }
        clock.move(to: target)
        return move
    }

    /// Returns when nothing more happens before time passes, and observers were told of all that did.
    private func rest() async {
        guard let manager else { return }
        while true {
            let before = manager.events.lastSequence
            let isAtRest: @Sendable (String) -> Bool = { [clock] in clock.isWaiting($0) }
            // Twice: one task may have let go of another in the moment between the looks at the two.
            if await manager.isIdle(isAtRest), await manager.isIdle(isAtRest), manager.events.lastSequence == before {
                break
            }
            // It is the machine that works now, for moments, and nothing tells when it is done.
            try? await Task.sleep(for: .milliseconds(1))
        }
        await manager.events.flush()
    }

    private func next() async -> (due: Duration, what: Next)? {
        var found: (due: Duration, what: Next)?
        func consider(_ due: Duration, _ what: Next) {
            if due < found?.due ?? due + .seconds(1) { found = (max(due, clock.elapsed), what) }
        }
        if let happening = coming.first { consider(happening.at, .happening) }
        if let sleeper = clock.next { consider(sleeper.due, .sleeper(sleeper.number)) }
        if let manager, let interval = manager.settings.current.updatesCheckEvery {
            consider(clock.elapsed + (await manager.updates.timeToNextCheck(every: interval)), .check)
        }
        return found
    }

    // MARK: What happens

    private func publish(_ releases: [Appearing]) async throws {
        guard let stage, !releases.isEmpty else { return }
        let archives = try await stage.store.publish(releases, at: clock.date)
        for ((product, release), archive) in zip(releases, archives) {
            stage.transfers.add(archive, of: product, release)
        }
    }
}
