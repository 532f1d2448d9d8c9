import FoundationEssentials

/// The identity of a file: its device, inode, size and change time.
///
/// Where two identities are equal, the file was neither replaced nor written in between.
public struct FileIdentity: Sendable, Hashable {
    /// The time of a file that is part of its identity.
    public enum Timestamp: Sendable {
        /// The last change of the content (`st_mtime`), which the file's owner can set.
        case modification
        /// The last change of the content or of the inode (`st_ctime`), which only the kernel sets.
        case statusChange
    }

    /// The number of the file system's device, or 0 in an identity that is stored: device numbers change between boots.
    public let device: UInt64
    public let inode: UInt64
    /// The file's size in bytes.
    public let size: Int
    /// The time that the identity includes, modification or status change, in seconds since 1970.
    public let changedAt: Double

    /// Creates an identity from stored values.
    public init(inode: UInt64, size: Int, changedAt: Double) {
        device = 0
        self.inode = inode
        self.size = size
        self.changedAt = changedAt
    }

    /// Creates the identity of a file.
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
