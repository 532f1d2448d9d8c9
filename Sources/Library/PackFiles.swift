import Files
import StoreModel

/// The files of a pack's folder as they lie there.
enum PackFiles {
    struct Found {
        /// Relative to the pack's folder.
        let path: String
        let kind: FileStatus.Kind
        let size: Int
    }

    /// All files but the receipt, and all that is neither file nor folder, in the order of their paths.
    static func list(_ directory: Directory) throws(FileError) -> [Found] {
        var found: [Found] = []
        try collect(directory, prefix: "", into: &found)
        return found.sorted { $0.path < $1.path }
    }

    private static func collect(
        _ directory: Directory, prefix: String, into found: inout [Found]
    ) throws(FileError) {
        for entry in try directory.entries() {
            let path = prefix + entry.name
            if path == Receipt.fileName { continue }
            if entry.kind == .folder {
                try collect(try directory.openDirectory(entry.name), prefix: path + "/", into: &found)
            } else {
                let size = try directory.status(of: entry.name)?.size ?? 0
                found.append(Found(path: path, kind: entry.kind, size: entry.kind == .file ? size : 0))
            }
        }
    }

    /// The SHA-256 of a file beneath the folder.
    static func digest(of path: String, in directory: Directory) throws(FileError) -> SHA256Digest {
        let file = try directory.openFile(path)
        var hasher = SHA256Hasher()
        var offset = 0
        while true {
            let bytes = try file.read(count: 1 << 18, at: offset)
            if bytes.isEmpty { return hasher.finalize() }
            hasher.update(bytes)
            offset += bytes.count
        }
    }

    /// What differs from the receipt, in the order of the paths.
    static func compare(_ directory: Directory, to receipt: Receipt) throws -> [PackDamage] {
        // By their bytes: Swift takes text for equal that is written in two ways, which are two names to Linux.
        var there = Dictionary(try list(directory).map { (Array($0.path.utf8), $0) }) { first, _ in first }
        var damages: [PackDamage] = []
        for file in receipt.files {
            guard let found = there.removeValue(forKey: Array(file.path.utf8)) else {
                let isTaken = try directory.status(of: file.path) != nil
                damages.append(PackDamage(path: file.path, damage: isTaken ? .replaced : .missing))
                continue
            }
            if found.kind != .file {
                damages.append(PackDamage(path: file.path, damage: .replaced))
            } else if try found.size != file.size || digest(of: file.path, in: directory) != file.sha256 {
                damages.append(PackDamage(path: file.path, damage: .changed))
            }
        }
        damages += there.values.map { PackDamage(path: $0.path, damage: .added) }
        return damages.sorted { $0.path < $1.path }
    }
}
