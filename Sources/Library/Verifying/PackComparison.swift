import StoreModel
import StoreSystem

/// Compares a pack's directory with its receipt.
///
/// The comparison has two steps: first names, sizes and permissions, then the content of each file, which several threads
/// share.
struct PackComparison: Sendable {
    let receipt: Receipt?
    /// The differences that are visible without reading the files.
    let damages: [PackDamage]
    private let directory: Directory
    /// The files whose content is still to be compared, and whether their permissions are right.
    private let unread: [(file: Receipt.File, isClosed: Bool)]

    /// The number of bytes to be read.
    var size: Int { unread.reduce(0) { $0 + $1.file.size } }

    /// Compares names, sizes and permissions.
    ///
    /// - Throws: `StoreError` where the directory can't be read, `pack.newer`, `CancellationError`.
    init(_ directory: Directory, cancellation: CancellationFlag) throws {
        self.directory = directory
        do {
            receipt = try Receipt.read(from: directory)
        } catch let error as StoreError where error.code == .packNewer {
            throw error
        } catch {
            // A transient failure is no damage.
            if let error = error as? StoreError, error.isPassing { throw error }
            let isThere = try directory.status(of: Receipt.fileName) != nil
            receipt = nil
            damages = [PackDamage(path: Receipt.fileName, damage: isThere ? .changed : .missing)]
            unread = []
            return
        }
        let found = try PackFiles.list(directory, cancellation: cancellation)
        // By bytes: two names that are canonically equivalent are equal to Swift and different to Linux.
        var there = Dictionary(found.files.map { (Array($0.path.utf8), $0) }) { first, _ in first }
        var damages = found.openFolders.map { PackDamage(path: $0, damage: .permissions) }
        var unread: [(Receipt.File, Bool)] = []
        for file in receipt?.files ?? [] {
            guard let found = there.removeValue(forKey: Array(file.path.utf8)) else {
                damages.append(PackDamage(path: file.path, damage: Self.isTaken(file.path, in: directory)))
                continue
            }
            if found.kind != .file {
                damages.append(PackDamage(path: file.path, damage: .replaced))
            } else if found.size != file.size {
                damages.append(PackDamage(path: file.path, damage: .changed))
            } else {
                unread.append((file, found.isClosed))
            }
        }
        damages += there.values.map { PackDamage(path: $0.path, damage: .added) }
        self.damages = damages
        self.unread = unread
    }

    /// Returns the damage of a file that is not listed: it is replaced if a link stands in place of its directory.
    private static func isTaken(_ path: String, in directory: Directory) -> PackDamage.Kind {
        do {
            return try directory.status(of: path) == nil ? .missing : .replaced
        } catch {
            return error.code == .fileEscapes ? .replaced : .missing
        }
    }

    /// Compares the content of files with their hashes until `next` returns an index beyond the last file.
    ///
    /// - Parameter cancellation: checked before each file and for every piece of one.
    func hash(_ next: () -> Int, cancellation: CancellationFlag) throws -> [PackDamage] {
        var damages: [PackDamage] = []
        let hasher = FileHasher()
        while case let index = next(), index < unread.count {
            let (file, isClosed) = unread[index]
            if let damage = try damage(of: file, with: hasher, cancellation) {
                damages.append(PackDamage(path: file.path, damage: damage))
            } else if !isClosed {
                damages.append(PackDamage(path: file.path, damage: .permissions))
            }
        }
        return damages
    }

    private func damage(
        of file: Receipt.File, with hasher: FileHasher, _ cancellation: CancellationFlag
    ) throws -> PackDamage.Kind? {
        try cancellation.check()
        do {
            let opened = try directory.openFile(file.path)
            guard try opened.status().kind == .file else { return .replaced }
            return try hasher.digest(of: opened, cancellation: cancellation).sha256 == file.sha256 ? nil : .changed
        } catch let error as StoreError {
            switch error.errno {
            case .noSuchFileOrDirectory, .notDirectory: return .missing
            case .tooManySymbolicLinkLevels, .improperLink, .isDirectory, .noSuchAddressOrDevice: return .replaced
            // The process lacks resources; the file is not the reason.
            case .tooManyOpenFiles, .tooManyOpenFilesInSystem, .noMemory: throw error
            default: return .unreadable
            }
        }
    }
}
