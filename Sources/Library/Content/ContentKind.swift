public import FoundationEssentials
public import StoreModel
public import StoreSystem

/// A kind of content, such as stickers: everything that the rest of the program has to know about it.
///
/// A new kind is a module with a type that conforms to this protocol, and one line in the list of kinds.
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
    /// The identifier of the kind in documents.
    var kind: ProductKind { get }

    /// The extension of the directories of installed packs, without the dot.
    var folderExtension: String { get }

    /// Checks an unpacked pack before it is committed.
    ///
    /// - Parameter cancellation: checked before each file.
    /// - Throws: `content.…` where the pack holds what packs of the kind must not hold; `CancellationError`.
    func check(_ pack: Directory, cancellation: CancellationFlag) throws

    /// Reads the information file of this kind's own format, which `pack.json` overrides.
    ///
    /// - Parameter file: returns the content of a file of the pack, or `nil` where there is none.
    /// - Returns: `nil` where there is no such file: the pack may be of any kind.
    /// - Throws: what `file` throws; `content.…`, or a code of the kind, where the file is malformed.
    func information(_ file: (String) throws -> Data?) throws -> PackInformation?

    /// Returns the permissions of an installed pack, which the user has to grant.
    ///
    /// - Parameter asked: the permissions in its information file or its catalogue entry.
    func permissions(asked: [Permission]) -> Set<Permission>

    /// Whether the pack is in use, so that it must not be removed.
    func isInUse(_ productIdentifier: String) async -> Bool

    /// Whether a product of the kind came with the application, so that its dependents need no pack of it.
    func isPreinstalled(_ productIdentifier: String) async -> Bool

    /// Called after a pack or another version of it was committed.
    func didInstall(_ productIdentifier: String) async

    /// Called before a pack is removed.
    ///
    /// - Throws: the reason why it can't be removed; the pack then stays.
    func willRemove(_ productIdentifier: String) async throws

    /// Called after a pack was removed.
    func didRemove(_ productIdentifier: String) async
}

extension ContentKind {
    public func check(_ pack: Directory, cancellation: CancellationFlag) throws {
        _ = try PackInformation.read(from: pack)
    }

    /// Checks what was unpacked, without a way to cancel.
    public func check(_ pack: Directory) throws { try check(pack, cancellation: CancellationFlag()) }

    public func information(_ file: (String) throws -> Data?) throws -> PackInformation? { nil }
    public func permissions(asked: [Permission]) -> Set<Permission> { [] }
    public func isInUse(_ productIdentifier: String) async -> Bool { false }
    public func isPreinstalled(_ productIdentifier: String) async -> Bool { false }
    public func didRemove(_ productIdentifier: String) async {}
    public func didInstall(_ productIdentifier: String) async {}
    public func willRemove(_ productIdentifier: String) async throws {}
}

/// The list of kinds that a program supports.
public struct ContentKinds: Sendable {
    private let byKind: [ProductKind: any ContentKind]
    private let byExtension: [String: any ContentKind]

    /// Creates a list; of two kinds with the same identifier or extension, the first counts.
    public init(_ kinds: [any ContentKind]) {
        byKind = Dictionary(kinds.map { ($0.kind, $0) }) { first, _ in first }
        byExtension = Dictionary(kinds.map { ($0.folderExtension, $0) }) { first, _ in first }
    }

    public subscript(kind: ProductKind) -> (any ContentKind)? { byKind[kind] }

    /// The identifiers of all kinds, sorted.
    public var words: [String] { byKind.keys.map(\.rawValue).sorted() }

    /// Reads the first information file of any kind that a pack has; the result is empty where there is none.
    ///
    /// - Parameter file: returns the content of a file of the pack, or `nil` where there is none.
    /// - Throws: what ``ContentKind/information(_:)`` throws.
    public func information(_ file: (String) throws -> Data?) throws -> PackInformation {
        for word in words {
            if let found = try self[ProductKind(rawValue: word)]?.information(file) { return found }
        }
        return PackInformation()
    }

    /// Whether a product of any kind came with the application.
    public func isPreinstalled(_ productIdentifier: String) async -> Bool {
        for kind in byKind.values where await kind.isPreinstalled(productIdentifier) { return true }
        return false
    }

    /// Returns the kind and the `NAME` of a directory `NAME.EXTENSION`.
    func kind(ofFolder folder: String) -> (kind: any ContentKind, name: String)? {
        guard let dot = folder.lastIndex(of: "."), dot != folder.startIndex,
            let kind = byExtension[String(folder[folder.index(after: dot)...])]
        else { return nil }
        return (kind, String(folder[..<dot]))
    }

    /// Returns the directory name for a product's pack.
    ///
    /// - Throws: `kind.unknown`; `content.bad-information` where the product's identifier is empty.
    public func folder(for productIdentifier: String, kind: ProductKind) throws(StoreError) -> String {
        guard !productIdentifier.isEmpty else {
            throw StoreError(.identifierEmpty)
        }
        let known = try require(kind, of: productIdentifier)
        return PackDirectoryName(productIdentifier: productIdentifier).text + "." + known.folderExtension
    }

    /// Returns the kind of a product.
    ///
    /// - Throws: `kind.unknown`.
    func require(_ kind: ProductKind, of productIdentifier: String) throws(StoreError) -> any ContentKind {
        guard let known = byKind[kind] else {
            throw StoreError(
                .kindNotKnown, ["product": productIdentifier, "kind": .untrusted(kind.rawValue), "kinds": .list(words)])
        }
        return known
    }

    /// Returns the directory names that a product's pack may have, one for each kind.
    func folders(for productIdentifier: String) -> [String] {
        let name = PackDirectoryName(productIdentifier: productIdentifier).text
        return byExtension.keys.sorted().map { name + "." + $0 }
    }
}
