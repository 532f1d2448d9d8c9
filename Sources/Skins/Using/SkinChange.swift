public import StoreModel

/// Which skin is in use, and whether it is the one that was asked for.
public struct SkinStatus: Sendable, Hashable {
    /// What was asked for last; `nil` is the default.
    public var chosen: String?
    /// The skin that is applied, and what it inherits from, itself first; empty where none could be loaded.
    public var chain: [String]
    /// Why what was asked for is not what is applied; `nil` where it is.
    public var problem: ErrorReport?

    public init(chosen: String?, chain: [String], problem: ErrorReport?) {
        self.chosen = chosen
        self.chain = chain
        self.problem = problem
    }

    public var inUse: String? { chain.first }
}

/// What is different from what was told before.
public struct SkinChange: Sendable {
    public let status: SkinStatus
    /// The skin that is applied now.
    public let skin: ResolvedSkin
    /// For which identifiers it says something else than what was applied before: values, component, or the content of an
    /// asset. In the order of their bytes; empty where only the status changed.
    public let identifiers: [String]
}

/// Changes of the skin in use. Each iterator is told of all that changes after it was made; who is slow is told once of
/// what changed in the meantime.
public struct SkinChanges: AsyncSequence, Sendable {
    let board: CurrentSkin

    public func makeAsyncIterator() -> Iterator {
        let (bell, seen) = board.subscribe()
        return Iterator(board: board, bell: bell.makeAsyncIterator(), seen: seen)
    }

    public struct Iterator: AsyncIteratorProtocol {
        let board: CurrentSkin
        var bell: AsyncStream<Void>.Iterator
        var seen: Int

        /// - Returns: `nil` when the task is cancelled or the manager is gone.
        public mutating func next() async -> SkinChange? {
            while true {
                if let (change, generation) = board.change(since: seen) {
                    seen = generation
                    return change
                }
                guard await bell.next() != nil else { return nil }
            }
        }
    }
}
