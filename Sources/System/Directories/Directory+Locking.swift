import Glibc
public import StoreModel

extension Directory {
    /// Locks the directory for this process (flock(2)), but returns at once where the lock is held elsewhere.
    ///
    /// The lock belongs to this open directory: it ends with ``unlock()`` or when this object is released, however the
    /// process ends. It does not keep anyone from changing the directory.
    public func tryLock() throws(StoreError) -> LockResult { try LockResult.lock(descriptor, path: path) }

    /// Releases the lock that ``tryLock()`` acquired.
    public func unlock() { _ = flock(descriptor, LOCK_UN) }
}
