import Glibc

/// The bytes of a file where the system maps them: read from the disk when they are looked at, and shared with all others
/// who look at the file. They stay when the file is replaced by rename.
///
/// Who writes into the file changes the bytes, and who shortens it takes them away: that ends the process that looks at
/// them. Map only what is replaced by rename, in a folder that nobody else writes to.
public final class MappedFile: Sendable {
    /// A number, because a pointer can't be sent; 0 where the file is empty.
    private let address: UInt
    /// In bytes.
    public let count: Int

    fileprivate init(_ file: OpenFile) throws(FileError) {
        let count = try file.status().size
        self.count = count
        guard count > 0 else {
            address = 0
            return
        }
        // All pages at once: one fault for each costs more than reading them.
        let flags = MAP_PRIVATE | Int32(MAP_POPULATE)
        let mapped = try systemCall("mmap", on: file.path) {
            Int(bitPattern: mmap(nil, count, PROT_READ, flags, file.descriptor, 0))
        }
        address = UInt(bitPattern: mapped)
    }

    deinit {
        if let start = UnsafeMutableRawPointer(bitPattern: address) { munmap(start, count) }
    }

    /// - Parameter body: gets the bytes, which are there until it returns.
    public func withUnsafeBytes<Value, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try body(UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: address), count: count))
    }
}

extension OpenFile {
    /// Maps the whole file into memory, for reading.
    public func map() throws(FileError) -> MappedFile { try MappedFile(self) }
}
