public import FoundationEssentials
import StoreArchives
import StoreCatalogue
import StoreLibrary
public import StoreModel
import StoreSystem

extension Storehouse {
    /// A property of a product that adding a pack has changed, beside the versions that the store has.
    public enum Difference: Sendable, Hashable {
        /// The product has another kind than before the pack was added.
        case kind(from: ProductKind, to: ProductKind)
        /// The product has another price than before the pack was added.
        case price(from: Price, to: Price)
        /// The product was withdrawn before the pack was added, and is offered again.
        case offeredAgain
        /// The version has another name, description or picture than before the pack was added again.
        case description
    }

    /// The result of adding a pack to a publisher's store.
    public struct Added: Sendable, Hashable {
        /// The effect that adding a pack had on the publisher's store.
        public enum Change: Sendable, Hashable {
            /// The product's version was added and is offered from the next publication on.
            case added
            /// The product's version was added before with the same contents; only its description may have changed.
            case unchanged
            /// The product's version was added, but a higher version, the associated value, remains the offered one.
            case belowOffered(Version)
        }
        /// The identifier of the product that was added to the publisher's store.
        public var productIdentifier: String
        /// The kind of the product that was added to the publisher's store.
        public var kind: ProductKind
        /// The version of the product that was added to the publisher's store.
        public var version: Version
        /// The number of items in the added pack, such as stickers; `nil` if packs of its kind have no items.
        public var contents: ContentCount?
        /// The size in bytes of the archive that was created of the added pack.
        public var size: Int
        /// The SHA-256 of the archive that was created of the added pack.
        public var sha256: SHA256Digest
        /// Whether the kind of the added product is one of those that clients know.
        public var isKnownKind: Bool
        /// The price that was given for the added product; `nil` if the product keeps its price, or is new and free.
        public var price: Price?
        /// The effect that adding the pack had on the publisher's store.
        public var change: Change
        /// How the product differs from before; empty for a new product.
        public var differences: [Difference]
        /// The identifiers of products that the pack needs and that the store does not offer.
        public var missingDependencies: [String] = []
        /// The paths of hidden files and directories of the pack's directory that are not in the archive.
        public var leftOut: [String]
        /// Doubts about the content of the pack, as texts for display.
        public var warnings: [String] = []
    }

    /// The result of adding one of several pack directories to a publisher's store.
    public struct Outcome: Sendable {
        /// The path of the pack's directory as the caller passed it.
        public var folder: String
        /// The result for the pack's directory: what was added, or the reason why it was refused.
        public var result: Result<Added, ErrorReport>
        /// The members of the pack's `pack.json` that are ignored because no kind of content reads them.
        public var unknownMembers: [UnknownMember] = []
        /// What was taken of a pack in the format of another program; `nil` for a directory that is a pack itself.
        public var imported: ImportReport.Pack?
    }

    /// Creates an archive of each pack's directory and adds it to the publisher's store.
    ///
    /// Clients see the packs after ``publish(mirrors:)``.
    ///
    /// - Parameters:
    ///   - folders: the paths of the packs' directories, and of sticker packs in the formats of other programs. An
    ///     archive has all files of its directory, except hidden ones and those that file managers leave behind (see
    ///     ``StoreModel/PackExclusion``).
    ///   - options: the options for all packs.
    ///   - time: the publication time of the packs; see ``PublicationTime``.
    ///   - similarKind: returns the known kind that a kind which is not known may mean; such a pack is refused.
    /// - Returns: the result for each pack. A refused pack does not prevent the others. Reasons
    ///   are `publish.version-changed` if the store has this version with other contents; `publish.no-pack`;
    ///   `publish.several-packs`; `publish.bad-picture`; `publish.bad-price`; `publish.bad-identifier`;
    ///   `publish.unknown-kind`; `content.…` if the pack violates the rules of its kind; `archive.…`, `file.…`.
    /// - Throws: an error of the store itself; then no pack was added.
    public func add(
        _ folders: [String], options: AddOptions = AddOptions(), time: Date,
        similarKind: (ProductKind) -> ProductKind? = { _ in nil }
    ) throws -> [Outcome] {
        try change { state in
            let objects = try ObjectStore(in: root)
            defer { objects.removeImports() }
            var outcomes: [Outcome] = []
            for (folder, directory, imported) in expand(folders, options, objects, &outcomes) {
                var unknown: [UnknownMember] = []
                do {
                    let added = try add(
                        directory, options: options, time: time, to: &state, objects, &unknown, similarKind)
                    outcomes.append(
                        Outcome(folder: folder, result: .success(added), unknownMembers: unknown, imported: imported))
                } catch {
                    let report = ErrorReport(error, formatter: .publisher)
                    outcomes.append(
                        Outcome(folder: folder, result: .failure(report), unknownMembers: unknown, imported: imported))
                }
            }
            // When all are added, because a pack may need one that is named after it.
            for index in outcomes.indices { outcomes[index].findMissingDependencies(in: state) }
            try objects.commit()
            // Syncs the directory entries that the new state refers to, before the state is written.
            try root.syncFileSystem()
            return outcomes
        }
    }

    /// Returns the directories of the packs to add, with those in formats of other programs imported.
    ///
    /// - Parameter outcomes: gets the paths that can't be imported.
    /// - Returns: each path that the caller passed, the directory of a pack in it, and what was imported.
    private func expand(
        _ paths: [String], _ options: AddOptions, _ objects: ObjectStore, _ outcomes: inout [Outcome]
    ) -> [(path: String, directory: String, imported: ImportReport.Pack?)] {
        var found: [(path: String, directory: String, imported: ImportReport.Pack?)] = []
        for path in paths {
            do {
                guard let imported = try importPacks(path, into: objects.imports) else {
                    found.append((path, path, nil))
                    continue
                }
                guard imported.count <= 1 || options.productIdentifier == nil && options.name == nil else {
                    throw StoreError(.importedPacksShareOption, ["count": imported.count])
                }
                found += imported.map { (path, $0.directory, $0.report) }
            } catch {
                outcomes.append(Outcome(folder: path, result: .failure(ErrorReport(error, formatter: .publisher))))
            }
        }
        return found
    }

    private func add(
        _ folder: String, options: AddOptions, time: Date, to state: inout PublishingState, _ objects: ObjectStore,
        _ unknown: inout [UnknownMember], _ similarKind: (ProductKind) -> ProductKind?
    ) throws -> Added {
        let pack = try openPack(folder)
        try requireOnePack(pack, folder)
        let information =
            try PackInformation.read(
                PublishedInformation.self, from: PackContents(pack), members: PublishedInformation.members)
            ?? PublishedInformation()
        // First, because a mistyped member may be the reason for an error below.
        unknown =
            try Self.content(of: PackInformation.fileName, in: pack).map {
                UnknownMember.all(in: $0, knowing: PublishedInformation.members + kinds.informationMembers)
            } ?? []
        var ownFile = PackInformation.fileName
        let own = try kinds.information { name in
            let content = try Self.content(of: name, in: pack)
            if content != nil { ownFile = name }
            return content
        }
        let description = try PackDescription(
            information: information, own: own,
            options: options, directoryName: Self.realName(of: pack), in: state)
        try state.checkOwner(of: description.productIdentifier)
        // A product that the store has with this kind was meant to have it.
        if kinds[description.kind] == nil, state[description.productIdentifier]?.kind != description.kind,
            let similar = similarKind(description.kind)
        {
            throw StoreError(
                .packKindMistyped,
                [
                    "origin": options.kind == nil ? PackInformation.fileName : "--kind",
                    "kind": description.kind.rawValue, "similar": similar.rawValue,
                ])
        }
        let pictures = [information.cover, information.sprite].compactMap(\.self) + (information.previews ?? [])
        var warnings = try kinds[description.kind]?.checkForPublishing(pack, pictures: Set(pictures)) ?? []
        let contents = try kinds[description.kind]?.count(in: pack)
        if let version = own.version, version != description.version {
            warnings.append(
                "\(ownFile) states version \(version), but the product has version \(description.version), and clients show both: "
                    + "state the same version in \(ownFile)")
        }
        let (archive, table, filesSHA256, leftOut) = try Self.makeArchive(of: pack, in: objects)
        func picture(_ path: String) throws -> StoredFile { try Self.makePicture(path, of: pack, in: objects) }
        let release = description.release(
            addedAt: time, archive: archive, entryTable: table, filesSHA256: filesSHA256,
            image: try information.cover.map(picture), sprite: try information.sprite.map(picture),
            previews: try (information.previews ?? []).map(picture))
        let details = try JSON.encode(release.detailsEntry(of: description.productIdentifier)).count
        guard details <= CatalogueLimits.standard.detailsSize else {
            throw StoreError(
                .packDetailsTooLarge,
                [
                    "file": PackInformation.fileName, "size": .bytes(details),
                    "limit": .bytes(CatalogueLimits.standard.detailsSize),
                ])
        }
        let recorded = try state.record(
            release, of: description.productIdentifier, kind: description.kind, price: description.price)
        let change: Added.Change =
            switch recorded.result {
            case .added: .added
            case .unchanged: .unchanged
            case .addedBelow(let version): .belowOffered(version)
            }
        return Added(
            productIdentifier: description.productIdentifier, kind: description.kind, version: description.version,
            contents: contents, size: archive.size, sha256: archive.sha256,
            isKnownKind: kinds[description.kind] != nil, price: description.price, change: change,
            differences: recorded.differences, leftOut: leftOut, warnings: warnings)
    }

    private static func content(of name: String, in pack: Directory) throws -> Data? {
        guard try pack.status(of: name)?.kind == .file else { return nil }
        return try pack.read(name, limit: PackInformation.sizeLimit)
    }

    private func openPack(_ folder: String) throws -> Directory {
        do {
            return try Directory.open(folder)
        } catch {
            guard error.errno == .noSuchFileOrDirectory || error.errno == .notDirectory else { throw error }
            let isMissing = error.errno == .noSuchFileOrDirectory
            throw StoreError(isMissing ? .packPathMissing : .packDirectoryNotFound, ["path": .path(folder)])
        }
    }

    /// Checks that a directory is not one in which only the directories of packs are.
    ///
    /// - Throws: `publish.several-packs`, whose hint names at most the first five of them.
    private func requireOnePack(_ pack: Directory, _ folder: String) throws {
        guard try !hasInformation(pack) else { return }
        let names = try pack.entries().filter { $0.kind == .folder && !$0.name.hasPrefix(".") }.map(\.name).sorted()
        let packs = try names.filter { try hasInformation(pack.openDirectory($0)) }
        guard !packs.isEmpty else { return }
        let parent = folder.hasSuffix("/") ? folder : folder + "/"
        let most = 5
        let named = packs.prefix(most).map { "'\(parent)\($0)'" }.joined(separator: " ")
        throw StoreError(.packDirectoryHasPacks, ["packs": packs.count > most ? "\(named) …" : named])
    }

    /// Returns whether a directory has an information file of a pack: `pack.json`, or that of some kind.
    private func hasInformation(_ directory: Directory) throws -> Bool {
        func has(_ name: String) throws -> Bool { try directory.status(of: name)?.kind == .file }
        var isFound = try has(PackInformation.fileName)
        _ = try kinds.information { name in
            if try has(name) { isFound = true }
            return nil
        }
        return isFound
    }

    /// Returns the real name of a pack's directory, also if its path is `.` or a symbolic link.
    private static func realName(of pack: Directory) -> String {
        let real = (try? FileManager.default.destinationOfSymbolicLink(atPath: pack.shortPath)) ?? pack.path
        return real.split(separator: "/").last.map(String.init) ?? ""
    }

    private static func makeArchive(
        of pack: Directory, in objects: ObjectStore
    ) throws -> (archive: StoredFile, table: StoredFile, filesSHA256: SHA256Digest?, leftOut: [String]) {
        var table = EntryTable(entries: [])
        var leftOut: [String] = []
        let archive = try objects.make(.archives, suffix: "zip") { file in
            // The date is constant, so that the archive's bytes depend on the pack's files only, and adding the same
            // directory again is recognized.
            let archive = try ArchiveWriter(modified: Date(timeIntervalSince1970: 0)).write(pack, into: file)
            table = try archive.entryTable()
            leftOut = archive.leftOut
        }
        let files = table.packFiles(limits: ArchiveLimits(), archiveSize: archive.size).map { files in
            files.map { Receipt.File(path: $0.path, size: $0.entry.size, sha256: $0.entry.sha256) }
        }
        return (
            archive, try objects.put(JSON.encode(table), in: .tables), files.map { SHA256Digest(ofFiles: $0) }, leftOut
        )
    }

    private static func makePicture(
        _ path: String, of pack: Directory, in objects: ObjectStore
    ) throws -> StoredFile {
        let suffixes: Set = ["png", "apng", "webp", "gif", "jpg", "jpeg", "svg"]
        let suffix = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
        func bad(_ reason: String) -> StoreError {
            StoreError(
                .packPictureInvalid,
                [
                    "file": PackInformation.fileName, "path": .path(pack.path), "picture": .untrusted(path),
                    "reason": reason,
                ])
        }
        guard suffixes.contains(suffix) else {
            throw bad("has none of the types \(suffixes.sorted().joined(separator: ", "))")
        }
        do {
            let source = try pack.openFile(path)
            return try objects.make(.images, suffix: suffix) { try $0.write(source.readAll(limit: 64 << 20)) }
        } catch  where (error as? StoreError)?.code == .fileMissing {
            throw bad("does not exist")
        }
    }
}

extension Storehouse.Outcome {
    fileprivate mutating func findMissingDependencies(in state: PublishingState) {
        guard case .success(var added) = result, let product = state[added.productIdentifier],
            let release = product.releases.first(where: { $0.version == added.version })
        else { return }
        added.missingDependencies = release.dependencies.filter { state[$0]?.withdrawn != false }
        result = .success(added)
    }
}
