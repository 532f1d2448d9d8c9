import Glibc
public import StoreModel

extension OpenFile {
    /// Locks the file for this process (flock(2)).
    ///
    /// Blocks while another process or another open file holds the lock. The lock belongs to the open file: it ends
    /// with ``unlock()`` or when the last descriptor of the file is closed, however the process ends.
    public func lock() throws(StoreError) {
        try systemCall("flock", on: path) { flock(descriptor, LOCK_EX) }
    }

    /// Locks the file for this process if it is not locked, but returns at once where the lock is held elsewhere.
    public func tryLock() throws(StoreError) -> LockResult { try LockResult.lock(descriptor, path: path) }

    /// Releases the file's lock that ``lock()`` or ``tryLock()`` acquired.
    public func unlock() { _ = flock(descriptor, LOCK_UN) }
}
