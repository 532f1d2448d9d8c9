import Glibc
import StoreModel

extension Directory {
    /// The maximum length in bytes of a path that a system call accepts (`PATH_MAX`, which includes the final 0).
    public static let maximumPathLength = Int(PATH_MAX) - 1

    /// Calls a function for each file and directory beneath this directory, in no particular order.
    ///
    /// Works for trees of any depth: besides this directory only one is open at a time, and no function calls itself.
    /// No symbolic link is followed.
    ///
    /// - Parameter visit: gets an entry, its path relative to this directory, and the open directory that contains it;
    ///   returns whether to visit what is in the entry, if that is a directory.
    /// - Throws: what `visit` throws; `StoreError` where a directory can't be read, such as one whose path is longer than
    ///   ``maximumPathLength``.
    public func walk(_ visit: (_ entry: Entry, _ path: String, _ directory: Directory) throws -> Bool) throws {
        var pending = [""]
        while let path = pending.popLast() {
            let directory = path.isEmpty ? self : try openDirectory(path)
            for entry in try directory.entries() {
                let inner = path.isEmpty ? entry.name : path + "/" + entry.name
                if try visit(entry, inner, directory), entry.kind == .folder { pending.append(inner) }
            }
        }
    }
}
