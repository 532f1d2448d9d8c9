public import FoundationEssentials
import Glibc
public import StoreSystem

/// A folder for one test, removed with all that is in it when nothing holds this value any more.
public final class TemporaryFolder: Sendable {
    public let directory: Directory
    private let parent: Directory
    private let name: String

    public init() throws {
        parent = try Directory.open(FileManager.default.temporaryDirectory.path)
        name = "storectl-test-" + UUID().uuidString
        directory = try parent.createDirectory(name)
    }

    deinit { try? parent.removeTree(name) }

    public var path: String { directory.path }
    public var url: URL { URL(filePath: path, directoryHint: .isDirectory) }
}

extension Directory {
    /// Puts text into a file, and makes the folders that it lies in; what was there is replaced.
    public func put(_ name: String, _ text: String) throws { try put(name, Data(text.utf8)) }

    /// Puts bytes into a file, and makes the folders that it lies in; what was there is replaced.
    public func put(_ name: String, _ data: Data) throws {
        var (folder, last) = (self, name)
        if let slash = name.lastIndex(of: "/") {
            folder = try createDirectory(String(name[..<slash]))
            last = String(name[name.index(after: slash)...])
        }
        try? folder.remove(last)
        try folder.createFile(last).write(data)
    }

    /// Makes a symbolic link.
    public func putLink(_ name: String, to target: String) throws {
        guard symlinkat(target, descriptor, name) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    }

    /// Makes an empty file whose name need not be text.
    public func putFile(named name: [UInt8]) throws {
        let result = (name.map(CChar.init(bitPattern:)) + [0]).withUnsafeBufferPointer {
            mknodat(descriptor, $0.baseAddress!, S_IFREG | 0o600, 0)
        }
        guard result == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    }

    /// A file's content as text.
    public func text(_ name: String) throws -> String { String(decoding: try read(name), as: UTF8.self) }

    public func has(_ name: String) throws -> Bool { try status(of: name) != nil }

    /// The names of what lies in it, in order.
    public func names() throws -> [String] { try entries().map(\.name).sorted() }

    /// All files beneath the folder as text, by path; links and special files as their kind.
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
