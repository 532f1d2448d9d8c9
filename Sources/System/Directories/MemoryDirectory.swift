/// The directories and files beneath a directory, in memory: what one process hands to another in place of a directory on
/// the disk.
public struct MemoryDirectory: Sendable {
    /// A file in memory.
    public struct File: Sendable {
        /// The path of the file relative to the directory.
        public let path: String
        public let bytes: ArraySlice<UInt8>

        /// Creates a file in memory.
        public init(_ path: String, _ bytes: ArraySlice<UInt8>) { (self.path, self.bytes) = (path, bytes) }
    }

    /// The paths of directories relative to this one; directories that have files may be left out.
    public let directories: [String]
    public let files: [File]

    /// Creates a directory in memory.
    public init(directories: [String] = [], files: [File]) { (self.directories, self.files) = (directories, files) }

    // MARK: Bytes

    /// The bytes that stand for a directory, while they are being written.
    ///
    /// They are the number of entries, then each entry: the length of its path, the size of its content, the path, and the
    /// content. The path of a directory ends with a slash. Numbers have four bytes, the lowest first.
    public struct Encoding: Sendable {
        public private(set) var bytes: [UInt8] = []

        /// Begins with a directory of `count` entries, which are added next, and of `size` bytes in all files.
        public init(entries count: Int, size: Int) {
            bytes.reserveCapacity(size + 64 * (count + 1))
            add(count)
        }

        /// Adds a directory.
        public mutating func addDirectory(_ path: String) { addEntry(path + "/", size: 0) }

        /// Adds a file, whose content of `size` bytes follows with ``append(_:)``.
        public mutating func addFile(_ path: String, size: Int) { addEntry(path, size: size) }

        /// Adds a piece of the content of the last file.
        public mutating func append(_ content: UnsafeRawBufferPointer) { bytes.append(contentsOf: content) }

        private mutating func addEntry(_ path: String, size: Int) {
            add(path.utf8.count)
            add(size)
            bytes += path.utf8
        }

        private mutating func add(_ number: Int) {
            for shift in stride(from: 0, to: 32, by: 8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
        }
    }

    /// An error: bytes do not stand for directories.
    public struct Malformed: Error {}

    /// Reads what ``Encoding`` has written for each of several directories, one after another.
    ///
    /// The paths are not checked: they may be anything that is UTF-8.
    public static func decode(_ bytes: [UInt8]) throws(Malformed) -> [MemoryDirectory] {
        var rest = bytes[...]
        var directories: [MemoryDirectory] = []
        while !rest.isEmpty { directories.append(try decodeOne(&rest)) }
        return directories
    }

    private static func decodeOne(_ rest: inout ArraySlice<UInt8>) throws(Malformed) -> MemoryDirectory {
        var (directories, files): ([String], [File]) = ([], [])
        for _ in 0..<(try number(&rest)) {
            let (length, size) = (try number(&rest), try number(&rest))
            guard let path = String(validating: try take(length, &rest), as: UTF8.self) else { throw Malformed() }
            let content = try take(size, &rest)
            guard path.utf8.last == UInt8(ascii: "/") else {
                files.append(File(path, content))
                continue
            }
            guard content.isEmpty, let name = String(path.utf8.dropLast()) else { throw Malformed() }
            directories.append(name)
        }
        return MemoryDirectory(directories: directories, files: files)
    }

    private static func number(_ rest: inout ArraySlice<UInt8>) throws(Malformed) -> Int {
        try take(4, &rest).reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    private static func take(_ count: Int, _ rest: inout ArraySlice<UInt8>) throws(Malformed) -> ArraySlice<UInt8> {
        guard count <= rest.count else { throw Malformed() }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }
}

/// Directories in memory, and the file in memory that contains the bytes of all of them (memfd_create(2)).
///
/// A process that is given the file can read the directories from it.
public struct MemoryDirectories: Sendable {
    public let file: OpenFile
    public let directories: [MemoryDirectory]

    /// Reads directories from a file in memory, to which no process writes any more.
    ///
    /// - Parameter limit: the maximum size of the file in bytes.
    /// - Throws: ``MemoryDirectory/Malformed``; ``StoreError`` if the file can't be read, or is too large.
    public init(_ file: OpenFile, limit: Int) throws {
        self.file = file
        directories = try MemoryDirectory.decode(file.read(count: file.requireSize(limit: limit), at: 0))
    }
}
