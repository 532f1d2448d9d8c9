import StoreArchives
import StoreModel

/// Which files of a version must come over the network, and which lie on this machine already: a value, made of what is
/// wanted, what is here, and the archive's entry table.
struct FetchPlan: Sendable {
    /// A file that is here under a path of the installed pack.
    struct Present: Sendable, Equatable {
        let source: String
        let file: Receipt.File
    }

    /// Taken over from the pack that is installed.
    let present: [Present]
    /// Fetched, each by its own bytes of the archive.
    let parts: [SelectedEntry]
    /// What to ask the server for: in order, apart, never empty. Between two parts that are nearly neighbours their gap
    /// is fetched, too.
    let ranges: [Range<Int>]
    /// All files of the version, in the order of the receipt.
    let files: [Receipt.File]

    /// About what a request costs beside its answer's bytes, in bytes: a smaller gap is cheaper than another request.
    static let requestCost = 512

    /// Bytes that are to be fetched.
    var size: Int { ranges.reduce(0) { $0 + $1.count } }

    /// Where nothing has to be fetched, no entry table is needed; `nil` where something has.
    ///
    /// - Parameters:
    ///   - wanted: the files of the version.
    ///   - here: the whole files of the installed pack.
    init?(wanted: [Receipt.File], here: [Receipt.File]) {
        let (present, missing) = Self.divide(wanted, here)
        guard missing.isEmpty else { return nil }
        self.present = present
        files = wanted
        parts = []
        ranges = []
    }

    /// `nil` where the whole archive is the better way, or the only one: where the table does not know a file as it is
    /// wanted, or the parts with their requests would be no less than the archive.
    ///
    /// - Parameters:
    ///   - table: of the version's archive.
    ///   - archiveSize: in bytes.
    init?(wanted: [Receipt.File], here: [Receipt.File], table: EntryTable, archiveSize: Int) {
        let (present, missing) = Self.divide(wanted, here)
        guard let parts = Self.parts(missing, in: table, archiveSize: archiveSize) else { return nil }
        let ranges = Self.ranges(of: parts)
        let cost = ranges.reduce(0) { $0 + $1.count + Self.requestCost }
        guard cost < archiveSize else { return nil }
        self.present = present
        self.parts = parts
        self.ranges = ranges
        files = wanted
    }

    private struct Content: Hashable {
        let size: Int
        let sha256: SHA256Digest
        init(_ file: Receipt.File) { (size, sha256) = (file.size, file.sha256) }
    }

    /// What is here is known by its content; of several files with the same, the one of the same path is taken.
    private static func divide(
        _ wanted: [Receipt.File], _ here: [Receipt.File]
    ) -> (present: [Present], missing: [Receipt.File]) {
        let sources = Dictionary(grouping: here) { Content($0) }
        var present: [Present] = []
        var missing: [Receipt.File] = []
        for file in wanted {
            let same = sources[Content(file)] ?? []
            if let source = same.first(where: { $0.path.utf8.elementsEqual(file.path.utf8) }) ?? same.first {
                present.append(Present(source: source.path, file: file))
            } else {
                missing.append(file)
            }
        }
        return (present, missing)
    }

    /// Each missing file with its entry. The table has the paths as they stand in the archive, which may hold all of the
    /// pack in one folder.
    private static func parts(
        _ missing: [Receipt.File], in table: EntryTable, archiveSize: Int
    ) -> [SelectedEntry]? {
        let entries = Dictionary(table.entries.map { (Array($0.path.utf8), $0) }) { first, _ in first }
        let first = table.entries.first?.path.utf8.prefix { $0 != UInt8(ascii: "/") } ?? Substring().utf8.prefix(0)
        let prefixes = [[], Array(first) + [UInt8(ascii: "/")]]
        return prefixes.lazy.compactMap { prefix -> [SelectedEntry]? in
            var parts: [SelectedEntry] = []
            for file in missing {
                guard let entry = entries[prefix + Array(file.path.utf8)], entry.size == file.size,
                    entry.sha256 == file.sha256, entry.lies(within: archiveSize)
                else { return nil }
                parts.append(SelectedEntry(path: file.path, entry: entry))
            }
            return parts
        }.first
    }

    private static func ranges(of parts: [SelectedEntry]) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        for range in parts.map(\.range).sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
            if let last = ranges.last, range.lowerBound - last.upperBound <= requestCost {
                ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                ranges.append(range)
            }
        }
        return ranges
    }
}

extension EntryTable.Entry {
    /// Whether its numbers can be those of a file in an archive of so many bytes.
    fileprivate func lies(within archiveSize: Int) -> Bool {
        guard offset >= 0, compressedSize >= 0, size >= 0, offset <= archiveSize else { return false }
        return compressedSize <= archiveSize - offset && (method == .deflate || compressedSize == size)
    }
}
