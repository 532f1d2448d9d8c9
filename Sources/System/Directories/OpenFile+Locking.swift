import Glibc
public import StoreModel

extension OpenFile {
    /// Locks the file for this process (flock(2)).
    ///
    /// Blocks while another process or another open file holds the lock. The lock belongs to the open file: it ends
    /// with ``unlock()``, when the object is released, or with the process, however it ends.
    public func lock() throws(StoreError) {
        try systemCall("flock", on: path) { flock(descriptor, LOCK_EX) }
        isLocked.store(true, ordering: .relaxed)
    }

    /// Locks the file for this process if it is not locked, but returns at once where the lock is held elsewhere.
    public func tryLock() throws(StoreError) -> LockResult {
        let result = try LockResult.lock(descriptor, path: path)
        if case .acquired = result { isLocked.store(true, ordering: .relaxed) }
        return result
    }

    /// Releases the file's lock that ``lock()`` or ``tryLock()`` acquired.
    public func unlock() {
        _ = flock(descriptor, LOCK_UN)
        isLocked.store(false, ordering: .relaxed)
    }
}
