import FoundationEssentials
public import StoreModel
import StoreSystem
import Synchronization

/// Which skin is in use, and the reason if it is not the one that the user chose.
public struct SkinStatus: Sendable, Hashable {
    /// The identifier of the skin that the user chose last; `nil` for the default skin.
    public var chosen: String?
    /// The identifiers of the skin in use and its ancestors, the nearest first; empty if no skin could be loaded.
    public var chain: [String]
    /// Why the chosen skin, or else the default skin, could not be loaded.
    ///
    /// `nil` if it was loaded, or if the application has neither skins nor directories for preinstalled ones.
    public var problem: ErrorReport?

    /// Creates a status that says which skin is in use.
    public init(chosen: String?, chain: [String], problem: ErrorReport?) {
        self.chosen = chosen
        self.chain = chain
        self.problem = problem
    }

    /// The identifier of the skin in use; `nil` if no skin could be loaded.
    public var inUse: String? { chain.first }
}

/// A change of the skin in use: the new skin, and the identifiers whose appearance changed.
public struct SkinChange: Sendable {
    /// Which skin is in use after the change, and the reason if it is not the one that the user chose.
    public let status: SkinStatus
    /// The skin in use after the change, with all its values.
    public let skin: ResolvedSkin
    /// The identifiers whose values, component or asset contents differ from the previous skin's, in byte order.
    ///
    /// The list is empty if only the status changed.
    public let identifiers: [String]
}

/// An asynchronous sequence of the changes of the skin in use.
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
        /// The number of the last change of the skin that the iterator has delivered.
        var generation: Int

        /// Returns the change of the skin in use since the last one that was delivered; `nil` if there is none.
        public mutating func nextIfChanged() -> SkinChange? {
            guard let (change, newest) = current.change(since: generation) else { return nil }
            generation = newest
            return change
        }

        /// Waits for the next change of the skin in use.
        ///
        /// - Returns: `nil` if the task was cancelled, or if the manager no longer exists.
        public mutating func next() async -> SkinChange? {
            while true {
                if let change = nextIfChanged() { return change }
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
        /// The generation (number of a change) in which the appearance of each identifier changed last.
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

    /// Replaces the skin in use, and wakes the subscribers if anything changed.
    ///
    /// - Parameter identifiers: the identifiers whose definition differs from that of the previous skin.
    func set(_ skin: ResolvedSkin, _ status: SkinStatus, changed identifiers: [String]) {
        let subscribers = state.withLock { state in
            // Another version of a skin may have the same definitions.
            let isSame = state.skin.chain == skin.chain && state.status == status && identifiers.isEmpty
            state.skin = skin
            guard !isSame else { return [] as [AsyncStream<Void>.Continuation] }
            state.status = status
            state.generation += 1
            for identifier in identifiers { state.changedIn[identifier] = state.generation }
            return Array(state.subscribers.values)
        }
        for subscriber in subscribers { subscriber.yield() }
    }

    /// Returns the changes of the skin after a generation (number of a change), merged into one; `nil` if none.
    ///
    /// The second value is the newest generation.
    func change(since generation: Int) -> (SkinChange, Int)? {
        state.withLock { state in
            guard state.generation > generation else { return nil }
            let changed = state.changedIn.filter { $0.value > generation }.map(\.key).sorted { $0.isBefore($1) }
            return (SkinChange(status: state.status, skin: state.skin, identifiers: changed), state.generation)
        }
    }

    /// Returns a stream that yields after each change of the skin, and the current generation.
    ///
    /// The generation is the number of the last change.
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

/// A skin with the identities of its asset files, so that it can be compared with its successor.
struct AppliedSkin: Sendable {
    let skin: ResolvedSkin
    private let files: [SkinAsset: AssetFile]

    private struct AssetFile: Hashable {
        let device: UInt64
        let inode: UInt64
        let size: Int
        let changedAt: Date
    }

    /// Records the skin, and the identity of each asset file that it names.
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

    /// Returns the identifiers whose definition or assets differ in another skin, in byte order.
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
    /// Returns the assets (such as images) that the entity's values name.
    public func assets(_ vocabulary: SkinVocabulary) -> [SkinAsset] {
        operations.flatMap { $0.parameters.flatMap { vocabulary.assets(in: $0.value) } }
    }
}
