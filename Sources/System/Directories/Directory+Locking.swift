import Glibc
public import StoreModel

extension Directory {
    /// The result of ``tryLock()``.
    public enum LockResult: Sendable {
        case acquired
        /// Another process or another open directory holds the lock.
        case heldElsewhere
        /// The file system does not lock directories; NFS locks only files that are open for writing.
        case unsupported
    }

    /// Locks the directory for this process (flock(2)), but returns at once where the lock is held elsewhere.
    ///
    /// The lock belongs to this open directory: it ends with ``unlock()`` or when this object is released, however the
    /// process ends. It does not keep anyone from changing the directory.
    public func tryLock() throws(StoreError) -> LockResult {
        do {
            try systemCall("flock", on: path) { flock(descriptor, LOCK_EX | LOCK_NB) }
            return .acquired
        } catch {
            switch error.errno {
            case .resourceTemporarilyUnavailable?: return .heldElsewhere
            case .badFileDescriptor?, .noLocks?: return .unsupported
            default:
                if error.isUnsupported { return .unsupported }
                throw error
            }
        }
    }

    /// Releases the lock that ``tryLock()`` acquired.
    public func unlock() { _ = flock(descriptor, LOCK_UN) }
}
