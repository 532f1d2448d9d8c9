import StoreSystem

/// The open files that a worker receives with its task.
struct WorkerFiles {
    /// The directory in which files are created, or whose files are read.
    var directory: Directory?
    /// The archive, or the file with images.
    var archive: OpenFile?
    /// The file for a picture, or for the archive of an imported pack.
    var output: OpenFile?
}
