import FoundationEssentials
import StoreArchives
public import StoreModel
public import StoreSystem

/// The directory of another program into which sticker packs are exported.
///
/// Files are copied, never linked, because the program may change them. Files that another program made or changed are
/// neither replaced nor removed: a manifest lists what was written, with hashes. Only one process may export into a
/// directory at a time.
///
/// ```swift
/// let directory = try ExportDirectory("/home/me/.local/share/emoticons")
/// let report = try directory.export(pack, as: PackFormats.exporter(of: "kde"))
/// print(report.files)
/// ```
public struct ExportDirectory {
    private let directory: Directory
    private var manifest: ExportManifest
    private static let temporaryName = ".storectl-export.tmp"

    /// Opens a directory for exports, and creates it where it is missing.
    ///
    /// - Throws: `export.directory` if the manifest in it can't be read; a file error.
    public init(_ path: String) throws {
        do {
            directory = try Directory.create(path, mode: 0o755)
        } catch {
            throw StoreError(.exportDirectoryUnusable, ["directory": .path(path)], cause: error)
        }
        guard try directory.status(of: ExportManifest.fileName) != nil else {
            manifest = ExportManifest()
            return
        }
        do {
            manifest = try JSON.decode(
                from: directory.read(ExportManifest.fileName, limit: ExportManifest.sizeLimit))
        } catch {
            throw StoreError(
                .exportManifestMalformed, ["path": .path(directory.path(of: ExportManifest.fileName))])
        }
    }

    /// The products whose packs were exported in a format, each with the operation that installed the exported version.
    public func exported(as format: String) -> [String: OperationID?] {
        (manifest.formats[format] ?? [:]).mapValues(\.operation)
    }

    /// Exports a pack, or brings what was exported of it before up to date.
    ///
    /// - Throws: a file error; `CancellationError`.
    public mutating func export(
        _ pack: ExportedPack, as exporter: any PackExporting, cancellation: CancellationFlag = CancellationFlag()
    ) throws -> ExportReport {
        let (identifier, format) = (pack.pack.productIdentifier, exporter.format)
        var report = ExportReport(productIdentifier: identifier, format: format, directory: directory.path)
        let before = manifest.formats[format]?[identifier]
        let name = try before?.name ?? freeName(for: pack, exporter)
        let exported = try exporter.files(of: pack, named: name)
        (report.leftOut, report.notes) = (exported.leftOut, exported.notes)
        var entry = ExportManifest.Pack(name: name, operation: pack.pack.operation, files: [:])
        do {
            let contents = try contents(of: exported, pack, cancellation)
            for path in contents.keys.sorted() {
                guard let content = contents[path] else { continue }
                try cancellation.check()
                try write(content, to: path, known: before?.files[path], &entry, &report)
            }
        } catch {
            // What was written belongs to the manifest even if the rest fails, or is cancelled.
            for (path, digest) in before?.files ?? [:] where entry.files[path] == nil { entry.files[path] = digest }
            try record(entry, of: identifier, format)
            guard let error = error as? StoreError else { throw error }
            throw StoreError(.exportDirectoryUnusable, ["directory": .path(directory.path)], cause: error)
        }
        // What would be lost in a crash is only that these files are this export's.
        var leftovers = before?.files ?? [:]
        for path in Array(entry.files.keys) + report.kept { leftovers[path] = nil }
        try remove(leftovers, &report)
        report.files = entry.files.keys.sorted()
        try record(entry.files.isEmpty ? nil : entry, of: identifier, format)
        return report
    }

    /// Removes what was exported of a pack; does nothing if nothing was.
    ///
    /// - Throws: a file error.
    public mutating func remove(_ productIdentifier: String, format: String) throws -> ExportReport {
        var report = ExportReport(
            productIdentifier: productIdentifier, format: format, directory: directory.path)
        if let known = manifest.formats[format]?[productIdentifier] {
            try remove(known.files, &report)
            try record(nil, of: productIdentifier, format)
        }
        return report
    }

    // MARK: Names

    /// Returns a name for a pack's directory or file that nothing in the directory has.
    private func freeName(for pack: ExportedPack, _ exporter: any PackExporting) throws -> String {
        let identifier = pack.pack.productIdentifier.portableName
        let wanted = pack.name.portableName
        let base = wanted.isEmpty ? identifier : wanted
        let taken = Set(try directory.entries().map(\.name.caseFolded))
        var (candidate, number) = (base, 1)
        while true {
            let exported = try exporter.files(of: pack, named: candidate)
            let paths = exported.archives.isEmpty ? Array(exported.files.keys) : Array(exported.archives.keys)
            let roots = Set(paths.map { $0.prefix { $0 != "/" }.caseFolded })
            if roots.isDisjoint(with: taken) { return candidate }
            candidate = number == 1 ? "\(base) (\(identifier))" : "\(base) (\(identifier) \(number))"
            number += 1
        }
    }

    // MARK: Contents

    /// The content of a file to write: a file of the pack to copy, or bytes.
    ///
    /// The file is opened when it is read: a pack may have more files than a process may have open.
    private enum Content {
        case copy(String, of: Directory)
        case bytes([UInt8])

        func digest() throws -> SHA256Digest {
            switch self {
            case .copy(let path, let pack): try FileHasher().digest(of: pack.openFile(path)).sha256
            case .bytes(let bytes): SHA256Digest(of: bytes)
            }
        }
    }

    /// Returns the content of one exported file.
    private func content(of file: ExportedFiles.Content, _ pack: ExportedPack) -> Content {
        switch file {
        case .copy(let path): .copy(path, of: pack.directory)
        case .bytes(let bytes): .bytes(bytes)
        }
    }

    /// Returns the contents of the files by path; archives are made in memory.
    private func contents(
        of exported: ExportedFiles, _ pack: ExportedPack, _ cancellation: CancellationFlag
    ) throws -> [String: Content] {
        var contents: [String: Content] = [:]
        if exported.archives.isEmpty {
            for (path, file) in exported.files { contents[path] = content(of: file, pack) }
        }
        for (name, paths) in exported.archives {
            contents[name] = .bytes(try archive(name, of: paths, exported, pack, cancellation))
        }
        return contents
    }

    /// Returns the archive of some of the exported files.
    ///
    /// The same pack makes the same archive, so that it is written again only after a change.
    private func archive(
        _ name: String, of paths: [String], _ exported: ExportedFiles, _ pack: ExportedPack,
        _ cancellation: CancellationFlag
    ) throws -> [UInt8] {
        // A directory of files named as the archive is only their place until they are packed.
        let root = paths.allSatisfy { $0.hasPrefix(name + "/") } ? name + "/" : ""
        try directory.removeTree(Self.temporaryName)
        let temporary = try directory.createDirectory(Self.temporaryName)
        defer { try? directory.removeTree(Self.temporaryName) }
        let tree = try temporary.createDirectory("tree")
        for path in paths {
            guard let file = exported.files[path] else { continue }
            try cancellation.check()
            let inner = String(path.dropFirst(root.count))
            let folder = String(inner.directoryPrefix.dropLast())
            let parent = folder.isEmpty ? tree : try tree.createDirectory(folder)
            try write(content(of: file, pack), into: parent.createFile(inner.lastComponent))
        }
        let archive = try temporary.createFile("archive")
        _ = try ArchiveWriter(modified: Date(timeIntervalSince1970: 0)).write(tree, into: archive)
        return try archive.read(count: archive.status().size, at: 0)
    }

    private func write(_ content: Content, into file: OpenFile) throws {
        switch content {
        case .copy(let path, let pack): try file.copy(from: pack.openFile(path), upTo: .max)
        case .bytes(let bytes): try file.write(Data(bytes))
        }
    }

    // MARK: Writing and removing

    private func write(
        _ content: Content, to path: String, known: SHA256Digest?, _ entry: inout ExportManifest.Pack,
        _ report: inout ExportReport
    ) throws {
        let digest = try content.digest()
        if let present = try self.digest(of: path) {
            if present == digest, known != nil {
                entry.files[path] = digest
                return
            }
            guard present == known else {
                report.kept.append(path)
                return
            }
        }
        try replace(path, with: content)
        entry.files[path] = digest
        report.written += 1
    }

    /// Writes a file under a temporary name and gives it its own when it is complete.
    private func replace(_ path: String, with content: Content) throws {
        let folder = String(path.directoryPrefix.dropLast())
        let parent = folder.isEmpty ? directory : try directory.createDirectory(folder, mode: 0o755)
        let temporary = ".\(path.lastComponent).storectl"
        try parent.removeTree(temporary)
        let file = try parent.createFile(temporary, mode: 0o644)
        do {
            try write(content, into: file)
            try parent.rename(temporary, to: parent, as: path.lastComponent, replacing: true)
        } catch {
            try? parent.remove(temporary)
            throw error
        }
    }

    /// Returns the hash of a file of the directory; `nil` if there is none.
    ///
    /// What is not a regular file has a hash that no file has.
    private func digest(of path: String) throws -> SHA256Digest? {
        guard let status = try directory.status(of: path) else { return nil }
        guard status.kind == .file else { return SHA256Digest(of: Array("not a file".utf8)) }
        return try FileHasher().digest(of: directory.openFile(path)).sha256
    }

    /// Removes files that have the hashes with which they were written, and directories that become empty.
    private func remove(_ files: [String: SHA256Digest], _ report: inout ExportReport) throws {
        for path in files.keys.sorted() {
            guard let present = try digest(of: path) else { continue }
            guard present == files[path] else {
                report.kept.append(path)
                continue
            }
            try directory.remove(path)
            report.removed.append(path)
        }
        report.kept.sort()
        let parents = Set(files.keys.map { String($0.directoryPrefix.dropLast()) }).filter { !$0.isEmpty }
        for parent in parents where (try? directory.openDirectory(parent).entries().isEmpty) == true {
            try? directory.removeTree(parent)
        }
    }

    private mutating func record(_ pack: ExportManifest.Pack?, of identifier: String, _ format: String) throws {
        manifest.formats[format, default: [:]][identifier] = pack
        if manifest.formats[format]?.isEmpty == true { manifest.formats[format] = nil }
        guard !manifest.formats.isEmpty else {
            do { try directory.remove(ExportManifest.fileName) } catch let error where error.isMissing {}
            return
        }
        try directory.replace(ExportManifest.fileName, with: JSON.encode(manifest, pretty: true), mode: 0o644)
    }
}
