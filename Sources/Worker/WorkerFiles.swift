import StoreSystem

/// The open files that a worker receives with its task.
struct WorkerFiles {
    /// The directory in which files are created, or whose files are read.
    var directory: Directory?
    /// The archive, the file with images, or the font.
    var archive: OpenFile?
    /// The file for a picture, the images of a font, or the archive of an imported pack.
    var output: OpenFile?
}
