public import StoreModel
import StoreSystem

/// A skin for one device idiom, merged with the skins that it inherits from: its values for each identifier.
///
/// The value can be stored and used from any thread. If the skin was compiled, each entity is decoded from the mapped
/// file when it is requested.
public struct ResolvedSkin: Sendable {
    public let idiom: SkinIdiom
    /// The skin itself, followed by its ancestors, the nearest first; never empty.
    public let chain: [Link]
    let store: any EntityStore
    let assets: SkinAssets

    /// One skin of an inheritance chain.
    public struct Link: Sendable, Hashable {
        public let identifier: String
        /// The name of the skin for display; the identifier if the skin has none.
        public let name: String
        public let version: Version?
    }

    /// The skin's identifier.
    public var identifier: String { chain[0].identifier }
    /// The name of the skin for display.
    public var name: String { chain[0].name }
    /// The version of the skin; `nil` if it has none.
    public var version: Version? { chain[0].version }

    /// The number of identifiers that the skin defines.
    public var count: Int { store.count }

    /// The identifiers that the skin defines, in byte order.
    public var identifiers: [String] { (0..<count).compactMap { store.entity($0)?.identifier } }

    /// The definitions for all identifiers, in byte order of the identifiers.
    public var entities: [SkinEntity] { (0..<count).compactMap { store.entity($0) } }

    /// The definition for an identifier; `nil` if the skin has none.
    public subscript(identifier: String) -> SkinEntity? { store.entity(identifier) }

    /// Returns the content of an asset; from memory, if the skin requests caching of the asset.
    ///
    /// Blocks while the file is read.
    ///
    /// - Throws: `skin.not-found` if the asset's skin is not in the chain; `skin.unknown-asset` if its path is invalid;
    ///   an error of the file system.
    public func bytes(of asset: SkinAsset) throws -> [UInt8] { try assets.bytes(of: asset) }

    /// Returns the absolute path of an asset; `nil` if the asset's skin is not in the chain.
    public func path(of asset: SkinAsset) -> String? { assets.path(of: asset) }
}

/// The definition of a resolved skin for one identifier: a component type and the operations on it.
public struct SkinEntity: Sendable, Hashable {
    public let identifier: String
    /// The name of the component type, such as `uilabel`.
    public let component: String
    /// The operations in order of their names, each at most once; all are supported by the component.
    public let operations: [Operation]

    /// An operation of a skin with the values of its parameters.
    public struct Operation: Sendable, Hashable {
        public let name: String
        /// The parameters in the order of the operation's definition; at least one.
        public let parameters: [Parameter]

        /// The value of the parameter with a name; `nil` if the operation has none.
        public subscript(parameter: String) -> SkinValue? { parameters.first { $0.name == parameter }?.value }
    }

    /// A parameter of an operation: a name and a value.
    public struct Parameter: Sendable, Hashable {
        public let name: String
        public let value: SkinValue
    }

    /// The operation with a name, as in `entity["backgroundColor"]?["color"]?.value(as: .color)`; `nil` if there is
    /// none.
    public subscript(operation: String) -> Operation? { operations.first { $0.name == operation } }
}

/// One typed value of a resolved skin.
public struct SkinValue: Sendable, Hashable {
    /// The name of the value's ``ObjectType``.
    public let type: String
    /// The canonical text of the value.
    public let text: String

    /// Creates a value from its canonical text.
    public init(type: String, text: String) {
        self.type = type
        self.text = text
    }

    /// Returns the value in its own Swift type, as in `value(as: .color)`; `nil` if it has another type.
    public func value<T: ObjectType>(as type: T) -> T.Value? {
        self.type == type.name ? type.value(ofText: text) : nil
    }
}

/// An image or other file in the directory `assets` of one of the skins in a chain.
public struct SkinAsset: Sendable, Hashable {
    /// The identifier of the skin that contains the file.
    public let skin: String
    /// The path in the skin's directory, such as `assets/bubble~tablet.png`.
    public let path: String
    /// Whether the skin requests that the file is cached in memory.
    public let isCached: Bool

    /// Creates a reference to an asset.
    public init(skin: String, path: String, isCached: Bool = false) {
        self.skin = skin
        self.path = path
        self.isCached = isCached
    }
}

/// The storage of a resolved skin's entities.
protocol EntityStore: Sendable {
    var count: Int { get }
    /// Returns the entity at an index in byte order of the identifiers; `nil` if there is none.
    func entity(_ index: Int) -> SkinEntity?
    /// Returns the entity of an identifier; `nil` if there is none.
    func entity(_ identifier: String) -> SkinEntity?
}

/// The entities of a resolved skin in memory, in byte order of their identifiers.
struct EntityList: EntityStore {
    let entities: [SkinEntity]

    var count: Int { entities.count }

    func entity(_ index: Int) -> SkinEntity? { entities.indices.contains(index) ? entities[index] : nil }

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

/// The directories of a chain of skins, from which assets are read, with a cache for images.
struct SkinAssets: Sendable {
    /// The skins' directories, by the identifier of the skin.
    let directories: [String: Directory]
    let cache: AssetCache

    init(_ chain: [SkinDirectory], cache: AssetCache) {
        directories = Dictionary(chain.map { ($0.identifier, $0.directory) }) { first, _ in first }
        self.cache = cache
    }

    func bytes(of asset: SkinAsset) throws -> [UInt8] {
        guard let directory = directories[asset.skin] else {
            throw StoreError(.skinAssetOwnerMissing, ["asset": .untrusted(asset.path), "skin": asset.skin])
        }
        // The path may come from a caller or a forged compiled file.
        guard asset.path.hasPrefix(AssetIndex.directoryName + "/"),
            !asset.path.utf8.split(separator: UInt8(ascii: "/")).contains(where: { $0.elementsEqual("..".utf8) })
        else {
            throw StoreError(.skinAssetUnknown, ["asset": .untrusted(asset.path), "skin": asset.skin])
        }
        return try cache.bytes(of: asset, in: directory)
    }

    func path(of asset: SkinAsset) -> String? { directories[asset.skin]?.path(of: asset.path) }
}
