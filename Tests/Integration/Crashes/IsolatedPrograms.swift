import Foundation
import StoreTestSupport

/// Copies of the programs that find nothing of the build directory.
final class IsolatedPrograms: Sendable {
    /// A command line without a daemon beside it, which fails if the daemon is gone and starts none.
    let storectl: String
    /// A daemon without preinstalled skins, whose start therefore reads and compiles none.
    let stored: String
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        (storectl, stored) = (folder.path + "/client/storectl", folder.path + "/daemon/stored")
        for copy in [storectl, stored] {
            let url = URL(filePath: copy)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: false)
            try Programs.copy(url.lastPathComponent, to: copy)
        }
    }
}
