public import StoreModel

/// A skin for one idiom with everything that it inherits folded in: what it says for each identifier.
///
/// It is a value that can be kept and read from any thread; where it was compiled, each entity is read from the mapped
/// file when it is asked for.
public struct ResolvedSkin: Sendable {
    public let idiom: SkinIdiom
    /// The skin itself first, then what it inherits from, the nearest first; never empty.
    public let chain: [Link]
    let store: any EntityStore
    let assets: SkinAssets

    /// One skin of the chain.
    public struct Link: Sendable, Hashable {
        public let identifier: String
        /// For people; the identifier where the skin has no name.
        public let name: String
        public let version: Version?
    }

    public var identifier: String { chain[0].identifier }
    public var name: String { chain[0].name }
    public var version: Version? { chain[0].version }

    /// How many identifiers it says something for.
    public var count: Int { store.count }

    /// The identifiers that it says something for, in the order of their bytes.
    public var identifiers: [String] { (0..<count).compactMap { store.entity($0)?.identifier } }

    /// Everything that it says, in the order of the identifiers.
    public var entities: [SkinEntity] { (0..<count).compactMap { store.entity($0) } }

    /// What it says for an identifier; `nil` where it says nothing.
    public subscript(identifier: String) -> SkinEntity? { store.entity(identifier) }

    /// The bytes of an asset, from memory where the skin asked for it to be kept.
    ///
    /// - Throws: `skin.not-found` where the asset's skin is none of the chain; what the disk says. Blocks while it reads.
    public func bytes(of asset: SkinAsset) throws -> [UInt8] { try assets.bytes(of: asset) }

    /// The absolute path of an asset; `nil` where the asset's skin is none of the chain.
    public func path(of asset: SkinAsset) -> String? { assets.path(of: asset) }
}

/// Where the entities of a resolved skin are.
protocol EntityStore: Sendable {
    var count: Int { get }
    /// By its place in the order of the identifiers; `nil` where there is none.
    func entity(_ place: Int) -> SkinEntity?
    func entity(_ identifier: String) -> SkinEntity?
}

/// Entities in memory, in the order of their identifiers' bytes.
struct EntityList: EntityStore {
    let entities: [SkinEntity]

    var count: Int { entities.count }
    func entity(_ place: Int) -> SkinEntity? { entities.indices.contains(place) ? entities[place] : nil }

    func entity(_ identifier: String) -> SkinEntity? {
        var (low, high) = (0, entities.count)
        while low < high {
            let middle = (low + high) / 2
            if entities[middle].identifier.isBefore(identifier) { low = middle + 1 } else { high = middle }
        }
        guard low < entities.count, entities[low].identifier.utf8.elementsEqual(identifier.utf8) else { return nil }
        return entities[low]
    }
}
