import FoundationEssentials
import StoreArchives
import StoreImages
import StoreLibrary
public import StoreModel
import StorePackFormats
import StoreSystem

/// The part of the engine that imports sticker packs of other programs.
///
/// An import makes a normal sticker pack of each pack in a source, and installs it as a file of this machine. The same
/// source again updates the pack: its identifier, `import.FORMAT.SOURCE-ID`, is the same each time.
///
/// ```swift
/// let imported = try await manager.imports.run("/home/me/cats.wastickers")
/// for pack in imported.report.packs { print(pack.productIdentifier, pack.count) }
/// ```
public struct PackImports: Sendable {
    /// The result of an import: the report, and what became of each pack.
    public struct Result: Sendable {
        /// What was taken from the source and what was left out.
        public var report: ImportReport
        /// The installation of each pack of the report, in the same order, or the reason why it was not begun.
        ///
        /// It is empty if the import was only tried.
        public var installations: [Swift.Result<Installation, ErrorReport>]
    }

    private let installer: Installer
    /// The directory in which the archives of imported packs are made; they are what a repair reads.
    private let directory: Directory
    /// One import at a time, so that none removes what another is making.
    private let work = BlockingWork(label: "engine.import")

    init(installer: Installer, directory: Directory) {
        self.installer = installer
        self.directory = directory
    }

    /// The formats that can be imported, as names and descriptions.
    public static var formats: [(format: String, title: String)] {
        PackFormats.importers.map { ($0.format, $0.title) }
    }

    /// Imports the sticker packs in a file or directory of this machine, and begins to install them.
    ///
    /// - Parameters:
    ///   - path: the absolute path of a directory, a ZIP file, or the file that describes a pack.
    ///   - format: the name of the format; `nil` recognizes it.
    ///   - key: the key of an encrypted pack, or the link that contains it.
    ///   - isDryRun: whether only to report what would be imported.
    /// - Throws: `import.…`; `file.unusable`; `archive.…`; a file error; `CancellationError`.
    public func run(
        _ path: String, format: String? = nil, key: String? = nil, isDryRun: Bool = false
    ) async throws -> Result {
        let settings = installer.settings.current
        let (archives, images) = (ArchiveLimits(settings), ImageLimits(settings))
        let inUse = try await archivesInUse()
        let (report, files) = try await work.runCancellable { [directory] cancellation in
            try Self.importPacks(
                path, format: format, key: key, archives, images, into: isDryRun ? nil : directory, keeping: inUse,
                cancellation)
        }
        var result = Result(report: report, installations: [])
        guard !isDryRun else { return result }
        for pack in report.packs {
            do {
                guard let file = files[pack.productIdentifier] else {
                    let reasons = pack.files.compactMap(\.reason)
                    throw StoreError(
                        .importEmpty,
                        ["name": .untrusted(pack.name.text()), "reason": .untrusted(reasons.first ?? "there are none")])
                }
                let local = try await installer.readArchive(file, isImport: true)
                result.installations.append(.success(try await installer.install(local)))
            } catch let error as CancellationError {
                throw error
            } catch {
                result.installations.append(.failure(ErrorReport(error)))
            }
        }
        return result
    }

    /// Returns the names of the archives that installed packs were made of.
    private func archivesInUse() async throws -> Set<String> {
        let paths = try await installer.library.all().compactMap { $0.origin?.archive.url?.path }
        return Set(paths.compactMap { $0.split(separator: "/").last.map(String.init) })
    }

    /// Imports the packs of a source, and packs each into an archive.
    ///
    /// - Parameter directory: where the archives are made; `nil` makes none.
    /// - Returns: the report, and the paths of the archives by product identifier.
    private static func importPacks(
        _ path: String, format: String?, key: String?, _ archives: ArchiveLimits, _ images: ImageLimits,
        into directory: Directory?, keeping inUse: Set<String>, _ cancellation: CancellationFlag
    ) throws -> (ImportReport, files: [String: String]) {
        let source = try ImportSource(path, limits: archives)
        let importer = PackImporter(images: images)
        guard let directory else {
            return (try importer.run(source, format: format, key: key, cancellation: cancellation) { _ in nil }, [:])
        }
        try removeUnused(in: directory, keeping: inUse)
        let name = "new-" + UUID().uuidString
        let staging = try directory.createDirectory(name)
        defer { try? directory.removeTree(name) }
        var trees: [String: Directory] = [:]
        let report = try importer.run(source, format: format, key: key, cancellation: cancellation) { pack in
            let tree = try staging.createDirectory("\(trees.count)")
            trees[pack.productIdentifier] = tree
            return tree
        }
        var files: [String: String] = [:]
        for (identifier, tree) in trees {
            try cancellation.check()
            let file = try staging.createFile("archive")
            // Only the content counts, so that an unchanged source makes the same archive.
            _ = try ArchiveWriter(modified: Date(timeIntervalSince1970: 0), limits: archives).write(tree, into: file)
            let digest = try FileHasher().digest(of: file).sha256.hex.prefix(16)
            let archive = "\(PackDirectoryName(productIdentifier: identifier).text)-\(digest).zip"
            try staging.rename("archive", to: directory, as: archive, replacing: true)
            files[identifier] = directory.path(of: archive)
        }
        return (report, files)
    }

    /// Removes the archives of earlier imports that no installed pack was made of.
    ///
    /// One of the last day may still be waiting to be installed.
    private static func removeUnused(in directory: Directory, keeping inUse: Set<String>) throws {
        for entry in try directory.entries() where !inUse.contains(entry.name) {
            guard let status = try directory.status(of: entry.name), status.modifiedAt.timeIntervalSinceNow < -86_400
            else { continue }
            try directory.removeTree(entry.name)
        }
    }
}
