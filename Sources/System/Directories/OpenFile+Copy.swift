import Glibc
import StoreCLinux
import StoreModel

extension OpenFile {
    /// Copies the first bytes of another file into this one, which must be empty.
    ///
    /// Where the file system can, the copy shares the other file's blocks until one of the two is changed
    /// (copy_file_range(2)), so that it takes neither time nor space.
    ///
    /// - Parameters:
    ///   - count: the number of bytes to copy; fewer are copied where the other file is shorter.
    ///   - cancellation: checked once for every mebibyte.
    /// - Returns: the number of bytes copied.
    /// - Throws: `StoreError`, or `CancellationError`.
    @discardableResult
    public func copy(
        from other: OpenFile, upTo count: Int, cancellation: CancellationFlag = CancellationFlag()
    ) throws -> Int {
        var copied = 0
        while copied < count {
            try cancellation.check()
            guard let piece = try copyInKernel(from: other, at: copied, upTo: min(count - copied, 1 << 20))
            else { return try copyThroughMemory(from: other, upTo: count, cancellation) }
            if piece == 0 { break }
            copied += piece
        }
        return copied
    }

    /// Copies bytes with copy_file_range(2), from an offset of the other file to this file's current position.
    ///
    /// The position of the other file does not matter: another process may have it open with the same position.
    ///
    /// - Returns: the number of bytes copied, or `nil` where the file system can't copy the first piece.
    private func copyInKernel(from other: OpenFile, at offset: Int, upTo count: Int) throws(StoreError) -> Int? {
        do {
            return try systemCall("copy_file_range", on: path) {
                clinux_copy_file_range(other.descriptor, off_t(offset), descriptor, count)
            }
        } catch {
            guard offset == 0, error.isUnsupported || error.errno == .improperLink else { throw error }
            return nil
        }
    }

    private func copyThroughMemory(
        from other: OpenFile, upTo count: Int, _ cancellation: CancellationFlag
    ) throws -> Int {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: min(count, 256 << 10), alignment: 16)
        defer { buffer.deallocate() }
        var copied = 0
        while copied < count {
            try cancellation.check()
            let room = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(count - copied))
            let got = try other.read(into: room, at: copied)
            if got == 0 { break }
            try write(UnsafeRawBufferPointer(rebasing: buffer.prefix(got)))
            copied += got
        }
        return copied
    }
}
