public import FoundationEssentials
import Glibc
public import StoreSystem

/// A temporary directory that is removed with its content when this object is released.
public final class TemporaryFolder: Sendable {
    public let directory: Directory
    private let parent: Directory
    private let name: String

    /// Creates a temporary directory, whose path contains no symbolic link.
    ///
    /// - Parameter inMemory: whether to create it in memory, if the system has a file system there.
    public init(inMemory: Bool = false) throws {
        let memory = "/dev/shm"
        let isInMemory = inMemory && access(memory, W_OK) == 0
        let base = isInMemory ? URL(filePath: memory) : FileManager.default.temporaryDirectory
        parent = try Directory.open(base.resolvingSymlinksInPath().path)
        // Short, because the paths of sockets are limited.
        name = "storectl-test-" + UUID().uuidString.prefix(13)
        directory = try parent.createDirectory(name)
    }

    deinit { try? parent.removeTree(name) }

    public var path: String { directory.path }
    public var url: URL { URL(filePath: path, directoryHint: .isDirectory) }
}

extension Directory {
    /// Writes text to a file, replaces any previous file, and creates missing parent directories.
    public func put(_ name: String, _ text: String) throws { try put(name, Data(text.utf8)) }

    /// Writes data to a file, replaces any previous file, and creates missing parent directories.
    public func put(_ name: String, _ data: Data) throws {
        var (folder, last) = (self, name)
        if let slash = name.lastIndex(of: "/") {
            folder = try createDirectory(String(name[..<slash]))
            last = String(name[name.index(after: slash)...])
        }
        try? folder.remove(last)
        try folder.createFile(last).write(data)
    }

    /// Creates a symbolic link.
    public func putLink(_ name: String, to target: String) throws {
        guard symlinkat(target, descriptor, name) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    }

    /// Creates an empty file, whose name need not be valid UTF-8.
    public func putFile(named name: [UInt8]) throws {
        let result = (name.map(CChar.init(bitPattern:)) + [0]).withUnsafeBufferPointer {
            mknodat(descriptor, $0.baseAddress!, S_IFREG | 0o600, 0)
        }
        guard result == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    }

    /// Creates directories nested in each other to any depth, and a file in the last one.
    ///
    /// - Parameter name: the name of each directory, and of the file with the suffix `.txt`.
    public func putChain(_ depth: Int, named name: String = "d") throws {
        func checked(_ result: Int32) throws -> Int32 {
            guard result >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
            return result
        }
        var current = try checked(dup(descriptor))
        defer { close(current) }
        for _ in 0..<depth {
            _ = try checked(mkdirat(current, name, 0o755))
            let next = try checked(openat(current, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
            close(current)
            current = next
        }
        _ = try checked(mknodat(current, name + ".txt", S_IFREG | 0o644, 0))
    }

    /// Returns the content of a file as text.
    public func text(_ name: String) throws -> String { String(decoding: try read(name), as: UTF8.self) }

    public func has(_ name: String) throws -> Bool { try status(of: name) != nil }

    /// The sorted names of the directory's entries.
    public func names() throws -> [String] { try entries().map(\.name).sorted() }

    /// Returns the text of all files beneath the directory by path; links and special files appear as their kind.
    public func tree(_ prefix: String = "") throws -> [String: String] {
        var tree: [String: String] = [:]
        for entry in try entries() {
            switch entry.kind {
            case .folder: tree.merge(try openDirectory(entry.name).tree(prefix + entry.name + "/")) { $1 }
            case .file: tree[prefix + entry.name] = try text(entry.name)
            case .link, .other: tree[prefix + entry.name] = "(\(entry.kind))"
            }
        }
        return tree
    }
}
