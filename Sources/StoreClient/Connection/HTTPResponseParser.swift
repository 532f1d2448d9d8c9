/// An incremental parser of one HTTP/1.1 response (RFC 9112).
struct HTTPResponseParser {
    struct Head: Equatable {
        let status: Int
        /// The header fields of the HTTP response by their names in lower case.
        fileprivate(set) var fields: [String: String] = [:]

        subscript(_ name: String) -> String? { fields[name.lowercased()] }
    }

    /// The error of bytes that are not an HTTP response.
    struct Malformed: Error, Equatable {
        let reason: String
    }

    private enum State {
        case statusLine, fields
        /// A body of known length is being read; the associated value is the number of its bytes still expected.
        case body(Int)
        case chunkSize
        case chunk(Int)
        case chunkEnd
        case trailer
        /// A body of unknown length is being read, which ends with the connection.
        case untilEnd
        case complete
    }

    private var state = State.statusLine
    /// The bytes of the response's line that has not been received completely.
    private var line: [UInt8] = []
    /// The size in bytes of the response's head received so far, which is limited.
    private var headSize = 0
    private static let longestHead = 256 << 10
    private var reading: Head?

    /// The head (status and headers) of the response; `nil` until it has been received completely.
    private(set) var head: Head?

    var isComplete: Bool { if case .complete = state { true } else { false } }

    /// Parses more bytes of the HTTP response, and returns those of its body.
    ///
    /// - Returns: the bytes that belong to the body.
    mutating func take(_ bytes: [UInt8]) throws(Malformed) -> [UInt8] {
        // Most pieces of a long body contain nothing else, and are returned without a copy.
        if case .body(let left) = state, bytes.count < left {
            state = .body(left - bytes.count)
            return bytes
        }
        var body: [UInt8] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            switch state {
            case .complete:
                throw Malformed(reason: "something follows it")
            case .body(let left):
                let piece = rest.prefix(left)
                rest = rest.dropFirst(piece.count)
                body += piece
                state = piece.count == left ? .complete : .body(left - piece.count)
            case .chunk(let left):
                let piece = rest.prefix(left)
                rest = rest.dropFirst(piece.count)
                body += piece
                state = piece.count == left ? .chunkEnd : .chunk(left - piece.count)
            case .untilEnd:
                body += rest
                rest = []
            case .statusLine, .fields, .chunkSize, .chunkEnd, .trailer:
                if let line = try takeLine(from: &rest) { try take(line: line) }
            }
        }
        return body
    }

    /// Informs the HTTP parser that the connection has ended.
    ///
    /// - Returns: whether the response is complete.
    mutating func end() -> Bool {
        if case .untilEnd = state { state = .complete }
        return isComplete
    }

    /// Returns the next line of the HTTP response without its terminator; `nil` where the line is incomplete.
    private mutating func takeLine(from rest: inout ArraySlice<UInt8>) throws(Malformed) -> String? {
        let end = rest.firstIndex(of: UInt8(ascii: "\n"))
        let piece = rest[..<(end ?? rest.endIndex)]
        line += piece
        headSize += piece.count + 1
        guard headSize <= Self.longestHead else { throw Malformed(reason: "its head has no end") }
        rest = rest[piece.endIndex...].dropFirst()
        guard end != nil else { return nil }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        defer { line.removeAll(keepingCapacity: true) }
        return String(decoding: line, as: UTF8.self)
    }

    private mutating func take(line: String) throws(Malformed) {
        switch state {
        case .statusLine:
            let words = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
            guard words.count >= 2, words[0].hasPrefix("HTTP/1."), words[1].utf8.count == 3,
                let status = Int(words[1]), status >= 100
            else { throw Malformed(reason: "it is not HTTP") }
            reading = Head(status: status)
            state = .fields
        case .fields where line.isEmpty:
            try endHead()
        case .fields:
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { throw Malformed(reason: "its head has a line that says nothing") }
            let value = parts[1].drop { $0 == " " || $0 == "\t" }
            reading?.fields[parts[0].lowercased()] = String(value)
        case .chunkSize:
            headSize = 0
            let digits = line.prefix { $0 != ";" && $0 != " " }
            guard let size = Int(digits, radix: 16), size >= 0 else { throw Malformed(reason: "a piece has no size") }
            state = size == 0 ? .trailer : .chunk(size)
        case .chunkEnd:
            guard line.isEmpty else { throw Malformed(reason: "a piece is longer than it says") }
            state = .chunkSize
        case .trailer:
            if line.isEmpty { state = .complete }
        case .body, .chunk, .untilEnd, .complete:
            break
        }
    }

    private mutating func endHead() throws(Malformed) {
        guard let read = reading else { return }
        reading = nil
        headSize = 0
        // An interim response (1xx), which is followed by the final one.
        if read.status < 200 {
            state = .statusLine
            return
        }
        head = read
        if read.status == 204 || read.status == 304 {
            state = .complete
        } else if let coding = read["transfer-encoding"] {
            guard coding.lowercased() == "chunked" else { throw Malformed(reason: "it is coded as '\(coding)'") }
            state = .chunkSize
        } else if let length = read["content-length"] {
            guard let length = Int(length), length >= 0 else { throw Malformed(reason: "its length is no number") }
            state = length == 0 ? .complete : .body(length)
        } else {
            state = .untilEnd
        }
    }
}
