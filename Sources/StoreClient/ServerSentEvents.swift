/// An incremental parser of server-sent events.
///
/// The format is that of the HTML standard (html.spec.whatwg.org, 9.2.6), of which the daemon uses `id`, `data` and
/// comments; other fields are ignored, as the standard requires.
struct ServerSentEvents {
    struct Message: Equatable {
        /// The value of the server-sent event's field `id`; `nil` where the event had none.
        var id: String?
        var data: String
    }

    /// The maximum size of one server-sent event in bytes.
    private let longest: Int
    private var line: [UInt8] = []
    private var id: String?
    private var data: [UInt8]?
    private var lastWasCarriageReturn = false
    /// Whether a server-sent event exceeded the maximum size; the rest of the stream is then not parsed.
    private(set) var isOverlong = false

    init(longest: Int = 16 << 20) { self.longest = longest }

    /// Parses more bytes of a stream of server-sent events, and returns the events that they complete.
    mutating func take(_ bytes: some Sequence<UInt8>) -> [Message] {
        var messages: [Message] = []
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\n") where lastWasCarriageReturn:
                lastWasCarriageReturn = false
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                lastWasCarriageReturn = byte == UInt8(ascii: "\r")
                if let message = endLine() { messages.append(message) }
            default:
                lastWasCarriageReturn = false
                if line.count + (data?.count ?? 0) >= longest { isOverlong = true } else { line.append(byte) }
            }
        }
        return messages
    }

    private mutating func endLine() -> Message? {
        defer { line.removeAll(keepingCapacity: true) }
        guard !line.isEmpty else { return endMessage() }
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        var value = line[colon...].dropFirst()
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        switch String(decoding: line[..<colon], as: UTF8.self) {
        case "data": data = data.map { $0 + [UInt8(ascii: "\n")] + value } ?? Array(value)
        case "id": id = String(decoding: value, as: UTF8.self)
        default: break
        }
        return nil
    }

    private mutating func endMessage() -> Message? {
        defer { (id, data) = (nil, nil) }
        return data.map { Message(id: id, data: String(decoding: $0, as: UTF8.self)) }
    }
}
