import Glibc
import StoreCLinux

/// A reason why this machine may lose files in a power failure, although their sync has succeeded.
public enum SyncLimitation: Hashable, Sendable {
    /// The files are on a FUSE file system, whose server is not told to sync.
    ///
    /// For syncfs(2) the kernel passes the written pages to the server and returns; only for virtiofs does it ask the
    /// server to sync, since Linux 5.14 (`fuse_sync_fs` in fs/fuse/inode.c).
    case fileServer
    /// The kernel does not report to syncfs(2) that bytes could not be written to the disk.
    ///
    /// It does since Linux 5.8; see the notes of syncfs(2).
    case unreportedWriteErrors

    /// The type of FUSE file systems in the result of statfs(2).
    private static let fuse = 0x6573_5546

    /// Returns the limitations of a file system and a kernel.
    ///
    /// - Parameters:
    ///   - fileSystemType: the type of the file system, as in the result of statfs(2).
    ///   - kernelRelease: the kernel's release as uname(2) returns it, such as `6.1.0-13-amd64`.
    public static func all(fileSystemType: Int, kernelRelease: String) -> [SyncLimitation] {
        var limitations: [SyncLimitation] = []
        if fileSystemType == fuse { limitations.append(.fileServer) }
        let numbers = kernelRelease.split(separator: ".", maxSplits: 2).map { $0.prefix { $0.isNumber } }
        if numbers.count > 1, let major = Int(numbers[0]), let minor = Int(numbers[1]), (major, minor) < (5, 8) {
            limitations.append(.unreportedWriteErrors)
        }
        return limitations
    }

    /// Returns the limitations that apply to a file or directory; none where the kernel does not report the types.
    public static func all(at path: String) -> [SyncLimitation] {
        var fileSystem = statfs()
        guard statfs(path, &fileSystem) == 0 else { return [] }
        var kernel = utsname()
        guard uname(&kernel) == 0 else { return [] }
        let release = withUnsafeBytes(of: &kernel.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        return all(fileSystemType: Int(fileSystem.f_type), kernelRelease: release)
    }

    /// Returns the warning about the limitation, for display.
    ///
    /// - Parameter path: the path of the affected directory.
    public func warning(about path: String) -> String {
        switch self {
        case .fileServer:
            "'\(path)' is on a FUSE file system, which may lose installed packs in a power cut; use a local disk"
        case .unreportedWriteErrors:
            "this kernel is older than 5.8 and does not report failed writes of a sync; packs in '\(path)' may be "
                + "damaged when the disk fails"
        }
    }
}
