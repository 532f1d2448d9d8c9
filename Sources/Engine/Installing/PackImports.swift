import FoundationEssentials
import StoreArchives
import StoreImages
import StoreLibrary
public import StoreModel
import StorePackFormats
public import StoreSystem
import StoreWorker

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
    ///   - opened: the directory or ZIP file, if the client has opened it; `nil` opens the one at the path.
    ///   - format: the name of the format; `nil` recognizes it.
    ///   - key: the key of an encrypted pack, or the link that contains it.
    ///   - isDryRun: whether only to report what would be imported.
    /// - Throws: `import.…`; `file.unusable`; `archive.…`; a file error; `CancellationError`.
    public func run(
        _ path: String, opened: OpenFile? = nil, format: String? = nil, key: String? = nil, isDryRun: Bool = false
    ) async throws -> Result {
        if let format { try PackFormats.requireImporter(of: format) }
        let settings = installer.settings.current
        let inUse = try await archivesInUse()
        let (report, files): (ImportReport, [String: String]) = try await work.runCancellable {
            [directory, worker = installer.worker] cancellation in
            let source = try OpenImportSource(path, opened: opened)
            let task = ImportTask(
                name: source.name, chosenFile: source.chosenFile, format: format, key: key,
                archives: ArchiveLimits(settings), images: ImageLimits(settings))
            let importing = Importing(source: source, task: task, worker: worker, cancellation: cancellation)
            let report = try importing.report(pack: nil, output: nil)
            if isDryRun { return (report, [:]) }
            try Self.removeUnused(in: directory, keeping: inUse)
            return (report, try importing.archives(of: report, in: directory))
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
                // A confined process wrote the archive, and may write only what it has reported.
                guard local.item.productIdentifier == pack.productIdentifier else {
                    throw StoreError(.workerCrashed, ["reason": "it wrote another pack than it reported"])
                }
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
        let urls = try await installer.library.all().compactMap { $0.origin?.archive.url }
        return Set(urls.map(\.lastPathComponent))
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

/// One import: it has a confined process read the source, or reads it in this process where there is none.
private struct Importing {
    let source: OpenImportSource
    let task: ImportTask
    let worker: WorkerService
    let cancellation: CancellationFlag

    /// Returns what is in the source, or writes the archive of one of its packs and returns the report about it.
    func report(pack: Int?, output: OpenFile?) throws -> ImportReport {
        var task = task
        task.pack = pack
        let (directory, archive): (Directory?, OpenFile?) =
            switch source.content {
            case .directory(let directory): (directory, nil)
            case .archive(let file): (nil, file)
            }
        let report = try worker.importPacks(
            task, directory: directory, archive: archive, output: output, cancellation: cancellation)
        guard let report else { return try task.run(on: source.content, output: output, cancellation: cancellation) }
        guard report.format == task.format ?? report.format,
            PackFormats.importers.contains(where: { $0.format == report.format })
        else { throw StoreError(.workerCrashed, ["reason": "its report is malformed"]) }
        return report
    }

    /// Writes the archives of the packs of a report, and returns their paths by product identifier.
    func archives(of report: ImportReport, in directory: Directory) throws -> [String: String] {
        let name = "new-" + UUID().uuidString
        let staging = try directory.createDirectory(name)
        defer { try? directory.removeTree(name) }
        var files: [String: String] = [:]
        for (number, pack) in report.packs.enumerated() where pack.count > 0 {
            try cancellation.check()
            let file = try staging.createFile("archive")
            _ = try self.report(pack: number, output: file)
            let digest = try FileHasher().digest(of: file).sha256.hex.prefix(16)
            let archive = "\(PackDirectoryName(productIdentifier: pack.productIdentifier).text)-\(digest).zip"
            try staging.rename("archive", to: directory, as: archive, replacing: true)
            files[pack.productIdentifier] = directory.path(of: archive)
        }
        return files
    }
}
