public import StoreModel
public import StoreSystem

extension HomeLock {
    /// Locks a home for the process that is about to work on it, and creates the data directory if it is missing.
    ///
    /// A lock file that a crashed process left behind is reused. Blocks on disk access; call it through
    /// ``BlockingWork``.
    ///
    /// - Parameters:
    ///   - places: the directories of the home.
    ///   - role: the role in which this process will work on the home.
    /// - Throws: `home.inUse` if the home is locked already, by this process or another; `home.unusable` or
    ///   `home.unwritable` if its data directory can't be created or written; `space.disk-full`.
    public static func acquire(_ places: HomePaths, as role: Role) throws(StoreError) -> HomeLock {
        let directory: Directory
        do { directory = try Directory.create(places.data) } catch { throw StoreError(.homeNotUsable, cause: error) }
        let acquisition: Acquisition
        do {
            acquisition = try acquire(in: directory, as: role)
        } catch {
            // Another directory on a full disk would not help, so that error keeps its code.
            let template: ErrorTemplate = error.code == .noSpace ? .homeDirectoryUnusable : .homeDirectoryUnwritable
            throw StoreError(template, ["path": .path(places.data)], cause: error)
        }
        switch acquisition {
        case .acquired(let lock): return lock
        case .heldBy(let holder): throw StoreError(homeOf: places, inUseBy: holder)
        }
    }
}
