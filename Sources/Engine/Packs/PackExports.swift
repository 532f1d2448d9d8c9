import Logging
import StoreLibrary
public import StoreModel
import StorePackFormats
import StoreStickers
import StoreSystem

/// The part of the engine that exports installed sticker packs to directories of other programs.
///
/// A directory can be a target, in which all installed sticker packs are kept in step: after an installation, an update
/// or a removal its files follow. Files that others made or changed there are left alone.
///
/// ```swift
/// let report = try await manager.exports.export("org.example.cups", as: "kde", into: "/home/me/.local/share/emoticons")
/// print(report.files, report.leftOut)
/// ```
public actor PackExports {
    private let stickers: StickersManager
    private let file: ExportTargetsFile
    private let packsDirectory: String
    private let log: Logger
    private let work = BlockingWork(label: "engine.export")
    /// The changes of the installed sticker packs, which the targets follow.
    private let changes: CurrentValueSequence<[StickerPack]>
    /// The delay after which the targets are brought up to date again when the packs could not be read.
    private let retryDelay: Duration
    private var task: Task<Void, Never>?

    init(
        stickers: StickersManager, changes: CurrentValueSequence<[StickerPack]>, config: Directory,
        packsDirectory: String, retryDelay: Duration = .seconds(10), log: Logger
    ) {
        self.stickers = stickers
        file = ExportTargetsFile(directory: config)
        self.packsDirectory = packsDirectory
        self.changes = changes
        self.retryDelay = retryDelay
        self.log = log
    }

    /// The formats that packs can be exported to, as names and descriptions.
    public static var formats: [(format: String, title: String)] {
        PackFormats.exporters.map { ($0.format, $0.title) }
    }

    /// Exports an installed sticker pack into a directory, or brings what was exported of it there up to date.
    ///
    /// - Parameter directory: an absolute path; the directory is created where it is missing.
    /// - Throws: `pack.not-installed`; `export.format-unknown`; `export.directory`; a file error.
    public func export(_ productIdentifier: String, as format: String, into directory: String) async throws
        -> ExportReport
    {
        let exporter = try PackFormats.exporter(of: format)
        try requireOutsidePacks(directory)
        let pack = try await stickers.pack(productIdentifier)
        return try await work.runCancellable { cancellation in
            var target = try ExportDirectory(directory)
            return try target.export(Self.opened(pack), as: exporter, cancellation: cancellation)
        }
    }

    // MARK: Targets

    /// Returns the directories in which the installed sticker packs are kept in step.
    ///
    /// - Throws: `export.directory` if the list can't be read.
    public func targets() throws -> [ExportTarget] { try file.read() }

    /// Adds a directory in which the installed sticker packs are kept in step, and exports all of them into it.
    ///
    /// - Throws: `export.format-unknown`; `export.directory`; a file error. The directory is not added then.
    public func add(_ target: ExportTarget) async throws -> [ExportReport] {
        _ = try PackFormats.exporter(of: target.format)
        try requireOutsidePacks(target.directory)
        let reports = try await synchronize(target, with: stickers.packs())
        var targets = try file.read()
        if !targets.contains(target) {
            targets.append(target)
            try file.write(targets)
        }
        follow()
        return reports
    }

    /// Removes a directory from those in which the installed sticker packs are kept in step.
    ///
    /// - Parameter removingFiles: whether also to remove what was exported there, except what others changed since.
    /// - Throws: `export.directory` if it is none of them, or can't be used; a file error.
    public func remove(_ target: ExportTarget, removingFiles: Bool) async throws -> [ExportReport] {
        var targets = try file.read()
        guard let index = targets.firstIndex(of: target) else {
            throw StoreError(.exportTargetUnknown, ["directory": .path(target.directory)])
        }
        targets.remove(at: index)
        try file.write(targets)
        return removingFiles ? try await synchronize(target, with: []) : []
    }

    // MARK: Keeping in step

    /// Begins to keep the targets in step, if there are any.
    func start() {
        do {
            if try !file.read().isEmpty { follow() }
        } catch {
            log.warning("\(ErrorReport(error).message)")
        }
    }

    /// Stops keeping the targets in step; the next start brings them up to date.
    func stop() async {
        task?.cancel()
        await task?.value
    }

    private func follow() {
        guard task == nil else { return }
        task = Task { [changes, retryDelay] in
            var lastFailure: String?
            while !Task.isCancelled {
                do {
                    for try await packs in changes {
                        lastFailure = nil
                        await synchronizeAll(with: packs)
                    }
                    return
                } catch is CancellationError {
                    return
                } catch {
                    let failure = ErrorReport(error).message
                    // Once, and not again with each attempt.
                    if failure != lastFailure { log.warning("could not keep exports in step: \(failure)") }
                    lastFailure = failure
                    try? await Task.sleep(for: retryDelay)
                }
            }
        }
    }

    private func synchronizeAll(with packs: [StickerPack]) async {
        for target in (try? file.read()) ?? [] {
            do {
                let reports = try await synchronize(target, with: packs, requiresListed: true)
                for report in reports where !report.kept.isEmpty {
                    log.info("left \(report.kept.count) files in '\(target.directory)' alone, which others changed")
                }
            } catch {
                log.warning("could not keep '\(target.directory)' in step: \(ErrorReport(error).message)")
            }
        }
    }

    /// Exports the packs that a target does not have in their present version, and removes those that are not installed.
    ///
    /// - Parameter requiresListed: whether to do nothing if the target has been removed from the list.
    func synchronize(
        _ target: ExportTarget, with packs: [StickerPack], requiresListed: Bool = false
    ) async throws -> [ExportReport] {
        let exporter = try PackFormats.exporter(of: target.format)
        return try await work.runCancellable { [file] cancellation in
            // Checked here, on the serial queue: a target is removed from the list before its files are removed on it.
            if requiresListed, try !file.read().contains(target) { return [] }
            var directory = try ExportDirectory(target.directory)
            var reports: [ExportReport] = []
            var failure: StoreError?
            let known = directory.exported(as: target.format)
            let wanted = Set(packs.map(\.productIdentifier))
            for identifier in known.keys.sorted() where !wanted.contains(identifier) {
                reports.append(try directory.remove(identifier, format: target.format))
            }
            for pack in packs {
                // An installed pack changes only with the operation that replaces it.
                if let operation = pack.operation, known[pack.productIdentifier] == operation { continue }
                let source: ExportedPack
                do {
                    source = try Self.opened(pack)
                } catch let error as StoreError where error.isMissing {
                    // Uninstalled since it was listed.
                    continue
                }
                do {
                    reports.append(try directory.export(source, as: exporter, cancellation: cancellation))
                } catch let error as StoreError where error.template != .exportDirectoryUnusable {
                    // One pack that can't be exported does not keep the others from it.
                    failure = failure ?? error
                }
            }
            if let failure { throw failure }
            return reports
        }
    }

    private static func opened(_ pack: StickerPack) throws -> ExportedPack {
        let directory = try Directory.open(pack.path)
        return ExportedPack(pack, in: directory, website: try? PackInformation.read(from: directory).website)
    }

    /// Checks that a directory is not one of packs, which an export must not mix with its own.
    private func requireOutsidePacks(_ directory: String) throws(StoreError) {
        guard directory.hasPrefix("/") else { throw StoreError(.exportPathRelative, ["directory": .path(directory)]) }
        // Beneath a directory that does not exist yet, '..' could lead anywhere later.
        let resolved = FilePaths.resolvedAsFarAsExisting(directory)
        let packs = FilePaths.resolvedAsFarAsExisting(packsDirectory)
        guard !(resolved + "/").hasPrefix(packs + "/"), !resolved.split(separator: "/").contains("..") else {
            throw StoreError(.exportInsidePacks, ["directory": .path(directory)])
        }
    }
}
