public import FoundationEssentials
import StoreArchives
import StoreLibrary
public import StoreModel
import StoreSystem

extension Storehouse {
    /// What became of a pack folder.
    public struct Added: Sendable, Hashable {
        public enum Change: Sendable, Hashable {
            /// It will be offered from the next publication on.
            case added
            /// This very version was there; only what is told of it may have changed.
            case unchanged
            /// It was taken, and this higher version stays the one that is offered.
            case belowOffered(Version)
        }
        public var productIdentifier: String
        public var kind: ProductKind
        public var version: Version
        /// Of the archive, in bytes.
        public var size: Int
        /// Of the archive.
        public var sha256: SHA256Digest
        public var change: Change
    }

    /// What became of one of several pack folders.
    public struct Outcome: Sendable {
        /// As it was named.
        public var folder: String
        public var result: Result<Added, ErrorReport>
    }

    /// Makes an archive of each pack's folder and takes it into the store. Clients see it after ``publish()``.
    ///
    /// - Parameters:
    ///   - folders: paths of the packs' folders. All files of a folder go into its archive, and nothing else.
    ///   - time: when they are said to be published; see ``PublicationTime``.
    /// - Returns: one outcome for each folder, in the same order; a folder that is refused keeps no other out. Reasons
    ///   are `publish.version-changed` where the store has this version with other contents; `publish.no-pack`;
    ///   `publish.bad-picture`; `content.…` where the pack is not as its kind asks for; `archive.…`, `file.…`.
    /// - Throws: where the store itself can't be read or written; then none was taken in.
    public func add(
        _ folders: [String], options: AddOptions = AddOptions(), time: Date
    ) throws -> [Outcome] {
        try change { state in
            let objects = try ObjectFolder(in: root)
            let outcomes = folders.map { folder in
                do {
                    let added = try add(folder, options: options, time: time, to: &state, objects)
                    return Outcome(folder: folder, result: .success(added))
                } catch {
                    return Outcome(folder: folder, result: .failure(ErrorReport(error)))
                }
            }
            try objects.commit()
            // The names that the state is about to rely on.
            try root.syncFileSystem()
            return outcomes
        }
    }

    private func add(
        _ folder: String, options: AddOptions, time: Date, to state: inout PublishingState, _ objects: ObjectFolder
    ) throws -> Added {
        let pack = try openPack(folder)
        let information = try PackInformation.read(PublishedInformation.self, from: pack) ?? PublishedInformation()
        let description = try PackDescription(
            information: information, own: try kinds.information { try Self.content(of: $0, in: pack) },
            options: options, folderName: Self.realName(of: pack), in: state)
        try kinds[description.kind]?.check(pack)
        let (archive, table) = try Self.makeArchive(of: pack, in: objects)
        func picture(_ path: String) throws -> StoredFile { try Self.makePicture(path, of: pack, in: objects) }
        let release = description.release(
            addedAt: time, archive: archive, entryTable: table, image: try information.cover.map(picture),
            sprite: try information.sprite.map(picture), previews: try (information.previews ?? []).map(picture))
        let recorded = try state.record(
            release, of: description.productIdentifier, kind: description.kind, price: description.price)
        let change: Added.Change =
            switch recorded {
            case .new: .added
            case .known: .unchanged
            case .newBelow(let version): .belowOffered(version)
            }
        return Added(
            productIdentifier: description.productIdentifier, kind: description.kind, version: description.version,
            size: archive.size, sha256: archive.sha256, change: change)
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
            throw PublishingError(.noPack, "'\(folder)' is no folder. 'add' takes a folder with the pack's files.")
        }
    }

    /// The folder's own name, also where it was given as `.` or through a link.
    private static func realName(of pack: Directory) -> String {
        let real = (try? FileManager.default.destinationOfSymbolicLink(atPath: pack.shortPath)) ?? pack.path
        return real.split(separator: "/").last.map(String.init) ?? ""
    }

    private static func makeArchive(
        of pack: Directory, in objects: ObjectFolder
    ) throws -> (archive: StoredFile, table: StoredFile) {
        var table = EntryTable(entries: [])
        let archive = try objects.make(.archives, suffix: "zip") { file in
            // Always the same day: an archive's bytes follow from the pack's files alone, so that adding the same
            // folder again is seen to be the same.
            let writer = ArchiveWriter(modified: Date(timeIntervalSince1970: 0))
            table = try writer.write(pack, into: file).entryTable()
        }
        return (archive, try objects.put(JSON.encode(table), in: .tables))
    }

    private static func makePicture(
        _ path: String, of pack: Directory, in objects: ObjectFolder
    ) throws -> StoredFile {
        let suffixes: Set = ["png", "apng", "webp", "gif", "jpg", "jpeg", "svg"]
        let suffix = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
        func bad(_ reason: String) -> PublishingError {
            PublishingError(
                .badPicture,
                "\(PackInformation.fileName) of '\(pack.path)' names the picture '\(path)', \(reason). Correct it.")
        }
        guard suffixes.contains(suffix) else {
            throw bad("which is none of \(suffixes.sorted().joined(separator: ", "))")
        }
        do {
            let source = try pack.openFile(path)
            return try objects.make(.images, suffix: suffix) { try $0.write(source.readAll(limit: 64 << 20)) }
        } catch  where (error as? FileError)?.code == .fileMissing {
            throw bad("which it has not")
        }
    }
}
