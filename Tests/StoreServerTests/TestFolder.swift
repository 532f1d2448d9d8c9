import FoundationEssentials
import Glibc
import StoreTestSupport

/// A temporary directory that is removed when it is released.
final class TestFolder: Sendable {
    private let folder: TemporaryFolder
    var path: String { folder.path }

    init() {
        // A test can't run without a temporary directory.
        folder = try! TemporaryFolder()
    }

    func write(_ name: String, _ text: String) throws {
        let file = path + "/" + name
        let folder = String(file[..<file.lastIndex(of: "/")!])
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(filePath: file))
    }

    static func mode(of path: String) -> UInt32 {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }

    static func inode(of path: String) -> UInt {
        var status = stat()
        return lstat(path, &status) == 0 ? UInt(status.st_ino) : 0
    }

    static func isThere(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }
}
