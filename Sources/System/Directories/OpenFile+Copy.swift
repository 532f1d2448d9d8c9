import Glibc
import StoreCLinux

extension OpenFile {
    /// Copies another file into this one, which is empty, up to `count` bytes. Where the file system can, the copy has
    /// the same blocks until one of the two is changed (copy_file_range(2)), so that it takes neither time nor space.
    ///
    /// - Returns: how many bytes there were.
    @discardableResult
    public func copy(from other: OpenFile, upTo count: Int) throws(FileError) -> Int {
        var copied = 0
        while copied < count {
            let rest = count - copied
            do {
                let got: Int = try systemCall("copy_file_range", on: path) {
                    clinux_copy_file_range(other.descriptor, descriptor, rest)
                }
                if got == 0 { return copied }
                copied += got
            } catch let error where copied == 0 && (error.isUnsupported || error.errno == .improperLink) {
                return try copyThroughMemory(from: other, upTo: count)
            }
        }
        return copied
    }

    private func copyThroughMemory(from other: OpenFile, upTo count: Int) throws(FileError) -> Int {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: min(count, 256 << 10), alignment: 16)
        defer { buffer.deallocate() }
        var copied = 0
        while copied < count {
            let room = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(count - copied))
            let got = try other.read(into: room, at: copied)
            if got == 0 { break }
            try write(UnsafeRawBufferPointer(rebasing: buffer.prefix(got)))
            copied += got
        }
        return copied
    }
}
