public import StoreSystem

/// A type that has the files of an unpacked pack checked by the rules of its kind, in this process or in another one.
public protocol ContentChecking: Sendable {
    /// Checks the files of an unpacked pack before it is committed.
    ///
    /// Blocks while it waits for the disk.
    ///
    /// - Parameter cancellation: checked before each file, or twenty times in a second.
    /// - Throws: as ``ContentKind/check(_:cancellation:)-(Directory,_)``.
    func check(_ pack: Directory, as kind: any ContentKind, cancellation: CancellationFlag) throws

    /// Checks the files of packs in memory, of the same kind, before any of them is written to the disk.
    ///
    /// Blocks.
    ///
    /// - Parameter cancellation: checked before each file, or twenty times in a second.
    /// - Throws: as ``ContentKind/check(_:cancellation:)-(Directory,_)``, for the first pack that breaks a rule.
    func check(_ packs: SharedFileTrees, as kind: any MemoryCheckableKind, cancellation: CancellationFlag) throws
}

/// A checker that reads the files of packs in this process.
public struct ContentChecker: ContentChecking {
    /// Creates a checker.
    public init() {}

    public func check(_ pack: Directory, as kind: any ContentKind, cancellation: CancellationFlag) throws {
        try kind.check(pack, cancellation: cancellation)
    }

    public func check(
        _ packs: SharedFileTrees, as kind: any MemoryCheckableKind, cancellation: CancellationFlag
    ) throws {
        for pack in packs.trees { try kind.check(PackContents(pack), cancellation: cancellation) }
    }
}
