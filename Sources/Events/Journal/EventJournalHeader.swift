import FoundationEssentials

/// The first line of an event journal file, of constant length so that it can be rewritten in place.
struct EventJournalHeader: Sendable {
    /// The number of the last event before the first one in the event journal file.
    var precedingSequence: UInt64
    /// The identifier of the machine's boot in which the journal file was written; empty if it is unknown.
    var boot: String
    /// The length of the event journal file in bytes when it was closed in order; 0 while it is written.
    var closedSize: Int

    static let bootLength = 36
    static let length = EventJournalHeader(precedingSequence: 0, boot: "", closedSize: 0).bytes.count

    init(precedingSequence: UInt64, boot: String, closedSize: Int) {
        self.precedingSequence = precedingSequence
        self.boot = boot
        self.closedSize = closedSize
    }

    /// The header of the event journal file as a line of text, with its newline.
    var bytes: [UInt8] {
        let boot = boot.isEmpty ? String(repeating: "-", count: Self.bootLength) : boot
        let (sequence, size) = (Self.padded(precedingSequence), Self.padded(closedSize))
        return Array("events 1 after \(sequence) boot \(boot) closed \(size)\n".utf8)
    }

    /// Parses the header line of an event journal file; `nil` if the bytes are not a header.
    init?(_ bytes: [UInt8]) {
        let words = String(decoding: bytes, as: UTF8.self).split(separator: " ")
        guard bytes.count == Self.length, bytes.last == UInt8(ascii: "\n"), words.count == 8,
            words[0] == "events", words[1] == "1", words[2] == "after", let sequence = UInt64(words[3]),
            words[4] == "boot", words[6] == "closed", let size = Int(words[7].dropLast())
        else { return nil }
        self.init(precedingSequence: sequence, boot: String(words[5]), closedSize: size)
    }

    private static func padded(_ number: some BinaryInteger) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 20 - digits.count)) + digits
    }
}
