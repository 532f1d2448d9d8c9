public import StoreModel
public import StoreSystem

/// Reads what another process has unpacked into a directory, without believing anything that the process says.
///
/// The process must have ended. It may have been under the control of the archive that it unpacked, so that the
/// directory may hold anything that a process confined to creating files can leave behind. Every name is checked by the
/// rules for the names in archives, and every file is hashed.
public struct UnpackedFiles: Sendable {
    private let limits: ArchiveLimits

    /// Creates a reader of unpacked files, with the limits of the archive from which they are.
    public init(limits: ArchiveLimits) { self.limits = limits }

    /// Returns the files of the directory with the hashes that they have, sorted by the bytes of their paths.
    ///
    /// Blocks while it waits for the disk.
    ///
    /// - Parameter cancellation: checked before each file and for each chunk of a large one.
    /// - Throws: `worker.bad-output` if the directory holds a link, a special file, a name that is not allowed in archives,
    ///   a file with other permissions than a pack's files have, or more than the limits allow; `StoreError` if the disk
    ///   fails; `CancellationError`.
    public func read(
        _ directory: Directory, cancellation: CancellationFlag = CancellationFlag()
    ) throws -> UnpackReport {
        let found = try list(directory, cancellation)
        let threads = max(1, min(found.count / 32, ParallelWork.processors, 4))
        let owner = CurrentProcess.effectiveUser
        let files = try ParallelWork.map(
            found.count, threads: threads,
            begin: { (hasher: FileHasher(), folder: (path: "", directory: directory)) },
            { state, number in
                try cancellation.check()
                let (folder, name) = found[number]
                if state.folder.path != folder {
                    state.folder = (folder, folder.isEmpty ? directory : try directory.openDirectory(folder))
                }
                let path = folder.isEmpty ? name : folder + "/" + name
                let file = try state.folder.directory.openFile(name)
                let status = try file.status()
                try check(status, of: path, isDirectory: false, owner)
                let (digest, size) = try state.hasher.digest(of: file, upTo: status.size, cancellation: cancellation)
                return Receipt.File(path: path, size: size, sha256: digest)
            })
        try UnpackedNames.requireSize(of: files, within: limits)
        return UnpackReport(files: files.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) })
    }

    /// Lists the files of the tree: for each, the path of its directory, and its name.
    private func list(
        _ directory: Directory, _ cancellation: CancellationFlag
    ) throws -> [(folder: String, name: String)] {
        var names = UnpackedNames(limits: limits)
        var files: [(folder: String, name: String)] = []
        let owner = CurrentProcess.effectiveUser
        try directory.walk { entry, path, folder in
            try cancellation.check()
            let isDirectory = entry.kind == .folder
            guard isDirectory || entry.kind == .file else {
                throw StoreError.refused(path, "it is neither a file nor a directory")
            }
            try names.insert(path, isDirectory: isDirectory)
            if isDirectory {
                try check(folder.openDirectory(entry.name).status(), of: path, isDirectory: true, owner)
            } else {
                let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
                files.append((slash.map { String(path[..<$0]) } ?? "", entry.name))
            }
            return true
        }
        // Neighbours share a directory, which is then opened once.
        return files.sorted { $0.folder < $1.folder }
    }

    private func check(_ status: FileStatus, of path: String, isDirectory: Bool, _ owner: UInt32) throws(StoreError) {
        guard status.kind == (isDirectory ? .folder : .file) else {
            throw StoreError.refused(path, "it is neither a file nor a directory")
        }
        guard status.owner == owner else { throw StoreError.refused(path, "it belongs to another user") }
        guard status.permissions & ~(isDirectory ? 0o755 : 0o644) == 0 else {
            throw StoreError.refused(path, "it has the permissions \(String(status.permissions, radix: 8))")
        }
        guard isDirectory || status.links == 1 else { throw StoreError.refused(path, "it has a second name") }
    }
}

/// The names in a directory that another process has unpacked, checked by the rules for the names in archives.
struct UnpackedNames {
    private let limits: ArchiveLimits
    private var tree = NameTree()
    private var count = 0

    init(limits: ArchiveLimits) { self.limits = limits }

    /// Checks the path of a file or directory, relative to the directory of the pack.
    ///
    /// - Throws: `worker.bad-output` for a name that is not allowed in archives, or equal to another one, and if there are more
    ///   than the limits allow.
    mutating func insert(_ path: String, isDirectory: Bool) throws {
        count += 1
        guard count <= limits.entries else {
            throw StoreError.refused(path, "there are more than \(limits.entries) entries")
        }
        do {
            try tree.insert(EntryName(Array((isDirectory ? path + "/" : path).utf8)[...], limits: limits))
        } catch {
            throw StoreError(.workerBadName, ["path": .untrusted(path)], cause: error)
        }
        if PackExclusion.topmost(in: path, isDirectory: isDirectory) != nil {
            throw StoreError.refused(path, "no pack has a file of this name")
        }
        if !path.utf8.contains(UInt8(ascii: "/")), Substring(path).caseFolded == Receipt.fileName {
            throw StoreError.refused(path, "the name is reserved")
        }
    }

    /// Checks that files have no more bytes together than the limits allow.
    ///
    /// - Throws: `worker.bad-output`.
    static func requireSize(of files: [Receipt.File], within limits: ArchiveLimits) throws(StoreError) {
        guard let total = files.lazy.map(\.size).checkedSum, total <= limits.unpackedSize else {
            throw StoreError.refused("", "its files have more than \(limits.unpackedSize) bytes")
        }
    }
}

extension StoreError {
    /// Returns the error `worker.bad-output` for something in the output of another process that a pack must not contain.
    fileprivate static func refused(_ path: String, _ reason: String) -> StoreError {
        StoreError(.workerBadOutput, ["path": .untrusted(path), "reason": reason])
    }
}

extension UnpackReport {
    /// Checks that these are exactly the files that a list names, with the same sizes and hashes.
    ///
    /// - Throws: `worker.bad-output`.
    public func requireExactly(_ expected: [Receipt.File]) throws(StoreError) {
        let wanted = Dictionary(expected.map { ($0.path, $0) }) { first, _ in first }
        for file in files where wanted[file.path] != file {
            throw StoreError(
                .workerBadOutput,
                [
                    "path": .untrusted(file.path),
                    "reason": wanted[file.path] == nil ? "it was not asked for" : "it does not have the expected hash",
                ])
        }
        guard files.count == wanted.count else {
            let found = Set(files.map(\.path))
            let missing = expected.first { !found.contains($0.path) }?.path ?? ""
            throw StoreError(.workerBadOutput, ["path": .untrusted(missing), "reason": "it is missing"])
        }
    }
}
