import FoundationEssentials

/// The identity of a file: its device, inode, size and modification or change time.
///
/// Where two identities are equal, the file was neither replaced nor written in between.
public struct FileIdentity: Sendable, Hashable {
    /// Which time of a file is part of its identity: the modification time or the status change time.
    public enum Timestamp: Sendable {
        /// The time of the last change of the file's content (`st_mtime`), which the file's owner can set.
        case modification
        /// The time of the last change of the file's content or inode (`st_ctime`), which only the kernel sets.
        case statusChange
    }

    /// The number of the device that the file is on; 0 in an identity that is stored, as device numbers change at boot.
    public let device: UInt64
    public let inode: UInt64
    /// The file's size in bytes.
    public let size: Int
    /// The file's modification or status change time, whichever the identity includes, in seconds since 1970.
    public let changedAt: Double

    /// Creates the identity of a file from values that an earlier process stored; the device's number is 0.
    ///
    /// `size` is in bytes, and `changedAt` is the modification or status change time in seconds since 1970.
    public init(inode: UInt64, size: Int, changedAt: Double) {
        device = 0
        self.inode = inode
        self.size = size
        self.changedAt = changedAt
    }

    /// Creates the identity of a file from its status.
    ///
    /// - Parameters:
    ///   - timestamp: the time that tells two states of the file apart.
    ///   - isStored: whether the identity outlives the process and therefore omits the device's number. Such an
    ///     identity may only be compared with identities of files that are known to be on the same file system.
    public init(_ status: FileStatus, by timestamp: Timestamp, isStored: Bool = false) {
        device = isStored ? 0 : status.device
        inode = status.inode
        size = status.size
        changedAt =
            switch timestamp {
            case .modification: status.modifiedAt.timeIntervalSince1970
            case .statusChange: status.changedAt.timeIntervalSince1970
            }
    }
}
