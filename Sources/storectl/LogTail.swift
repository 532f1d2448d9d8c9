import StoreSystem

/// A reader of the last lines of a text file, and of those that are appended to it, such as the daemon's log.
struct LogTail {
    private static let pieceSize = 64 << 10
    private static let maximumRead = 1 << 20
    private static let precedingCount = 256
    private static let newline = UInt8(ascii: "\n")

    private let file: OpenFile
    /// The offset of the first byte that was not read yet.
    private var offset = 0
    /// The last bytes before the offset, which are others after the file was truncated and has grown again.
    private var precedingBytes: [UInt8] = []

    init(path: String) throws { file = try OpenFile.open(path) }

    /// Returns the last `count` complete lines of the file; ``appended()`` continues after them.
    mutating func last(_ count: Int) throws -> [String] {
        let size = try file.status().size
        var pieces: [[UInt8]] = []
        var start = size
        var breaks = 0
        // One more than requested, because the first line may be cut at the beginning of the text.
        while start > 0, breaks <= count {
            let length = min(Self.pieceSize, start)
            start -= length
            let piece = try file.read(count: length, at: start)
            breaks += piece.count { $0 == Self.newline }
            pieces.append(piece)
        }
        let text = Array(pieces.reversed().joined())
        let end = text.lastIndex(of: Self.newline).map { $0 + 1 } ?? 0
        offset = start + end
        precedingBytes = Array(text[..<end].suffix(Self.precedingCount))
        return Array(lines(of: text[..<end]).suffix(count))
    }

    /// Returns complete lines that were appended to the file since the last call, one mebibyte at most.
    ///
    /// A daemon that starts truncates a long log, which then is read from its beginning. A longer line is cut.
    mutating func appended() throws -> [String] {
        let size = try file.status().size
        let preceding = try file.read(count: precedingBytes.count, at: offset - precedingBytes.count)
        if size < offset || preceding != precedingBytes {
            offset = 0
            precedingBytes = []
        }
        let text = try file.read(count: min(size - offset, Self.maximumRead), at: offset)
        let end = text.lastIndex(of: Self.newline).map { $0 + 1 } ?? (text.count == Self.maximumRead ? text.count : 0)
        offset += end
        if end > 0 { precedingBytes = Array(text[..<end].suffix(Self.precedingCount)) }
        return lines(of: text[..<end])
    }

    /// Returns the lines of a text, of which the last one may have no line break.
    private func lines(of text: ArraySlice<UInt8>) -> [String] {
        var lines = text.split(separator: Self.newline, omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines.map { String(decoding: $0, as: UTF8.self) }
    }
}
