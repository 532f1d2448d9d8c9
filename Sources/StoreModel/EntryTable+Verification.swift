extension EntryTable.Entry {
    /// Whether the entry's bytes in the archive can be verified before they are inflated.
    package var isVerifiable: Bool {
        switch method {
        case .deflate: compressedSHA256 != nil
        case .stored: compressedSHA256 == sha256
        }
    }

    /// Returns whether the ZIP entry's offset and sizes are possible in an archive of `archiveSize` bytes.
    package func lies(within archiveSize: Int) -> Bool {
        guard offset >= 0, compressedSize >= 0, size >= 0, offset <= archiveSize else { return false }
        return compressedSize <= archiveSize - offset && (method == .deflate || compressedSize == size)
    }
}
