public import FoundationEssentials
public import StoreModel
public import StoreSystem

/// One kind of content: everything that the rest of the program has to know about it. A new kind is a folder of its
/// own that conforms to this, and one line where the kinds are listed.
public protocol ContentKind: Sendable {
    /// The word for it on the wire.
    var kind: ProductKind { get }

    /// What the folders of packs from a store end with, without the dot.
    var folderExtension: String { get }

    /// Checks what was unpacked before it takes its place.
    ///
    /// - Throws: ``LibraryError`` (`content.…`) where this is not what a pack of the kind may hold.
    func check(_ pack: Directory) throws

    /// What a pack says of itself in an information file of its kind's own, beside `pack.json`, which wins over it.
    ///
    /// - Parameter file: the content of a file of the pack; `nil` where there is none.
    /// - Returns: `nil` where there is no such file: the pack may be of any kind.
    /// - Throws: what `file` throws; `content.…`, or the kind's own word, where the file is not as it must be.
    func information(_ file: (String) throws -> Data?) throws -> PackInformation?

    /// What a pack may do once it is installed, which somebody has to consent to by name.
    ///
    /// - Parameter asked: what its information file, or its store, says that it asks for.
    func permissions(asked: [Permission]) -> Set<Permission>

    /// Whether the pack is applied now, and so must not be removed.
    func isInUse(_ productIdentifier: String) async -> Bool

    /// Whether a product of the kind came with the application, so that what needs it needs no pack of it.
    func isPreinstalled(_ productIdentifier: String) async -> Bool

    /// Called after a pack took its place, or another version did.
    func didInstall(_ productIdentifier: String) async

    /// Called right before a pack goes.
    ///
    /// - Throws: what stands in the way; the pack then stays.
    func willRemove(_ productIdentifier: String) async throws

    /// Called after a pack is gone.
    func didRemove(_ productIdentifier: String) async
}

extension ContentKind {
    public func check(_ pack: Directory) throws { _ = try PackInformation.read(from: pack) }
    public func information(_ file: (String) throws -> Data?) throws -> PackInformation? { nil }
    public func permissions(asked: [Permission]) -> Set<Permission> { [] }
    public func isInUse(_ productIdentifier: String) async -> Bool { false }
    public func isPreinstalled(_ productIdentifier: String) async -> Bool { false }
    public func didRemove(_ productIdentifier: String) async {}
    public func didInstall(_ productIdentifier: String) async {}
    public func willRemove(_ productIdentifier: String) async throws {}
}

/// The kinds that a program knows.
public struct ContentKinds: Sendable {
    private let byKind: [ProductKind: any ContentKind]
    private let byExtension: [String: any ContentKind]

    /// Of two with the same word or folder extension, the first counts.
    public init(_ kinds: [any ContentKind]) {
        byKind = Dictionary(kinds.map { ($0.kind, $0) }) { first, _ in first }
        byExtension = Dictionary(kinds.map { ($0.folderExtension, $0) }) { first, _ in first }
    }

    public subscript(kind: ProductKind) -> (any ContentKind)? { byKind[kind] }

    /// The words, in order.
    public var words: [String] { byKind.keys.map(\.rawValue).sorted() }

    /// What a pack says of itself in the information file of the first kind that it has one of; all empty where it has
    /// none.
    ///
    /// - Parameter file: the content of a file of the pack; `nil` where there is none.
    /// - Throws: what ``ContentKind/information(_:)`` throws.
    public func information(_ file: (String) throws -> Data?) throws -> PackInformation {
        for word in words {
            if let found = try self[ProductKind(rawValue: word)]?.information(file) { return found }
        }
        return PackInformation()
    }

    /// Whether a product came with the application, whatever its kind.
    public func isPreinstalled(_ productIdentifier: String) async -> Bool {
        for kind in byKind.values where await kind.isPreinstalled(productIdentifier) { return true }
        return false
    }

    /// The kind of a folder `NAME.EXTENSION`, and its `NAME`.
    func kind(ofFolder folder: String) -> (kind: any ContentKind, name: String)? {
        guard let dot = folder.lastIndex(of: "."), dot != folder.startIndex,
            let kind = byExtension[String(folder[folder.index(after: dot)...])]
        else { return nil }
        return (kind, String(folder[..<dot]))
    }

    /// The folder for a product.
    ///
    /// - Throws: `kind.unknown`; `content.bad-information` where the product has no identifier to name a folder by.
    public func folder(for productIdentifier: String, kind: ProductKind) throws(LibraryError) -> String {
        guard !productIdentifier.isEmpty else {
            throw LibraryError(
                .badInformation, "A product without an identifier can't be installed. Tell its publisher.")
        }
        guard let known = byKind[kind] else {
            throw LibraryError(
                .kindUnknown,
                "'\(productIdentifier)' is of the kind '\(kind)', which this program does not know "
                    + "(\(words.joined(separator: ", "))). A newer version may.")
        }
        return PackDirectoryName(productIdentifier: productIdentifier).text + "." + known.folderExtension
    }

    /// The folders that a product's pack may be in, one for each kind.
    func folders(for productIdentifier: String) -> [String] {
        let name = PackDirectoryName(productIdentifier: productIdentifier).text
        return byExtension.keys.sorted().map { name + "." + $0 }
    }
}
