/// A change of an installed pack, as an event reports it.
public struct PackChange: Sendable, Hashable, Codable {
    /// What happened to an installed pack, such as its installation or removal.
    public enum Change: String, Sendable, Codable, CaseIterable {
        case installed, updated, removed
        /// The pack is held from now on (updates skip it), or no longer.
        case held
        /// Other properties of the pack changed, such as its states.
        case changed
        /// Verification found differences between an installed pack's files and its receipt, which lists their hashes.
        ///
        /// Published once for the same differences until the daemon restarts.
        case damaged
    }
    public var productIdentifier: String
    public var kind: ProductKind
    public var change: Change
    @OrNull public var version: Version?
    /// The number of the pack's damaged files, for the change ``Change/damaged``; else `nil`.
    public var damages: Int?
    /// Whether updates skip the pack unless they name it; `nil` if it was removed, and in events of earlier releases.
    public var held: Bool?
    /// The pack after the change, as lists and snapshots describe it, with its name in the default language.
    ///
    /// `nil` if it was removed, and in events of earlier releases.
    public var pack: InstalledPack?
    /// The pack's name in all its languages, by language tag; `nil` if it has only one.
    public var names: LocalizedText?

    public init(
        productIdentifier: String, kind: ProductKind, change: Change, version: Version?, damages: Int? = nil,
        pack: InstalledPack? = nil, names: LocalizedText? = nil
    ) {
        self.productIdentifier = productIdentifier
        self.kind = kind
        self.change = change
        self.version = version
        self.damages = damages
        self.pack = pack
        self.names = names
        held = pack?.held
    }
}
