public import StoreModel
import StoreSystem

/// A skin for one type of device, merged with the skins that it inherits from: its values for each identifier.
///
/// The value can be stored and used from any thread. If the skin was compiled, each entity is decoded from the
/// compiled file when it is requested.
public struct ResolvedSkin: Sendable {
    public let idiom: SkinIdiom
    /// The skin itself, followed by the skins that it inherits from, the nearest first; never empty.
    public let chain: [Link]
    let store: any EntityStore
    let assets: SkinAssets

    /// One skin of a chain of inheritance (a skin and those that it inherits from): its identifier, name and version.
    public struct Link: Sendable, Hashable {
        public let identifier: String
        /// The display name of the skin; the skin's identifier if it has no name.
        public let name: String
        public let version: Version?
    }

    /// The identifier of the skin, which is also its product identifier.
    public var identifier: String { chain[0].identifier }
    /// The display name of the skin.
    public var name: String { chain[0].name }
    /// The version of the skin; `nil` if it has none.
    public var version: Version? { chain[0].version }

    /// The number of identifiers (names of user-interface objects) for which the skin has a definition.
    public var count: Int { store.count }

    /// The identifiers (names of user-interface objects) for which the skin has a definition, in byte order.
    public var identifiers: [String] { (0..<count).compactMap { store.entity($0)?.identifier } }

    /// The skin's definitions for all identifiers of user-interface objects, in byte order of the identifiers.
    public var entities: [SkinEntity] { store.all }

    /// The skin's definition for the identifier of a user-interface object; `nil` if the skin has none.
    public subscript(identifier: String) -> SkinEntity? { store.entity(identifier) }

    /// Returns the content of one of the skin's assets (such as an image); from memory, if the skin requests caching.
    ///
    /// Blocks while the file is read.
    ///
    /// - Throws: `skin.not-found` if the asset's skin is not in the chain; `skin.unknown-asset` if its path is invalid;
    ///   an error of the file system.
    public func bytes(of asset: SkinAsset) throws -> [UInt8] { try assets.bytes(of: asset) }

    /// Returns the absolute path of one of the skin's assets.
    ///
    /// `nil` if the asset belongs to a skin that is neither this one nor one that it inherits from.
    public func path(of asset: SkinAsset) -> String? { assets.path(of: asset) }
}

/// A skin's definition for one identifier: the component type of the user-interface object, and operations on it.
public struct SkinEntity: Sendable, Hashable {
    public let identifier: String
    let componentName: InternedName
    /// The skin operations on the object, ordered by name, each at most once; all are supported by the component.
    public let operations: [Operation]

    /// The name of the user-interface object's component type, such as `uilabel`.
    public var component: String { componentName.text }

    /// A skin operation (a change of appearance, such as `backgroundColor`) with the values of its parameters.
    public struct Operation: Sendable, Hashable {
        let internedName: InternedName
        /// The parameters with their values in the order in which the skin operation declares them; at least one.
        public let parameters: Parameters

        /// The name of the skin operation, such as `backgroundColor`.
        public var name: String { internedName.text }

        /// The value of the skin operation's parameter with this name; `nil` if the operation has none.
        public subscript(parameter: String) -> SkinValue? { parameters.first { $0.name == parameter }?.value }
    }

    /// A parameter of a skin operation: a name and a value.
    public struct Parameter: Sendable, Hashable {
        let internedName: InternedName
        public let value: SkinValue

        /// The name of the parameter, such as `color`.
        public var name: String { internedName.text }
    }

    /// The parameters of a skin operation, at least one, in the order in which the operation declares them.
    public struct Parameters: RandomAccessCollection, Sendable, Hashable {
        // Nearly all operations have one parameter, which needs no array.
        @usableFromInline let leading: Parameter
        /// The parameters after the first; `nil` if there are none, which is copied faster than an empty array.
        @usableFromInline let others: [Parameter]?

        // Inlined, so that one parameter is stored without a look at the others.
        @inline(__always)
        init(_ leading: Parameter, _ others: [Parameter] = []) {
            self.leading = leading
            self.others = others.isEmpty ? nil : others
        }

        /// Creates the parameters of an operation; `nil` if there are none.
        init?(_ parameters: [Parameter]) {
            guard let leading = parameters.first else { return nil }
            self.init(leading, parameters.count == 1 ? [] : Array(parameters.dropFirst()))
        }

        /// A size in bytes that the texts of all values together do not exceed.
        var valueSize: Int {
            leading.value.content.maximumTextSize + (others ?? []).reduce(0) { $0 + $1.value.content.maximumTextSize }
        }

        /// The index of the first parameter: 0.
        @inlinable public var startIndex: Int { 0 }
        /// The number of parameters.
        @inlinable public var endIndex: Int { 1 + (others?.count ?? 0) }
        /// The parameter at an index, in the order in which the operation declares them.
        @inlinable public subscript(position: Int) -> Parameter { position == 0 ? leading : others![position - 1] }
    }

    /// The skin operation with this name; `nil` if there is none.
    ///
    /// An example is `entity["backgroundColor"]?["color"]?.value(as: .color)`.
    public subscript(operation: String) -> Operation? { operations.first { $0.name == operation } }
}

/// A reference to an asset: an image or other file in the directory `assets` of a skin.
public struct SkinAsset: Sendable, Hashable {
    /// The identifier of the skin whose directory contains the asset.
    public let skin: String
    /// The path of the asset in the skin's directory, such as `assets/bubble~tablet.png`.
    public let path: String
    /// Whether the skin requests that the asset is cached in memory.
    public let isCached: Bool

    /// Creates a reference to an asset (an image or other file) of a skin.
    public init(skin: String, path: String, isCached: Bool = false) {
        self.skin = skin
        self.path = path
        self.isCached = isCached
    }
}

/// The storage of a skin's entities (definitions for an identifier): in memory, or in a compiled file.
protocol EntityStore: Sendable {
    var count: Int { get }
    /// All of the skin's definitions in byte order of the identifiers, without those that are damaged.
    var all: [SkinEntity] { get }
    /// Returns the skin's definition at an index in byte order of the identifiers; `nil` if there is none.
    func entity(_ index: Int) -> SkinEntity?
    /// Returns the skin's definition for an identifier; `nil` if there is none.
    func entity(_ identifier: String) -> SkinEntity?
}

/// The entities of a skin (definitions for an identifier) in memory, in byte order of their identifiers.
struct EntityList: EntityStore {
    let entities: [SkinEntity]

    var count: Int { entities.count }
    var all: [SkinEntity] { entities }

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

/// The directories of a skin and its ancestors, from which assets (such as images) are read, with a cache.
struct SkinAssets: Sendable {
    /// The opened directories of the skins, by the identifier of the skin.
    let directories: [String: Directory]
    let cache: AssetCache

    init(_ chain: [SkinDirectory], cache: AssetCache) {
        directories = Dictionary(chain.map { ($0.identifier, $0.directory) }) { first, _ in first }
        self.cache = cache
    }

    /// Returns the content of an asset.
    func bytes(of asset: SkinAsset) throws -> [UInt8] { try cache.bytes(of: asset, in: directory(of: asset)) }

    /// Returns the content of an asset; `nil`, without reading it, if it is larger than a limit.
    func bytes(of asset: SkinAsset, limit: Int) throws -> [UInt8]? {
        try cache.bytes(of: asset, in: directory(of: asset), limit: limit)
    }

    /// Returns the directory of the skin to which an asset belongs, after checking the asset's path.
    private func directory(of asset: SkinAsset) throws -> Directory {
        guard let directory = directories[asset.skin] else {
            throw StoreError(.skinAssetOwnerMissing, ["asset": .untrusted(asset.path), "skin": asset.skin])
        }
        // The path may come from a caller or a forged compiled file.
        guard asset.path.hasPrefix(AssetIndex.directoryName + "/"),
            !asset.path.utf8.split(separator: UInt8(ascii: "/")).contains(where: { $0.elementsEqual("..".utf8) })
        else {
            throw StoreError(.skinAssetUnknown, ["asset": .untrusted(asset.path), "skin": asset.skin])
        }
        return directory
    }

    func path(of asset: SkinAsset) -> String? { directories[asset.skin]?.path(of: asset.path) }
}
