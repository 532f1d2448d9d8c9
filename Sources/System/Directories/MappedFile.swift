import Glibc
public import StoreModel

/// A file that is mapped into memory for reading.
///
/// Its bytes stay valid when the file is replaced by rename.
///
/// Writing to the file changes the mapped bytes, and truncating it makes reading them end the process (SIGBUS). Map
/// only files that are replaced by rename, in a directory that no other user writes to.
public final class MappedFile: Sendable {
    /// The address of the first mapped byte, 0 for an empty file.
    ///
    /// A number, because pointers are not `Sendable`.
    private let address: UInt
    /// The mapped file's size in bytes.
    public let count: Int

    fileprivate init(_ file: OpenFile, populating: Bool) throws(StoreError) {
        let count = try file.status().size
        self.count = count
        guard count > 0 else {
            address = 0
            return
        }
        let flags = MAP_PRIVATE | (populating ? Int32(MAP_POPULATE) : 0)
        let mapped = try systemCall("mmap", on: file.path) {
            Int(bitPattern: mmap(nil, count, PROT_READ, flags, file.descriptor, 0))
        }
        address = UInt(bitPattern: mapped)
    }

    deinit {
        if let start = UnsafeMutableRawPointer(bitPattern: address) { munmap(start, count) }
    }

    /// Calls `body` with the bytes of the mapped file, which are valid until it returns.
    public func withUnsafeBytes<Value, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try body(UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: address), count: count))
    }
}

extension OpenFile {
    /// Maps the whole file into memory, for reading, and returns the mapping.
    ///
    /// - Parameter populating: whether all pages are read at once, which costs less than a page fault for each where all
    ///   are needed; `false` for a large file of which some parts are read.
    public func map(populating: Bool = true) throws(StoreError) -> MappedFile {
        try MappedFile(self, populating: populating)
    }
}
