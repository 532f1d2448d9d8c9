/// The directories and files beneath a directory, in memory: what one process hands to another in place of a directory on
/// the disk.
public struct FileTree: Sendable {
    /// A file of the tree.
    public struct File: Sendable {
        /// The path of the file relative to the root of the tree.
        public let path: String
        public let bytes: ArraySlice<UInt8>

        /// Creates a file of a tree.
        public init(_ path: String, _ bytes: ArraySlice<UInt8>) { (self.path, self.bytes) = (path, bytes) }
    }

    /// The paths of directories relative to the root; only those without files have to be among them.
    public let directories: [String]
    public let files: [File]

    /// Creates a tree.
    public init(directories: [String] = [], files: [File]) { (self.directories, self.files) = (directories, files) }

    // MARK: Bytes

    /// Writes the bytes that stand for a tree.
    ///
    /// They are the number of entries, then each entry: the length of its path, the size of its content, the path, and the
    /// content. The path of a directory ends with a slash. Numbers are little-endian `UInt32`.
    package struct Encoder: Sendable {
        package private(set) var bytes: [UInt8] = []

        /// Begins with a tree of exactly `count` entries, which are added next, and of `size` bytes in all files.
        package init(entries count: Int, size: Int) {
            bytes.reserveCapacity(size + 64 * (count + 1))
            add(count)
        }

        /// Adds a directory.
        package mutating func addDirectory(_ path: String) { addEntry(path + "/", size: 0) }

        /// Adds a file, whose content of exactly `size` bytes follows with ``append(_:)``.
        package mutating func addFile(_ path: String, size: Int) { addEntry(path, size: size) }

        /// Adds a piece of the content of the last file.
        package mutating func append(_ content: UnsafeRawBufferPointer) { bytes.append(contentsOf: content) }

        private mutating func addEntry(_ path: String, size: Int) {
            add(path.utf8.count)
            add(size)
            bytes += path.utf8
        }

        private mutating func add(_ number: Int) {
            let number = UInt32(number)
            for shift in stride(from: 0, to: 32, by: 8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
        }
    }

    /// Thrown if bytes are not in the format of ``Encoder``, or stand for more than is allowed.
    package struct Malformed: Error {}

    /// Reads what ``Encoder`` has written for each of several trees, one after another.
    ///
    /// The paths are not checked: they may be anything that is UTF-8.
    ///
    /// - Parameters:
    ///   - count: the maximum number of trees.
    ///   - limit: the maximum number of entries of each tree. The two bound the memory that is taken for bytes that anyone may
    ///     have written.
    package static func decode(_ bytes: [UInt8], atMost count: Int, entries limit: Int) throws(Malformed) -> [FileTree]
    {
        var rest = bytes[...]
        var trees: [FileTree] = []
        while !rest.isEmpty {
            guard trees.count < count else { throw Malformed() }
            trees.append(try decodeOne(&rest, limit))
        }
        return trees
    }

    private static func decodeOne(_ rest: inout ArraySlice<UInt8>, _ limit: Int) throws(Malformed) -> FileTree {
        var (directories, files): ([String], [File]) = ([], [])
        let count = try number(&rest)
        guard count <= limit else { throw Malformed() }
        for _ in 0..<count {
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
        return FileTree(directories: directories, files: files)
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
