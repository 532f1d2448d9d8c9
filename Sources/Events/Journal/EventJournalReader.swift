import FoundationEssentials
import StoreSystem

/// A reader of the events that were in the event journal when it was opened.
///
/// The files are not read before ``read()``.
struct EventJournalReader: Sendable {
    /// A file of the event journal that is to be read.
    struct Part: Sendable {
        let file: OpenFile
        /// The number of bytes of the journal file to read; new events are appended after them.
        let size: Int
        /// The number of the last event before the first one in the event journal file.
        let precedingSequence: UInt64
    }

    /// The files of the event journal that are to be read, the older one first.
    var parts: [Part] = []
    /// Whether the event journal was closed in order; otherwise its process may have done more than it published.
    var wasClosed = true

    /// The events of the event journal that form a gapless sequence up to its end.
    struct Content: Sendable {
        /// The retention floor of the event journal: the lowest cursor with which a subscriber can continue.
        ///
        /// A cursor is the number of the last event that the subscriber has seen.
        var retentionFloor: UInt64
        var events: [EncodedEvent]
    }

    /// Reads the event journal; `nil` if it has no events after which a subscriber can continue.
    func read() -> Content? {
        guard let newest = parts.last, var content = Self.read(newest) else { return nil }
        // The older file is used only if the newer one continues it without a gap.
        if parts.count > 1, content.retentionFloor == newest.precedingSequence, let older = Self.read(parts[0]),
            (older.events.last?.sequence ?? older.retentionFloor) == newest.precedingSequence
        {
            content.retentionFloor = older.retentionFloor
            content.events = older.events + content.events
        }
        return content
    }

    private static func read(_ part: Part) -> Content? {
        guard let bytes = try? part.file.read(count: part.size, at: 0), bytes.count == part.size else { return nil }
        return content(of: bytes, after: part.precedingSequence)
    }

    /// Parses the contents of an event journal file; `nil` if no gapless sequence of events reaches its end.
    ///
    /// An invalid line, such as a power cut can leave, discards also all events before it.
    private static func content(of bytes: [UInt8], after precedingSequence: UInt64) -> Content? {
        guard bytes.last == UInt8(ascii: "\n") else { return nil }
        var content: Content? = Content(retentionFloor: precedingSequence, events: [])
        var last = precedingSequence
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
        for line in lines.dropFirst() {
            guard let event = event(line), event.sequence > last else {
                content = nil
                continue
            }
            last = event.sequence
            if content == nil {
                content = Content(retentionFloor: event.sequence, events: [])
            } else {
                content?.events.append(event)
            }
        }
        return content
    }

    /// Parses an event from a line of the journal: number, subject and JSON, separated by spaces.
    ///
    /// The result is `nil` if the line is invalid.
    private static func event(_ line: ArraySlice<UInt8>) -> EncodedEvent? {
        let space = UInt8(ascii: " ")
        guard let first = line.firstIndex(of: space), let second = line[(first + 1)...].firstIndex(of: space),
            let sequence = UInt64(String(decoding: line[..<first], as: UTF8.self)),
            line.endIndex > second + 2, line[second + 1] == UInt8(ascii: "{"), line.last == UInt8(ascii: "}")
        else { return nil }
        let subject = EncodedEvent.Subject(text: String(decoding: line[(first + 1)..<second], as: UTF8.self))
        return EncodedEvent(sequence: sequence, subject: subject, json: Data(line[(second + 1)...]))
    }
}
