public import FoundationEssentials
import Glibc

/// The status of a file as stat(2) returns it: type, size, times, owner, permissions, device and inode.
public struct FileStatus: Sendable {
    public enum Kind: Sendable { case file, folder, link, other }
    public let kind: Kind
    /// The size of the file in bytes.
    public let size: Int
    /// The disk space allocated to the file, in bytes.
    ///
    /// It is less than ``size`` where the file has holes, and more where space was reserved.
    public let space: Int
    public let modifiedAt: Date
    /// When the file's content or inode was last changed (`st_ctime`).
    public let changedAt: Date
    public let owner: UInt32
    /// The permissions of the file, the lowest twelve bits of `st_mode`.
    public let permissions: UInt32
    /// The number of names that the file has; for a directory, a number that the file system defines.
    public let links: Int
    public let device: UInt64
    public let inode: UInt64

    init(_ status: stat) {
        kind = Kind(mode: status.st_mode)
        size = Int(status.st_size)
        space = Int(status.st_blocks) * 512
        modifiedAt = Date(status.st_mtim)
        changedAt = Date(status.st_ctim)
        owner = status.st_uid
        permissions = status.st_mode & 0o7777
        links = Int(status.st_nlink)
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
    }
}

extension FileStatus.Kind {
    init(mode: mode_t) {
        switch mode & S_IFMT {
        case S_IFREG: self = .file
        case S_IFDIR: self = .folder
        case S_IFLNK: self = .link
        default: self = .other
        }
    }
}

extension Date {
    init(_ time: timespec) {
        self.init(timeIntervalSince1970: Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000)
    }
}
