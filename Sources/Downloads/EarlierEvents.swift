import FoundationEssentials
import Glibc
import StoreSystem

/// The events of the time before the log was opened, as they lie on the disk. They are read only when somebody asks.
struct EarlierEvents: Sendable {
    struct Part: Sendable {
        let file: OpenFile
        /// How much of the file is meant; what is written later comes behind it.
        let size: Int
        /// The number of the last event that is not in it.
        let after: UInt64
    }
    /// The older one first.
    var parts: [Part] = []
    /// Whether they end where their process ended in order. Else that may have done more than it could tell.
    var wasClosed = true

    /// What is left to be told of the time before.
    struct Content: Sendable {
        /// Whoever saw this one, or a later one, can go on.
        var goneThrough: UInt64
        var events: [EncodedEvent]
    }

    /// - Returns: `nil` where there is nothing that could be gone on with.
    func read() -> Content? {
        guard let newest = parts.last, var content = Self.read(newest) else { return nil }
        // The older file counts where the newer one begins with what follows it.
        if parts.count > 1, content.goneThrough == newest.after, let older = Self.read(parts[0]),
            (older.events.last?.sequence ?? older.goneThrough) == newest.after
        {
            content.goneThrough = older.goneThrough
            content.events = older.events + content.events
        }
        return content
    }

    private static func read(_ part: Part) -> Content? {
        guard let bytes = try? part.file.read(count: part.size, at: 0), bytes.count == part.size else { return nil }
        return bytes.withUnsafeBytes { content(of: $0, after: part.after) }
    }

    /// Where a line is none, as after a power cut that a file system did not take well, what comes before it is gone too.
    private static func content(of bytes: UnsafeRawBufferPointer, after: UInt64) -> Content? {
        var content: Content? = Content(goneThrough: after, events: [])
        var last = after
        var rest = bytes[...]
        var isHeader = true
        while let base = UnsafeRawBufferPointer(rebasing: rest).baseAddress,
            let found = memchr(base, Int32(UInt8(ascii: "\n")), rest.count)
        {
            let length = UnsafeRawPointer(found) - UnsafeRawPointer(base)
            let line = UnsafeRawBufferPointer(start: base, count: length)
            rest = rest.dropFirst(length + 1)
            if isHeader {
                isHeader = false
            } else if let event = event(line), event.sequence > last {
                last = event.sequence
                if content == nil {
                    content = Content(goneThrough: event.sequence, events: [])
                } else {
                    content?.events.append(event)
                }
            } else {
                content = nil
            }
        }
        return rest.isEmpty ? content : nil
    }

    /// Number, subject and JSON, with a space in between.
    private static func event(_ line: UnsafeRawBufferPointer) -> EncodedEvent? {
        let space = UInt8(ascii: " ")
        guard let first = line.firstIndex(of: space), let second = line[(first + 1)...].firstIndex(of: space),
            let sequence = UInt64(String(decoding: line[..<first], as: UTF8.self)),
            line.count > second + 2, line[second + 1] == UInt8(ascii: "{"), line.last == UInt8(ascii: "}")
        else { return nil }
        let subject = EncodedEvent.Subject(text: String(decoding: line[(first + 1)..<second], as: UTF8.self))
        return EncodedEvent(sequence: sequence, subject: subject, json: Data(line[(second + 1)...]))
    }
}
