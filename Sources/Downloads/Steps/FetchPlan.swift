import StoreArchives
import StoreModel

/// A plan of a repair or an update: which files of a version have to be fetched, and which the installed pack has.
///
/// It is a value, made of the wanted files, the installed ones, and the archive's entry table (list of files).
struct FetchPlan: Sendable {
    /// A file whose content is in the installed pack, under the path `source`.
    struct Present: Sendable, Equatable {
        let source: String
        let file: Receipt.File
    }

    /// The files to copy from the installed pack.
    let present: [Present]
    /// The files to fetch, each with the position of its bytes in the archive.
    let parts: [SelectedEntry]
    /// The byte ranges of the archive to request: in order, not adjacent, none of them empty.
    ///
    /// A small gap between two parts is fetched too. There are no ranges if nothing, or only empty files, has to be
    /// fetched.
    let ranges: [Range<Int>]
    /// All files of the version, in the order of the receipt.
    let files: [Receipt.File]

    /// The approximate cost of an HTTP request in bytes: fetching a smaller gap is cheaper than another request.
    static let requestCost = 512

    /// The cost of a request of an update in bytes, with which the parts are compared with the whole archive: the ranges are
    /// requested one after another, and in a round trip of 100 ms, 5 Mbit/s are 62,500 bytes.
    static let updateRequestCost = 64 << 10

    /// The number of bytes of the archive to fetch.
    var size: Int { ranges.reduce(0) { $0 + $1.count } }

    /// Creates a plan without the archive's entry table; `nil` if any file has to be fetched, or must not be in a
    /// pack.
    ///
    /// - Parameters:
    ///   - wanted: the files of the version.
    ///   - present: the undamaged files of the installed pack.
    init?(wanted: [Receipt.File], present: [Receipt.File]) {
        guard Self.isContent(wanted) else { return nil }
        let (present, missing) = Self.divide(wanted, present)
        guard missing.isEmpty else { return nil }
        self.present = present
        files = wanted
        parts = []
        ranges = []
    }

    /// Creates a plan; `nil` if the whole archive has to be fetched, or costs no more than its parts.
    ///
    /// The whole archive has to be fetched if the entry table does not list a missing file with the wanted size and
    /// hash, or has no hash of its bytes in the archive, without which they would be inflated unverified; or if one of
    /// the wanted files must not be in a pack.
    ///
    /// - Parameters:
    ///   - wanted: the files of the version.
    ///   - present: the undamaged files of the installed pack.
    ///   - table: the entry table of the version's archive.
    ///   - archiveSize: the size of the archive in bytes.
    ///   - requestCost: the cost of a request in bytes; small where few files are damaged, and the rest is there.
    init?(
        wanted: [Receipt.File], present: [Receipt.File], table: EntryTable, archiveSize: Int,
        requestCost: Int = FetchPlan.requestCost
    ) {
        guard Self.isContent(wanted) else { return nil }
        let (present, missing) = Self.divide(wanted, present)
        guard let parts = Self.parts(missing, in: table, archiveSize: archiveSize) else { return nil }
        let ranges = Self.ranges(of: parts)
        // The ranges are disjoint parts of the archive, so that no sum of them is larger.
        guard ranges.reduce(0, { $0 + $1.count }) < archiveSize - ranges.count * requestCost else { return nil }
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

    /// Returns whether all files may be in a pack.
    ///
    /// The receipts of earlier versions may list hidden files and litter. Only the whole archive is then checked by the
    /// rules of an installation.
    private static func isContent(_ files: [Receipt.File]) -> Bool {
        files.allSatisfy { PackExclusion.topmost(in: $0.path, isDirectory: false) == nil }
    }

    /// Divides wanted files into those whose content is in the installed pack, under any path, and missing ones.
    ///
    /// Among several present files with the same content, the one with the same path is used.
    private static func divide(
        _ wanted: [Receipt.File], _ available: [Receipt.File]
    ) -> (present: [Present], missing: [Receipt.File]) {
        // Not a search among the files of the same content: a store may publish thousands of equal files. The paths as bytes,
        // because Swift takes different ones for equal.
        let contents = Dictionary(available.map { (Array($0.path.utf8), Content($0)) }) { first, _ in first }
        let sources = Dictionary(available.map { (Content($0), $0.path) }) { first, _ in first }
        var present: [Present] = []
        var missing: [Receipt.File] = []
        for file in wanted {
            let content = Content(file)
            if contents[Array(file.path.utf8)] == content {
                present.append(Present(source: file.path, file: file))
            } else if let source = sources[content] {
                present.append(Present(source: source, file: file))
            } else {
                missing.append(file)
            }
        }
        return (present, missing)
    }

    /// Returns the archive's entry of each missing file; `nil` if the entry table lacks one or contradicts the receipt.
    ///
    /// The files of a pack may all be in one directory of the archive, that of the first one in the table.
    private static func parts(
        _ missing: [Receipt.File], in table: EntryTable, archiveSize: Int
    ) -> [SelectedEntry]? {
        let entries = Dictionary(table.entries.map { (Array($0.path.utf8), $0) }) { first, _ in first }
        let content = table.entries.first { PackExclusion.topmost(in: $0.path, isDirectory: false) == nil }
        let first = content?.path.utf8.prefix { $0 != UInt8(ascii: "/") } ?? Substring().utf8.prefix(0)
        let prefixes = [[], Array(first) + [UInt8(ascii: "/")]]
        return prefixes.lazy.compactMap { prefix -> [SelectedEntry]? in
            var parts: [SelectedEntry] = []
            for file in missing {
                guard let entry = entries[prefix + Array(file.path.utf8)], entry.size == file.size,
                    entry.sha256 == file.sha256, entry.isVerifiable, entry.lies(within: archiveSize)
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
