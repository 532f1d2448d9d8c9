import StoreModel
import StoreSystem

/// A comparison of a pack's directory with the pack's receipt, which lists the files with their hashes.
///
/// The comparison has two steps: first names, sizes and permissions, then the content of each file, which several
/// threads share.
struct PackComparison: Sendable {
    let receipt: Receipt?
    /// The differences between pack and receipt that are visible without reading the files.
    ///
    /// If the receipt can't be read, that is the only difference.
    let damages: [PackDamage]
    private let directory: Directory
    /// The files of the pack whose content is still to be compared with the receipt.
    ///
    /// Each comes with whether its owner and permissions are right.
    private let unread: [(file: Receipt.File, isClosed: Bool)]

    /// The total size in bytes of the pack's files whose content is still to be compared.
    var size: Int { unread.reduce(0) { $0 + $1.file.size } }

    /// Compares the names, sizes, types and permissions of a pack's files with its receipt.
    ///
    /// The receipt lists the files that were installed.
    ///
    /// - Throws: `StoreError` if the directory can't be read, `pack.newer`, `CancellationError`. A receipt that is
    ///   missing or damaged is no error but a difference.
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

    /// Returns the damage of a pack's file at whose path there is no file: replaced by something else, or missing.
    ///
    /// It is replaced if a directory has its name, or a link stands in place of its directory.
    private static func isTaken(_ path: String, in directory: Directory) -> PackDamage.Kind {
        do {
            return try directory.status(of: path) == nil ? .missing : .replaced
        } catch {
            return error.code == .fileEscapes ? .replaced : .missing
        }
    }

    /// Compares the content of the pack's files with the hashes in the receipt, and returns the differences.
    ///
    /// Several threads call it at the same time, and each compares the files whose indices it gets.
    ///
    /// - Parameters:
    ///   - next: returns the index of the next file to compare; an index beyond the last file ends the call.
    ///   - cancellation: checked before each file and for every piece of one.
    /// - Throws: `CancellationError`; `StoreError` where memory or file descriptors run out.
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
