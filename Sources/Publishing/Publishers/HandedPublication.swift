import FoundationEssentials
import StoreCatalogue
import StoreModel
import StoreSystem
import StoreTrust

/// What a publisher has handed over: signed metadata, and the files beneath `publishers/NAME` that it leads to.
///
/// Nothing in it is trusted before it was verified.
struct HandedPublication {
    /// The publisher's name, as the directory says.
    let name: String
    /// The publisher's newest metadata file.
    let metadata: SignedMetadata<Targets>
    private let files: Directory

    /// Opens a publisher's directory, or a copy of its `public`.
    ///
    /// - Throws: `publish.no-publication`; `trust.malformed`.
    init(path: String) throws {
        let missing = StoreError(.publicationMissing, ["path": .path(path)])
        var directory = try Self.open(path, or: missing)
        if try directory.status(of: StoreLayout.state) != nil {
            guard try directory.status(of: StoreLayout.published) != nil else { throw missing }
            directory = try Directory.open(path + "/" + StoreLayout.published)
        }
        guard try directory.status(of: Publisher.directory)?.kind == .folder,
            try directory.status(of: StoreLayout.metadata)?.kind == .folder
        else { throw missing }
        let names = try directory.openDirectory(Publisher.directory).entries().filter { $0.kind == .folder }
        guard names.count == 1, let name = names.first?.name, StorePublisher.isName(name) else { throw missing }
        let file = SignedRole(publisher: name).file
        let versions = try directory.openDirectory(StoreLayout.metadata).entries().compactMap { entry in
            entry.name.hasSuffix("." + file) ? Int(entry.name.dropLast(file.count + 1)) : nil
        }
        guard let version = versions.max() else { throw missing }
        self.name = name
        files = try directory.openDirectory("\(Publisher.directory)/\(name)")
        metadata = try SignedMetadata(
            parsing: directory.read(
                "\(StoreLayout.metadata)/\(version).\(file)", limit: TrustLimits().targetsLength), file: file)
    }

    private static func open(_ path: String, or missing: StoreError) throws(StoreError) -> Directory {
        do {
            return try Directory.open(path)
        } catch {
            throw error.code == .fileMissing || error.errno == .notDirectory ? missing : error
        }
    }

    private func invalid(_ file: String, _ reason: String) -> StoreError {
        StoreError(
            .publicationInvalid,
            ["file": .untrusted(file), "publisher": .untrusted(name), "reason": .untrusted(reason)])
    }

    private func read(_ file: String, limit: Int) throws(StoreError) -> Data {
        do {
            return try files.read(file, limit: limit)
        } catch {
            guard error.isMissing else { throw error }
            throw invalid(file, "it is missing")
        }
    }

    // MARK: Verification

    /// The verified catalogue of a publication, and the files that it leads to.
    struct Verified {
        let index: Data
        /// The files beneath the publisher's directory, all named by the hash of their content.
        var files: Set<StoredFile> = []
        var products: [ProductItem] = []
    }

    /// Verifies the metadata against the store's signed table, and the catalogue against the metadata.
    ///
    /// - Parameters:
    ///   - targets: the top-level targets as they are published.
    ///   - time: the time at which the metadata must not have expired.
    /// - Throws: `trust.signature`, `trust.expired`, `trust.publisher-scope`, `trust.hash-mismatch`,
    ///   `publish.bad-publication`, `catalogue.…`.
    func verified(against targets: Targets, at time: Date) throws -> Verified {
        let table = try PublisherTable(targets)
        let publisher = try table.publisher(named: name)
        try metadata.verify(by: publisher.keys, of: targets.keys)
        try metadata.checkExpiry(at: time)
        try table.check(metadata.signed, of: name)
        guard let listed = metadata.signed.file("\(publisher.directory)/\(StoreLayout.index)") else {
            throw invalid(metadata.file, "it does not list '\(publisher.directory)/\(StoreLayout.index)'")
        }
        let index = try read(StoreLayout.index, limit: listed.length)
        try listed.check(index)
        var verified = Verified(index: index)
        let base = URL(filePath: "/\(StoreLayout.index)")
        guard case .index(let catalogue) = try CatalogueDocument.parse(index, url: base) else {
            throw invalid(StoreLayout.index, "it is not a catalogue of format 2")
        }
        let lists = try CatalogueDocument.parse(shardsOf: catalogue) { shard in
            let file = try stored(ContentReference(url: shard.url, size: shard.size, sha256: shard.sha256))
            guard let file else { throw invalid(StoreLayout.index, "it has shards on another server") }
            verified.files.insert(file)
            return try read(file.path, limit: file.size)
        }
        for item in lists.map(\.items).joined() {
            try table.check(productIdentifier: item.productIdentifier, from: name)
            verified.products.append(item)
            let references = [item.resource, item.entryTable, item.image, item.details, item.sprite]
            for reference in references.compactMap({ $0 }) + item.previews {
                if let file = try stored(reference) { verified.files.insert(file) }
            }
        }
        return verified
    }

    /// Returns the file beneath the publisher's directory that a catalogue refers to; `nil` for another server's.
    private func stored(_ reference: ContentReference) throws -> StoredFile? {
        guard reference.url.isFileURL else { return nil }
        let parts = reference.url.pathComponents.filter { $0 != "/" }
        guard parts.count == 2, let directory = StoreLayout.ObjectDirectory(rawValue: parts[0]),
            let size = reference.size, let sha256 = reference.sha256, let dot = parts[1].firstIndex(of: ".")
        else {
            throw invalid(StoreLayout.index, "it refers to '\(reference.url.path())', which storehouse does not make")
        }
        let file = StoredFile(
            directory: directory, suffix: String(parts[1][dot...].dropFirst()), size: size, sha256: sha256)
        guard file.name == parts[1], file.name.utf8.allSatisfy(Self.isPlain) else {
            throw invalid(file.path, "it is not named by its hash")
        }
        return file
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ".") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }

    // MARK: Taking over

    /// Copies a file into the store's directory of the publisher, unless it is there, and verifies the copy.
    ///
    /// - Returns: whether the file was not there before.
    /// - Throws: `publish.bad-publication`.
    func copy(_ file: StoredFile, to target: PublicDirectory) throws -> Bool {
        let folder = try target.directory.createDirectory(file.directory, mode: 0o755)
        if let status = try folder.status(of: file.name) {
            // A file gets its name only after its hash was found to be right.
            if status.kind == .file, status.size == file.size { return false }
            try folder.removeTree(file.name)
        }
        guard let status = try files.status(of: file.path), status.kind == .file else {
            throw invalid(file.path, "it is missing")
        }
        guard status.size == file.size else { throw invalid(file.path, "it does not have the stated size") }
        let temporary = file.name + ".new"
        try target.copy(files.openFile(file.path), to: folder, as: temporary)
        let (sha256, size) = try FileHasher(chunkSize: 1 << 20).digest(of: folder.openFile(temporary))
        guard sha256 == file.sha256, size == file.size else {
            try folder.remove(temporary)
            throw invalid(file.path, "it does not have the stated hash")
        }
        try folder.rename(temporary, to: folder, as: file.name, replacing: true)
        return true
    }
}
