import StoreModel
import StoreSystem

/// Holds a pack's folder to its receipt, in two steps: what the names, sizes and permissions show, and then the content
/// of each file, which several threads may share.
struct PackComparison: Sendable {
    let receipt: Receipt?
    /// What shows without reading the files.
    let damages: [PackDamage]
    private let directory: Directory
    /// Those whose content is still to be looked at, and whether their permissions are as they must be.
    private let unread: [(file: Receipt.File, isClosed: Bool)]

    /// Bytes that are to be read.
    var size: Int { unread.reduce(0) { $0 + $1.file.size } }

    /// - Throws: what keeps the folder itself from being read; `pack.newer`.
    init(_ directory: Directory) throws {
        self.directory = directory
        do {
            receipt = try Receipt.read(from: directory)
        } catch let error as LibraryError where error.code == .packNewer {
            throw error
        } catch {
            // A passing reason is no damage.
            if let error = error as? FileError, error.isPassing { throw error }
            let isThere = try directory.status(of: Receipt.fileName) != nil
            receipt = nil
            damages = [PackDamage(path: Receipt.fileName, damage: isThere ? .changed : .missing)]
            unread = []
            return
        }
        let found = try PackFiles.list(directory)
        // By their bytes: Swift takes text for equal that is written in two ways, which are two names to Linux.
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

    /// What became of a file that is not in the list: where a link stands in a folder's place, too, it is not missing.
    private static func isTaken(_ path: String, in directory: Directory) -> PackDamage.Kind {
        do {
            return try directory.status(of: path) == nil ? .missing : .replaced
        } catch {
            return error.code == .fileEscapes ? .replaced : .missing
        }
    }

    /// Looks at the content of files until `next` gives numbers beyond them.
    func hash(_ next: () -> Int) throws(FileError) -> [PackDamage] {
        var damages: [PackDamage] = []
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
        defer { buffer.deallocate() }
        while case let index = next(), index < unread.count {
            let (file, isClosed) = unread[index]
            if let damage = try damage(of: file, through: buffer) {
                damages.append(PackDamage(path: file.path, damage: damage))
            } else if !isClosed {
                damages.append(PackDamage(path: file.path, damage: .permissions))
            }
        }
        return damages
    }

    private func damage(
        of file: Receipt.File, through buffer: UnsafeMutableRawBufferPointer
    ) throws(FileError) -> PackDamage.Kind? {
        do {
            let opened = try directory.openFile(file.path)
            guard try opened.status().kind == .file else { return .replaced }
            return try PackFiles.digest(of: opened, through: buffer) == file.sha256 ? nil : .changed
        } catch let error {
            switch error.errno {
            case .noSuchFileOrDirectory, .notDirectory: return .missing
            case .tooManySymbolicLinkLevels, .improperLink, .isDirectory, .noSuchAddressOrDevice: return .replaced
            // Of these the file is not the reason.
            case .tooManyOpenFiles, .tooManyOpenFilesInSystem, .noMemory: throw error
            default: return .unreadable
            }
        }
    }
}
