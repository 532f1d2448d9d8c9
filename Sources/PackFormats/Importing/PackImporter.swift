import FoundationEssentials
public import StoreArchives
public import StoreImages
public import StoreModel
public import StoreSystem

/// An import of another program's sticker packs: recognizes the format, checks every image, and writes normal packs.
///
/// ```swift
/// let importer = PackImporter()
/// let source = try ImportSource("/home/me/cats.wastickers")
/// let report = try importer.run(source) { pack in try packs.createDirectory(pack.productIdentifier) }
/// for file in report.packs.flatMap(\.files) where file.outcome == .leftOut { print(file.source, file.reason ?? "") }
/// ```
public struct PackImporter: Sendable {
    private let images: ImageReader
    private let isForPublishing: Bool

    /// Creates an importer that leaves out images beyond the given limits.
    ///
    /// - Parameter isForPublishing: whether a publisher imports the packs, to offer them in a store: their identifiers
    ///   then don't begin with `import.`, which no store can offer.
    public init(images: ImageLimits = ImageLimits(), isForPublishing: Bool = false) {
        self.images = ImageReader(limits: images)
        self.isForPublishing = isForPublishing
    }

    /// Imports the packs of a source into directories.
    ///
    /// - Parameters:
    ///   - format: the name of the source's format; `nil` recognizes it.
    ///   - key: the key of an encrypted pack, or the link that contains it.
    ///   - directory: returns the empty directory for a pack; `nil` writes nothing, so that only the report is made.
    /// - Returns: the report; a pack without a usable image is part of it with the count 0, and is not written.
    /// - Throws: `import.…`; a file error; `CancellationError`.
    public func run(
        _ source: ImportSource, format: String? = nil, key: String? = nil,
        cancellation: CancellationFlag = CancellationFlag(),
        into directory: (ImportReport.Pack) throws -> Directory?
    ) throws -> ImportReport {
        try readers(of: source, format: format, key: key, cancellation: cancellation).report { pack in
            guard let target = try directory(pack.report) else { return }
            for (name, bytes) in pack.files.sorted(by: { $0.key < $1.key }) {
                try cancellation.check()
                let file = try target.createFile(name, mode: 0o644)
                try bytes.withUnsafeBytes { try file.write($0) }
            }
        }
    }

    /// Imports one pack of a source as a ZIP archive, whose bytes follow from the pack's content.
    ///
    /// - Parameters:
    ///   - number: the position of the pack in the report of the same import.
    ///   - file: an empty file, open for reading and writing; it stays empty if no image of the pack is usable.
    /// - Returns: the report of this pack alone; it has no pack if the source has none with this number.
    /// - Throws: as ``run(_:format:key:cancellation:into:)``.
    public func write(
        pack number: Int, of source: ImportSource, format: String? = nil, key: String? = nil, limits: ArchiveLimits,
        into file: OpenFile, cancellation: CancellationFlag = CancellationFlag()
    ) throws -> ImportReport {
        var readers = try readers(of: source, format: format, key: key, cancellation: cancellation)
        readers.packs = readers.packs.indices.contains(number) ? [readers.packs[number]] : []
        return try readers.report { pack in
            // Only the content counts, so that an unchanged source makes the same archive.
            let writer = ArchiveWriter(modified: Date(timeIntervalSince1970: 0), limits: limits)
            _ = try writer.write(pack.files, into: file)
        }
    }

    private func readers(
        of source: ImportSource, format: String?, key: String?, cancellation: CancellationFlag
    ) throws -> PackReaders {
        let importer = try PackFormats.importer(of: format, for: source)
        // Packs of the same identifier would replace one another.
        var identifiers = UniqueNames()
        let packs = try importer.packs(in: source, key: key).map { draft in
            let own = identifiers.make(draft.sourceIdentifier, comparedBy: \.self) { "\(draft.sourceIdentifier)-\($0)" }
            let identifier =
                isForPublishing
                ? "\(importer.format).\(own)" : ImportedIdentifier.make(format: importer.format, source: own)
            return PackReader(source, draft, identifier, images, cancellation)
        }
        return PackReaders(format: importer.format, packs: packs)
    }
}

/// The readers of the packs that were found in a source.
private struct PackReaders {
    let format: String
    var packs: [PackReader]

    /// Reads the packs one after another, and returns the report about them.
    ///
    /// - Parameter body: is called for each pack that has a usable image.
    func report(_ body: (ImportedPack) throws -> Void) throws -> ImportReport {
        var report = ImportReport(format: format, packs: [])
        for var reader in packs {
            let pack = try reader.read()
            if pack.report.count > 0 { try body(pack) }
            report.packs.append(pack.report)
        }
        return report
    }
}

/// An imported pack in memory.
private struct ImportedPack {
    let report: ImportReport.Pack
    /// The bytes of its files by their names.
    let files: [String: [UInt8]]
}

/// Reads one pack of a source: checks its images, gives them names, and describes them in `pack.json`.
private struct PackReader {
    private let source: ImportSource
    private let draft: PackDraft
    private let images: ImageReader
    private let cancellation: CancellationFlag
    private var report: ImportReport.Pack
    private var files: [String: [UInt8]] = [:]
    private var names = UniqueNames(taken: ["pack.json"])
    private var identifiers = UniqueNames()
    /// The names of the written files by the digests of their bytes, so that an image is written once.
    private var written: [SHA256Digest: String] = [:]
    /// What became of each image by its path, so that one that a description names thousands of times is read once.
    private var known: [String: ImportReport.File] = [:]

    init(
        _ source: ImportSource, _ draft: PackDraft, _ productIdentifier: String, _ images: ImageReader,
        _ cancellation: CancellationFlag
    ) {
        self.source = source
        self.draft = draft
        self.images = images
        self.cancellation = cancellation
        report = ImportReport.Pack(
            productIdentifier: productIdentifier, name: draft.name, publisher: draft.publisher, license: draft.license,
            website: draft.website,
            files: draft.leftOut, notes: draft.notes)
    }

    mutating func read() throws -> ImportedPack {
        var information = ImportedInformation(
            productIdentifier: report.productIdentifier, kind: .sticker, name: draft.name,
            version: draft.version.flatMap { Version($0).hasDigit ? $0 : nil },
            description: draft.description, publisher: draft.publisher, license: draft.license,
            website: draft.website, stickers: [])
        for sticker in try source.limited(draft.stickers) {
            guard let file = try take(sticker.image) else { continue }
            information.stickers.append(
                .init(
                    id: identifier(sticker.id ?? sticker.image.path.stem), file: file,
                    emoji: sticker.emoji.isEmpty ? nil : sticker.emoji,
                    keywords: sticker.keywords.isEmpty ? nil : sticker.keywords, description: sticker.description))
        }
        report.count = information.stickers.count
        guard report.count > 0 else { return ImportedPack(report: report, files: [:]) }
        if let cover = draft.cover { information.cover = try take(cover) }
        files["pack.json"] = Array(try Self.text(information))
        return ImportedPack(report: report, files: files)
    }

    /// Returns an information file as text without control characters.
    ///
    /// DEL is the only one that JSON does not have to escape, and no file of a pack may have it.
    private static func text(_ information: ImportedInformation) throws -> Data {
        let json = try JSON.encode(information, pretty: true)
        guard json.contains(0x7F) else { return json }
        return Data(json.flatMap { $0 == 0x7F ? Array(#"\u007f"#.utf8) : [$0] })
    }

    /// Checks an image, adds it to the pack's files unless it is there, and reports what became of it.
    ///
    /// - Returns: the name of the file; `nil` if the image is left out.
    private mutating func take(_ image: ImageLocation) throws -> String? {
        try cancellation.check()
        let path = source.path(of: image.path)
        var taken = try path.flatMap { known[$0] } ?? read(image, at: path)
        if let path {
            known[path] = taken
            taken.source = image.path
            if taken.outcome == .taken, path != image.path {
                taken.reason = "the description spells the name '\(image.path)'"
            }
        }
        report.files.append(taken)
        return taken.file
    }

    /// Reads and checks an image, adds it to the pack's files, and returns what became of it.
    ///
    /// - Parameter path: the path of the image in the source; `nil` if the source does not have it.
    private mutating func read(_ image: ImageLocation, at path: String?) throws -> ImportReport.File {
        do {
            guard let path else { throw StoreError(.importFileMissing, ["path": image.path]) }
            var bytes = try source.read(path, limit: ImportSource.imageLimit)
            var (outcome, reason): (ImportReport.Outcome, String?) = (.taken, nil)
            if case .encrypted(_, let decrypt) = image {
                guard let plain = decrypt(bytes) else {
                    return ImportReport.File(
                        source: image.path, outcome: .leftOut,
                        reason: EnglishText.filled("it can't be decrypted with the key, or was damaged"))
                }
                (bytes, outcome) = (plain, .converted)
                reason = EnglishText.filled("decrypted with the pack's key")
            }
            let suffixes = try suffixes(of: bytes)
            let file = add(bytes, named: path.lastComponent, suffixes)
            return ImportReport.File(source: image.path, outcome: outcome, file: file, reason: reason)
        } catch let error as StoreError where !error.isInconclusive {
            return ImportReport.File(source: image.path, outcome: .leftOut, reason: error.message)
        }
    }

    /// Checks an image or animation, and returns the file name extensions that its format has.
    private func suffixes(of bytes: [UInt8]) throws -> [String] {
        guard let animation = AnimationFormat(head: bytes.prefix(4)) else {
            return try images.read(bytes).format.suffixes
        }
        _ = try AnimationReader().read(bytes)
        return [animation.rawValue]
    }

    /// Adds a file to the pack, under a name that no other file has and that fits its format.
    private mutating func add(_ bytes: [UInt8], named name: String, _ suffixes: [String]) -> String {
        let digest = SHA256Digest(of: bytes)
        if let known = written[digest] { return known }
        let suffix = suffixes.contains(name.suffix) ? name.suffix : suffixes[0]
        var stem = name.stem.portableName
        if stem.isEmpty { stem = "sticker" }
        let candidate = names.make("\(stem).\(suffix)", comparedBy: \.caseFolded) { "\(stem)-\($0).\(suffix)" }
        files[candidate] = bytes
        written[digest] = candidate
        return candidate
    }

    /// Returns an identifier for a sticker that no other sticker of the pack has.
    private mutating func identifier(_ wanted: String) -> String {
        let wanted = wanted.nonempty ?? "sticker"
        return identifiers.make(wanted, comparedBy: \.self) { "\(wanted)-\($0)" }
    }
}

/// The content of the `pack.json` of an imported pack.
private struct ImportedInformation: Encodable {
    var productIdentifier: String
    var kind: ProductKind
    var name: LocalizedText
    var version: String?
    var description: LocalizedText?
    var publisher: String?
    var license: String?
    var website: String?
    var cover: String?
    var stickers: [Sticker]

    struct Sticker: Encodable {
        var id: String
        var file: String
        var emoji: [String]?
        var keywords: [String]?
        var description: LocalizedText?
    }
}
