import FoundationEssentials
import StoreLibrary
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

/// The data directory of a temporary home.
struct LibraryHome {
    let folder: TemporaryFolder
    var data: Directory { folder.directory }

    init() throws { folder = try TemporaryFolder() }

    func open(index: [String: LibraryEntry] = [:], clock: TimeSource = .system) async throws -> Library {
        try await Library.open(data: folder.path, kinds: .tested, clock: clock) { index }
    }

    /// The directory of packs and those beside it, which are created if the library did not.
    var packs: Directory { get throws { try data.createDirectory("packs") } }
    var previous: Directory { get throws { try data.createDirectory("previous") } }
    var staging: Directory { get throws { try data.createDirectory("staging") } }
    var trash: Directory { get throws { try data.createDirectory("trash") } }

    /// Writes a pack to a directory as an installation would, including its receipt.
    func writePack(
        _ files: [String: String], of identifier: String = "a", in folder: Directory, version: String? = "1",
        operation: OperationID = OperationID(), held: Bool = false
    ) throws {
        for (path, text) in files { try folder.put(path, text) }
        var receipt = Receipt.of(files, identifier: identifier, version: version, operation: operation)
        receipt.held = held
        try folder.put(Receipt.fileName, try JSON.encode(receipt))
    }
}

/// A content kind for tests that refuses a pack with a file `refuse`.
struct TestedKind: ContentKind {
    let kind: ProductKind
    var folderExtension: String { kind.rawValue }

    func check(_ pack: Directory, cancellation: CancellationFlag) throws {
        if try pack.has("refuse") { throw StoreError(.identifierEmpty) }
    }

    func willRemove(_ productIdentifier: String) async throws {
        if productIdentifier == "kept" { throw StoreError(.identifierEmpty) }
    }
}

extension ProductKind {
    static let thing = ProductKind(rawValue: "thing")
    static let other = ProductKind(rawValue: "other")
}

extension ContentKinds {
    static let tested = ContentKinds([TestedKind(kind: .thing), TestedKind(kind: .other)])
}

extension Receipt {
    static func of(
        _ files: [String: String], identifier: String, version: String? = "1", operation: OperationID = OperationID(),
        kind: ProductKind = .thing, asDependency: Bool = false
    ) -> Receipt {
        Receipt(
            operation: operation, store: "main", productIdentifier: identifier, kind: kind,
            name: LocalizedText("The \(identifier)"), version: version.map(Version.init), price: .free,
            installedAt: Date(timeIntervalSince1970: 1_700_000_000), asDependency: asDependency, dependencies: [],
            archive: .init(address: nil, size: 1, sha256: .init(of: []), etag: nil),
            files: files.sorted { $0.key < $1.key }.map {
                File(path: $0.key, size: $0.value.utf8.count, sha256: .init(of: $0.value.utf8))
            })
    }
}

extension Library {
    /// Checks that a product without permissions can be installed.
    func requireInstallable(_ productIdentifier: String, kind: ProductKind) async throws {
        try await requireInstallable(
            productIdentifier, kind: kind, permissions: [], consent: [],
            present: await packInPlace(of: productIdentifier), isRepair: false)
    }

    /// Makes an empty directory in staging for a pack.
    nonisolated func stage(
        _ operation: OperationID, productIdentifier: String, kind: ProductKind, keepingReplaced: Bool = true
    ) async throws -> StagedPack {
        try await placement(of: productIdentifier, kind: kind, by: operation, keepingReplaced: keepingReplaced).stage()
    }

    /// Gives a staged pack its receipt and commits it.
    nonisolated func commit(
        _ staged: StagedPack, receipt: Receipt, waitingForOthers: Bool = false
    ) async throws -> LibraryPack {
        try await commit(try staged.addReceipt(receipt), waitingForOthers: waitingForOthers)
    }

    /// Installs a pack as a download does: stages, checks and commits it.
    @discardableResult
    func bring(
        _ identifier: String, _ files: [String: String], version: String? = "1", kind: ProductKind = .thing,
        keepingReplaced: Bool = true, asDependency: Bool = false, waitingForOthers: Bool = false
    ) async throws -> LibraryPack {
        let operation = OperationID()
        let staged = try await stage(
            operation, productIdentifier: identifier, kind: kind, keepingReplaced: keepingReplaced)
        do {
            for (path, text) in files { try staged.directory.put(path, text) }
            _ = try staged.check()
            return try await commit(
                staged,
                receipt: .of(
                    files, identifier: identifier, version: version, operation: operation, kind: kind,
                    asDependency: asDependency),
                waitingForOthers: waitingForOthers)
        } catch {
            await discard(operation)
            throw error
        }
    }

    /// Returns the text of a file of a pack.
    func text(_ file: String, of identifier: String) async throws -> String {
        try await directory(of: identifier).text(file)
    }
}
