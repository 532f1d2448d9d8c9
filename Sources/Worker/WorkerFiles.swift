import StoreSystem

/// The open files that a worker receives with its task.
struct WorkerFiles {
    /// The directories in which files are created, or whose files are read.
    var directories: [Directory] = []
    /// The archives, the file with packs in memory or with images, or the font.
    var archives: [OpenFile] = []
    /// The file for unpacked packs, a picture, the images of a font, or the archive of an imported pack.
    var output: OpenFile?
}
