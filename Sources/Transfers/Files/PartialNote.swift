import FoundationEssentials
public import StoreSystem
import Synchronization

/// A file beside a ``PartialFile`` that says what its bytes alone do not: which of them are there while some are missing
/// in between, and under which entity tag they came where no hash will prove them. Most downloads have nothing of that
/// to say, so that the file is only made when there is.
public final class PartialNote: Sendable {
    private let folder: Directory
    private let name: String
    private let file = Mutex<OpenFile?>(nil)

    /// - Parameter name: of the file, in `folder`; it need not be there.
    public init(in folder: Directory, _ name: String) {
        self.folder = folder
        self.name = name
    }

    /// Notes are short: of each of some thousand pieces two numbers.
    private static let limit = 1 << 20

    struct Content: Equatable, Sendable {
        /// `nil` is all that the file holds.
        var ranges: ByteRanges?
        var tag: String?
    }

    /// What an earlier process has noted; where there is nothing, that no byte is missing in between.
    func read() throws(FileError) -> Content {
        let text: String
        do {
            text = String(decoding: try folder.read(name, limit: Self.limit), as: UTF8.self)
        } catch {
            guard error.isMissing else { throw error }
            return Content()
        }
        // Half a note says that something is missing, and not what.
        return text.isEmpty ? Content() : Content(text: text) ?? Content(ranges: ByteRanges())
    }

    func write(_ content: Content) throws(FileError) {
        let file = try open()
        // One write, longer than the one before or cut behind its dot, which ends what is read.
        try file.write(Array(content.text.utf8), at: 0)
    }

    /// Leaves nothing noted.
    func clear() throws(FileError) {
        if let file = file.withLock({ $0 }) { return try file.truncate(to: 0) }
        do { try folder.remove(name) } catch { if !error.isMissing { throw error } }
    }

    private func open() throws(FileError) -> OpenFile {
        if let file = file.withLock({ $0 }) { return file }
        let opened = try folder.openOrCreateFile(name)
        file.withLock { $0 = opened }
        return opened
    }
}

// As text: the entity tag if there is one, with its quotation marks, then the ranges, `-` for all that the file holds,
// and a dot, which tells that nothing of the note is missing: `"one" 0-1048576 4194304-5242880 .`

extension PartialNote.Content {
    var text: String { (tag.map { $0 + " " } ?? "") + (ranges?.text ?? "-.") }

    /// `nil` where this is no note, or not all of it.
    init?(text: String) {
        var rest = text[...]
        if rest.first == "\"" {
            guard let end = rest.dropFirst().firstIndex(of: "\"") else { return nil }
            tag = String(rest[...end])
            rest = rest[rest.index(after: end)...].drop { $0 == " " }
        }
        if rest.hasPrefix("-.") { return }
        guard let noted = ByteRanges(text: String(rest)) else { return nil }
        ranges = noted
    }
}
