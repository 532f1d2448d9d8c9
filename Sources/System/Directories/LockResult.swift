import Glibc
public import StoreModel

/// The result of trying to lock an open file or directory with flock(2).
public enum LockResult: Sendable {
    case acquired
    /// Another process, or another open file or directory, holds the lock.
    case heldElsewhere
    /// The file system does not lock files of this type; NFS locks only files that are open for writing.
    ///
    /// The associated value is the error of the system call.
    case unsupported(StoreError)

    /// Tries to lock an open file or directory, and returns at once where the lock is held elsewhere.
    static func lock(_ descriptor: Int32, path: String) throws(StoreError) -> LockResult {
        do {
            try systemCall("flock", on: path) { flock(descriptor, LOCK_EX | LOCK_NB) }
            return .acquired
        } catch {
            switch error.errno {
            case .resourceTemporarilyUnavailable?: return .heldElsewhere
            case .badFileDescriptor?, .noLocks?: return .unsupported(error)
            default:
                if error.isUnsupported { return .unsupported(error) }
                throw error
            }
        }
    }
}
