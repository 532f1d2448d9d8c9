public import FoundationEssentials
public import StoreModel
public import StoreSystem

/// A type that implements one kind of product, such as sticker packs: its rules and reactions to changes.
///
/// It is all that the rest of the program knows about the kind. One whose rules need no more than the files of a pack conforms to
/// ``MemoryCheckableKind``. A new kind is a module with a type that conforms to
/// this protocol, and one line where the program creates its ``ContentKinds``.
///
/// ```swift
/// struct SoundKind: ContentKind {
///     let kind = ProductKind(rawValue: "sound")
///     let folderExtension = "sounds"
///
///     func check(_ pack: Directory, cancellation: CancellationFlag) throws {
///         _ = try PackInformation.read(from: pack)
///     }
/// }
/// ```
public protocol ContentKind: Sendable {
    /// The identifier of the product kind in catalogues, receipts and responses, such as `sticker`.
    var kind: ProductKind { get }

    /// The extension of the directory names of this kind's installed packs, without the dot.
    var folderExtension: String { get }

    /// The members of `pack.json` that only packs of this kind have; none by default.
    var informationMembers: [InformationMember] { get }

    /// Checks the files of an unpacked pack of this kind before it is committed.
    ///
    /// The default reads the information file and checks nothing else.
    ///
    /// - Parameter cancellation: checked before each file.
    /// - Throws: `content.…`, or a code of the kind, if the pack holds what packs of the kind must not hold;
    ///   `CancellationError`.
    func check(_ pack: Directory, cancellation: CancellationFlag) throws

    /// Checks a pack that its publisher adds to a store, and returns warnings about it, as texts for display.
    ///
    /// The default is ``check(_:cancellation:)``, without warnings.
    ///
    /// - Parameter pictures: the paths of the files of the pack that are pictures of the product in catalogues.
    /// - Returns: the reasons why the pack, which is valid, may be wrong; empty if there are none.
    /// - Throws: as ``check(_:cancellation:)``; a code of the kind also for a mistake that clients skip, but that the publisher
    ///   should correct.
    func checkForPublishing(_ pack: Directory, pictures: Set<String>) throws -> [String]

    /// Returns the number of items in a pack of this kind, such as stickers; `nil` if the kind has no items, as by default.
    ///
    /// - Throws: as ``check(_:cancellation:)`` for a pack whose items can't be read.
    func count(in pack: Directory) throws -> ContentCount?

    /// Reads the pack's information file in the kind's own format, if the kind has one in addition to `pack.json`.
    ///
    /// The file `pack.json` overrides it.
    ///
    /// - Parameter file: returns the content of the file of the pack at a path, or `nil` if there is none.
    /// - Returns: `nil` if the pack has no such file, so that it may be of any kind; always `nil` by default.
    /// - Throws: what `file` throws; `content.…`, or a code of the kind, if the file is malformed.
    func information(_ file: (String) throws -> Data?) throws -> PackInformation?

    /// Returns the permissions that a pack of this kind has once it is installed.
    ///
    /// The user must have granted all of them. The default is none: a kind that needs no consent ignores what its packs
    /// ask for.
    ///
    /// - Parameter asked: the permissions that the pack's information file or its catalogue entry asks for.
    func permissions(asked: [Permission]) -> Set<Permission>

    /// Returns whether a product's installed pack is in use, so that it must not be removed; `false` by default.
    func isInUse(_ productIdentifier: String) async -> Bool

    /// Returns whether a product of this kind came with the chat application; `false` by default.
    ///
    /// Products that depend on it then need no pack of it.
    func isPreinstalled(_ productIdentifier: String) async -> Bool

    /// Called after a product's pack of this kind was installed, updated or rolled back; does nothing by default.
    func didInstall(_ productIdentifier: String) async

    /// Called before a product's pack of this kind is removed; does nothing by default.
    ///
    /// - Throws: the reason why the pack can't be removed; it then stays.
    func willRemove(_ productIdentifier: String) async throws

    /// Called after a product's pack of this kind was removed; does nothing by default.
    func didRemove(_ productIdentifier: String) async
}

extension ContentKind {
    public func check(_ pack: Directory, cancellation: CancellationFlag) throws {
        _ = try PackInformation.read(from: pack)
    }

    public var informationMembers: [InformationMember] { [] }

    /// Checks an unpacked pack of this kind, without a way to cancel the check.
    public func check(_ pack: Directory) throws { try check(pack, cancellation: CancellationFlag()) }

    public func checkForPublishing(_ pack: Directory, pictures: Set<String>) throws -> [String] {
        try check(pack)
        return []
    }

    public func count(in pack: Directory) throws -> ContentCount? { nil }

    public func information(_ file: (String) throws -> Data?) throws -> PackInformation? { nil }
    public func permissions(asked: [Permission]) -> Set<Permission> { [] }
    public func isInUse(_ productIdentifier: String) async -> Bool { false }
    public func isPreinstalled(_ productIdentifier: String) async -> Bool { false }
    public func didRemove(_ productIdentifier: String) async {}
    public func didInstall(_ productIdentifier: String) async {}
    public func willRemove(_ productIdentifier: String) async throws {}
}

/// A kind of product whose packs can also be checked while their files are in memory, before any of them is on the disk.
///
/// Small packs of such a kind are unpacked and checked in batches: each batch shares two processes, and each file is written once.
///
/// ```swift
/// struct SoundKind: MemoryCheckableKind {
///     let kind = ProductKind(rawValue: "sound")
///     let folderExtension = "sounds"
///
///     func check(_ pack: PackContents, cancellation: CancellationFlag) throws {
///         _ = try PackInformation.read(from: pack)
///     }
/// }
/// ```
public protocol MemoryCheckableKind: ContentKind {
    /// Checks the files of an unpacked pack of this kind, wherever they are.
    ///
    /// - Parameter cancellation: checked before each file.
    /// - Throws: as ``ContentKind/check(_:cancellation:)-(Directory,_)``.
    func check(_ pack: PackContents, cancellation: CancellationFlag) throws
}

extension MemoryCheckableKind {
    public func check(_ pack: Directory, cancellation: CancellationFlag) throws {
        try check(PackContents(pack), cancellation: cancellation)
    }
}

/// The list of the product kinds that a program supports, such as sticker packs and skins.
public struct ContentKinds: Sendable {
    private let byKind: [ProductKind: any ContentKind]
    private let byExtension: [String: any ContentKind]

    /// Creates a list of supported product kinds.
    ///
    /// Of two kinds with the same identifier, or with the same extension, the first counts.
    public init(_ kinds: [any ContentKind]) {
        byKind = Dictionary(kinds.map { ($0.kind, $0) }) { first, _ in first }
        byExtension = Dictionary(kinds.map { ($0.folderExtension, $0) }) { first, _ in first }
    }

    public subscript(kind: ProductKind) -> (any ContentKind)? { byKind[kind] }

    /// The identifiers of all supported product kinds, such as `sticker`, in alphabetical order.
    public var words: [String] { byKind.keys.map(\.rawValue).sorted() }

    /// The members of `pack.json` that only packs of some of the kinds have.
    public var informationMembers: [InformationMember] {
        byKind.values.sorted { $0.kind.rawValue < $1.kind.rawValue }.flatMap(\.informationMembers)
    }

    /// Reads the information file that a pack has in the own format of some kind.
    ///
    /// The kinds are tried in alphabetical order, and the first file that is found counts.
    ///
    /// - Parameter file: returns the content of the file of the pack at a path, or `nil` if there is none.
    /// - Returns: empty information if the pack has no such file.
    /// - Throws: what ``ContentKind/information(_:)`` throws.
    public func information(_ file: (String) throws -> Data?) throws -> PackInformation {
        for word in words {
            if let found = try self[ProductKind(rawValue: word)]?.information(file) { return found }
        }
        return PackInformation()
    }

    /// Returns whether a product came with the chat application, according to any supported kind.
    public func isPreinstalled(_ productIdentifier: String) async -> Bool {
        for kind in byKind.values where await kind.isPreinstalled(productIdentifier) { return true }
        return false
    }

    /// Returns the product kind and the `NAME` of a pack directory that is called `NAME.EXTENSION`.
    ///
    /// The result is `nil` if no kind has the extension, or if the name is empty.
    func kind(ofFolder folder: String) -> (kind: any ContentKind, name: String)? {
        guard let dot = folder.lastIndex(of: "."), dot != folder.startIndex,
            let kind = byExtension[String(folder[folder.index(after: dot)...])]
        else { return nil }
        return (kind, String(folder[..<dot]))
    }

    /// Returns the name `NAME.EXTENSION` of the directory for a product's installed pack.
    ///
    /// - Throws: `kind.unknown` if the program does not support the kind; `content.bad-information` if the product's
    ///   identifier is empty.
    public func folder(for productIdentifier: String, kind: ProductKind) throws(StoreError) -> String {
        guard !productIdentifier.isEmpty else {
            throw StoreError(.identifierEmpty)
        }
        let known = try require(kind, of: productIdentifier)
        return PackDirectoryName(productIdentifier: productIdentifier).text + "." + known.folderExtension
    }

    /// Returns the implementation of the product kind with an identifier.
    ///
    /// - Parameter productIdentifier: the product that the error names.
    /// - Throws: `kind.unknown` if the program does not support the kind.
    func require(_ kind: ProductKind, of productIdentifier: String) throws(StoreError) -> any ContentKind {
        guard let known = byKind[kind] else {
            throw StoreError(
                .kindNotKnown, ["product": productIdentifier, "kind": .untrusted(kind.rawValue), "kinds": .list(words)])
        }
        return known
    }

    /// Returns the directory names that a product's installed pack may have, in alphabetical order.
    ///
    /// There is one for each extension of a kind.
    func folders(for productIdentifier: String) -> [String] {
        let name = PackDirectoryName(productIdentifier: productIdentifier).text
        return byExtension.keys.sorted().map { name + "." + $0 }
    }
}
