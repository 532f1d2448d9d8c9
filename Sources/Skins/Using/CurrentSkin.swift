import FoundationEssentials
public import StoreModel
import StoreSystem
import Synchronization

/// The skin in use, and the reason if it is not the chosen one.
public struct SkinStatus: Sendable, Hashable {
    /// The identifier of the skin that was chosen last; `nil` for the default skin.
    public var chosen: String?
    /// The identifiers of the skin in use and its ancestors, the nearest first; empty if no skin could be loaded.
    public var chain: [String]
    /// Why the chosen skin, or else the default skin, could not be loaded; `nil` if it was, or if there are no skins.
    public var problem: ErrorReport?

    /// Creates a status from its values.
    public init(chosen: String?, chain: [String], problem: ErrorReport?) {
        self.chosen = chosen
        self.chain = chain
        self.problem = problem
    }

    /// The identifier of the skin in use; `nil` if no skin could be loaded.
    public var inUse: String? { chain.first }
}

/// A change of the skin in use.
public struct SkinChange: Sendable {
    /// The status of the skin in use after the change.
    public let status: SkinStatus
    /// The skin in use after the change.
    public let skin: ResolvedSkin
    /// The identifiers whose values, component or asset contents differ from those of the previous skin, in byte order.
    ///
    /// The list is empty if only the status changed.
    public let identifiers: [String]
}

/// The sequence of changes of the skin in use.
///
/// Each iterator delivers all changes after its creation; a slow one receives several changes merged into one.
public struct SkinChanges: AsyncSequence, Sendable {
    let current: CurrentSkin

    public func makeAsyncIterator() -> Iterator {
        let (wakeups, generation) = current.subscribe()
        return Iterator(current: current, wakeups: wakeups.makeAsyncIterator(), generation: generation)
    }

    /// An iterator over changes of the skin in use.
    public struct Iterator: AsyncIteratorProtocol {
        let current: CurrentSkin
        var wakeups: AsyncStream<Void>.Iterator
        /// The number of the last change that the iterator has delivered.
        var generation: Int

        /// Waits for the next change.
        ///
        /// - Returns: `nil` if the task was cancelled, or if the manager no longer exists.
        public mutating func next() async -> SkinChange? {
            while true {
                if let (change, newest) = current.change(since: generation) {
                    generation = newest
                    return change
                }
                guard await wakeups.next() != nil else { return nil }
            }
        }
    }
}

/// The skin in use, and the subscribers to its changes.
final class CurrentSkin: Sendable {
    private let state: Mutex<State>

    private struct State {
        var skin: ResolvedSkin
        var status: SkinStatus
        var generation = 0
        /// The generation (number of a change) in which each identifier changed last.
        var changedIn: [String: Int] = [:]
        var subscribers: [Int: AsyncStream<Void>.Continuation] = [:]
        var lastSubscriber = 0
    }

    init(_ skin: ResolvedSkin) {
        state = Mutex(State(skin: skin, status: SkinStatus(chosen: nil, chain: [], problem: nil)))
    }

    deinit {
        for subscriber in state.withLock({ $0.subscribers.values }) { subscriber.finish() }
    }

    var skin: ResolvedSkin { state.withLock { $0.skin } }
    var status: SkinStatus { state.withLock { $0.status } }

    /// Replaces the skin, and wakes the subscribers if anything changed.
    ///
    /// - Parameter identifiers: the identifiers whose definition differs from that of the previous skin.
    func set(_ skin: ResolvedSkin, _ status: SkinStatus, changed identifiers: [String]) {
        let subscribers = state.withLock { state in
            state.skin = skin
            guard state.status != status || !identifiers.isEmpty else { return [] as [AsyncStream<Void>.Continuation] }
            state.status = status
            state.generation += 1
            for identifier in identifiers { state.changedIn[identifier] = state.generation }
            return Array(state.subscribers.values)
        }
        for subscriber in subscribers { subscriber.yield() }
    }

    /// Returns the changes after a generation merged into one, with the newest generation; `nil` if there are none.
    func change(since generation: Int) -> (SkinChange, Int)? {
        state.withLock { state in
            guard state.generation > generation else { return nil }
            let changed = state.changedIn.filter { $0.value > generation }.map(\.key).sorted { $0.isBefore($1) }
            return (SkinChange(status: state.status, skin: state.skin, identifiers: changed), state.generation)
        }
    }

    /// Returns a stream that yields after each change, and the current generation.
    func subscribe() -> (AsyncStream<Void>, Int) {
        let (wakeups, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let (number, generation) = state.withLock { state in
            state.lastSubscriber += 1
            state.subscribers[state.lastSubscriber] = continuation
            return (state.lastSubscriber, state.generation)
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { state in
                state.subscribers[number] = nil
            }
        }
        return (wakeups, generation)
    }
}

/// A resolved skin with the identities of its asset files, for comparison with its successor.
struct AppliedSkin: Sendable {
    let skin: ResolvedSkin
    private let files: [SkinAsset: AssetFile]

    private struct AssetFile: Hashable {
        let device: UInt64
        let inode: UInt64
        let size: Int
        let changedAt: Date
    }

    /// Records the identity of each asset that the skin names.
    ///
    /// Blocks.
    init(_ skin: ResolvedSkin, _ vocabulary: SkinVocabulary) {
        self.skin = skin
        var files: [SkinAsset: AssetFile] = [:]
        for entity in skin.entities {
            for asset in entity.assets(vocabulary) where files[asset] == nil {
                guard let status = try? skin.assets.directories[asset.skin]?.status(of: asset.path) else { continue }
                files[asset] = AssetFile(
                    device: status.device, inode: status.inode, size: status.size, changedAt: status.changedAt)
            }
        }
        self.files = files
    }

    /// Returns the identifiers whose definition differs in another skin, in byte order.
    func identifiers(changedIn other: AppliedSkin, _ vocabulary: SkinVocabulary) -> [String] {
        var (old, new, changed) = (skin.entities[...], other.skin.entities[...], [String]())
        while let a = old.first, let b = new.first {
            if a.identifier.isBefore(b.identifier) {
                changed.append(a.identifier)
                old.removeFirst()
            } else if b.identifier.isBefore(a.identifier) {
                changed.append(b.identifier)
                new.removeFirst()
            } else {
                if a != b || b.assets(vocabulary).contains(where: { files[$0] != other.files[$0] }) {
                    changed.append(b.identifier)
                }
                old.removeFirst()
                new.removeFirst()
            }
        }
        return changed + old.map(\.identifier) + new.map(\.identifier)
    }
}

extension SkinEntity {
    /// Returns the assets that the entity's values name.
    public func assets(_ vocabulary: SkinVocabulary) -> [SkinAsset] {
        operations.flatMap { $0.parameters.flatMap { vocabulary.assets(in: $0.value) } }
    }
}
