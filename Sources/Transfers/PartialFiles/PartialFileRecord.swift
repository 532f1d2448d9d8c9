import FoundationEssentials
import StoreModel
public import StoreSystem
import Synchronization

/// A small file beside a partly downloaded file that records which ranges are present, and their entity tag.
///
/// The ranges are recorded while some are missing in between, and the entity tag where no hash verifies the bytes. Most
/// downloads need neither, so the record is created only when there is something to record.
public final class PartialFileRecord: Sendable {
    private let directory: Directory
    private let name: String
    private let file = Mutex<OpenFile?>(nil)

    /// Creates the record of a partly downloaded file, and reads or writes nothing yet.
    ///
    /// - Parameters:
    ///   - directory: the directory of the record.
    ///   - name: the record's file name in the directory; the file need not exist.
    public init(in directory: Directory, _ name: String) {
        self.directory = directory
        self.name = name
    }

    /// The maximum size in bytes of the record of a partly downloaded file.
    ///
    /// Records hold two numbers for each of some thousand ranges.
    private static let limit = 1 << 20

    /// The content of the record of a partly downloaded file: present ranges and entity tag.
    struct Content: Equatable, Sendable {
        /// The ranges of the file that are present; `nil` where the partly downloaded file has no gaps.
        var ranges: ByteRanges?
        /// The strong entity tag that the server's file had; `nil` where it is unknown or not needed.
        var tag: String?
    }

    /// Returns the ranges and entity tag that an earlier process recorded for the partly downloaded file.
    ///
    /// Where there is no record, or an empty one, no byte is missing in between. A record that is cut off counts as one
    /// without any range, because it does not tell which bytes are missing.
    ///
    /// - Throws: ``StoreError`` where the record can't be read.
    func read() throws(StoreError) -> Content {
        let text: String
        do {
            text = String(decoding: try directory.read(name, limit: Self.limit), as: UTF8.self)
        } catch {
            guard error.isMissing else { throw error }
            return Content()
        }
        // A truncated record tells that bytes are missing, but not which.
        return text.isEmpty ? Content() : Content(text: text) ?? Content(ranges: ByteRanges())
    }

    func write(_ content: Content) throws(StoreError) {
        let file = try open()
        // One write suffices: the final dot separates the record from the rest of a longer one before it.
        try file.write(Array(content.text.utf8), at: 0)
    }

    /// Removes the record of the partly downloaded file, or empties it where it is open.
    func clear() throws(StoreError) {
        if let file = file.withLock({ $0 }) { return try file.truncate(to: 0) }
        do { try directory.remove(name) } catch { if !error.isMissing { throw error } }
    }

    private func open() throws(StoreError) -> OpenFile {
        if let file = file.withLock({ $0 }) { return file }
        let opened = try directory.openOrCreateFile(name)
        file.withLock { $0 = opened }
        return opened
    }
}

// The format: the entity tag with its quotation marks, if there is one, then the ranges (`-` for all that the file holds)
// and a dot, which marks the end: `"one" 0-1048576 4194304-5242880 .`

extension PartialFileRecord.Content {
    var text: String { (tag.map { $0 + " " } ?? "") + (ranges?.text ?? "-.") }

    /// Parses the text of the record of a partly downloaded file; `nil` where it is not valid or not complete.
    init?(text: String) {
        var rest = text[...]
        if rest.first == "\"" {
            guard let end = rest.dropFirst().firstIndex(of: "\"") else { return nil }
            tag = String(rest[...end])
            rest = rest[rest.index(after: end)...].drop { $0 == " " }
        }
        if rest.hasPrefix("-.") { return }
        guard let recorded = ByteRanges(text: String(rest)) else { return nil }
        ranges = recorded
    }
}
