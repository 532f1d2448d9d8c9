import FoundationEssentials
import Glibc
import StoreArchives
import StoreModel
import StoreSystem
import StoreTestSupport

extension FuzzTarget {
    /// Checks an archive that consists of the input.
    @Sendable static func archive(_ bytes: [UInt8]) throws { _ = try ArchiveOracle(bytes).check() }
}

/// The invariants of an archive, whatever its bytes are.
struct ArchiveOracle {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    static let limits: ArchiveLimits = {
        var limits = ArchiveLimits()
        (limits.entries, limits.directorySize, limits.unpackedSize) = (40, 16 << 10, 1 << 20)
        (limits.ratio, limits.ratioFloor) = (100, 4 << 10)
        (limits.depth, limits.pathLength, limits.nameLength) = (5, 200, 100)
        // The other readers keep all of them.
        limits.hiddenEntries = .kept
        return limits
    }()

    /// Checks the archive.
    ///
    /// - Returns: the bytes of each file by path; `nil` if the archive was refused.
    func check() throws -> [String: [UInt8]]? {
        let contents = try verdict()
        try Self.kept?.keep(bytes, contents)
        return contents
    }

    private func verdict() throws -> [String: [UInt8]]? {
        let file = try Workspace.file(bytes)
        let opened = refusal { try Archive(file, limits: Self.limits) }
        let again = refusal { try Archive(file, limits: Self.limits) }
        requireSame(opened.code, again.code, "results of two runs")
        let unpacked = try Workspace.withFolder { folder in try unpack(file, into: folder) }
        guard let archive = opened.value else {
            requireSame(unpacked.code, opened.code, "results of the unpacker and the reader")
            return nil
        }
        checkEntries(archive)
        let table = refusal { try archive.entryTable() }
        requireSame(table.code, unpacked.code, "results of the unpacker and the entry table")
        guard let table = table.value, let found = unpacked.value else { return nil }
        return checkContents(archive, table, found)
    }

    private func unpack(_ file: OpenFile, into folder: Directory) throws -> Outcome<Unpacked> {
        let report = refusal { try Unpacker().unpack(file, into: folder, limits: Self.limits) }
        return Outcome(
            value: try report.value.map { Unpacked(report: $0, tree: try Self.tree(folder)) }, code: report.code)
    }

    private static let kept = getenv("STORECTL_FUZZ_ARCHIVES").map { ArchiveCache(path: String(cString: $0)) }

    private struct Unpacked {
        let report: UnpackReport
        let tree: [String: [UInt8]?]
    }

    /// Returns everything beneath a directory by path: the bytes of a file, `nil` for a directory.
    private static func tree(_ folder: Directory, _ prefix: String = "") throws -> [String: [UInt8]?] {
        var tree: [String: [UInt8]?] = [:]
        for entry in try folder.entries() {
            switch entry.kind {
            case .file: tree[prefix + entry.name] = Array(try folder.read(entry.name))
            case .folder:
                tree.updateValue(nil, forKey: prefix + entry.name)
                tree.merge(try Self.tree(folder.openDirectory(entry.name), prefix + entry.name + "/")) { $1 }
            case .link, .other: require(false, "'\(entry.name)' is a \(entry.kind)")
            }
        }
        return tree
    }

    /// Checks the reader's guarantees for accepted entries independently.
    private func checkEntries(_ archive: Archive) {
        let limits = Self.limits
        require(archive.entries.count <= limits.entries, "\(archive.entries.count) entries")
        require(archive.entries.reduce(0) { $0 + $1.size } <= limits.unpackedSize, "too large")
        var end = 0
        for entry in archive.entries.sorted(by: { $0.offset < $1.offset }) {
            // Each entry is preceded by its local header.
            require(entry.offset >= end + 30, "'\(entry.path)' begins at \(entry.offset), before \(end) and a header")
            end = entry.offset + entry.compressedSize
            require(end + 22 <= bytes.count, "'\(entry.path)' reaches to \(end) of \(bytes.count)")
            let parts = entry.path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            require(parts.count <= limits.depth && entry.path.utf8.count <= limits.pathLength, "a limit")
            for part in parts {
                require(!part.allSatisfy { $0 == UInt8(ascii: ".") } && part.count <= limits.nameLength, "a part")
                require(!part.contains { $0 < 0x20 || $0 == 0x7f || $0 == UInt8(ascii: "\\") }, "a letter")
            }
            require(entry.path.utf8.elementsEqual((rooted(entry.packPath, in: archive)).utf8), "the root")
        }
        let folded = Set(archive.entries.map { $0.path.lowercased() })
        requireSame(folded.count, archive.entries.count, "names that differ")
    }

    private func rooted(_ packPath: String, in archive: Archive) -> String {
        switch archive.root {
        case nil: packPath
        case let root? where packPath.isEmpty: root
        case let root?: root + "/" + packPath
        }
    }

    /// Compares the entry table, the report, the unpacked files and the result of libzip.
    private func checkContents(_ archive: Archive, _ table: EntryTable, _ unpacked: Unpacked) -> [String: [UInt8]] {
        var expected: [String: SHA256Digest] = [:]
        for entry in table.entries {
            expected[entry.path] = entry.sha256
            if entry.method == .stored {
                let plain = bytes[entry.offset..<(entry.offset + entry.compressedSize)]
                requireSame(SHA256Digest(of: plain), entry.sha256, "the table's hash of '\(entry.path)'")
            }
        }
        requireSame(expected.count, table.entries.count, "paths of the table")
        let files = Dictionary(
            unpacked.report.files.map { (rooted($0.path, in: archive), $0) }, uniquingKeysWith: { _, new in new })
        requireSame(files.mapValues(\.sha256), expected, "report and table")

        var contents: [String: [UInt8]] = [:]
        var folders = Set(archive.entries.filter(\.isDirectory).map(\.packPath)).subtracting([""])
        for (path, content) in unpacked.tree {
            guard let content else { continue }
            let whole = rooted(path, in: archive)
            contents[whole] = content
            requireSame(SHA256Digest(of: content), expected[whole], "bytes of '\(path)'")
            requireSame(content.count, files[whole]?.size, "size of '\(path)'")
            var parts = path.utf8.split(separator: UInt8(ascii: "/")).dropLast()
            while !parts.isEmpty {
                folders.insert(parts.map { String(Substring($0)) }.joined(separator: "/"))
                parts = parts.dropLast()
            }
        }
        requireSame(contents.count, expected.count, "files on the disk")
        for entry in archive.entries where entry.isDirectory && !entry.packPath.isEmpty {
            var parts = entry.packPath.utf8.split(separator: UInt8(ascii: "/")).dropLast()
            while !parts.isEmpty {
                folders.insert(parts.map { String(Substring($0)) }.joined(separator: "/"))
                parts = parts.dropLast()
            }
        }
        requireSame(Set(unpacked.tree.filter { $0.value == nil }.keys), folders, "folders on the disk")
        requireSame(OtherReader.contents(of: bytes), contents, "the files according to libzip")
        return contents
    }
}

/// The result of code that may refuse its input.
struct Outcome<Value> {
    let value: Value?
    /// The error code of the refusal.
    let code: String?
}

/// Runs code that may refuse an archive.
///
/// A refusal must have a code of the project and a message of one line.
func refusal<Value>(_ body: () throws -> Value) -> Outcome<Value> {
    do {
        return Outcome(value: try body(), code: nil)
    } catch let error as StoreError {
        requireSame(error.code.exitCode, .refused, "exit code of \(error.code)")
        require(error.code.rawValue.hasPrefix("archive."), "code \(error.code)")
        require(!error.message.utf8.contains { $0 < 0x20 || $0 == 0x7f }, "control characters in a message")
        return Outcome(value: nil, code: error.code.rawValue)
    } catch {
        fatalError("no refusal: \(error)")
    }
}

/// Stores the fuzzed archives in a directory, with the content of accepted ones.
///
/// Other parsers check them later, because a process for each input would be too slow here.
struct ArchiveCache: Sendable {
    let path: String

    func keep(_ bytes: [UInt8], _ contents: [String: [UInt8]]?) throws {
        let folder = try Directory.create(path)
        let name = SHA256Digest(of: bytes).hex
        try folder.put(name + ".zip", Data(bytes))
        guard let contents else { return }
        try folder.put(name + ".json", try JSON.encode(contents.mapValues { SHA256Digest(of: $0) }))
    }
}
