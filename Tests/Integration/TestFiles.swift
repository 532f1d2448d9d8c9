import Foundation

/// The files of the tests, such as images and packs.
enum TestFiles {
    /// Returns a file by its path in the directory of the tests.
    static func data(_ path: String) throws -> Data {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return try Data(contentsOf: tests.appending(path: path))
    }
}
