/// One thing that a pack may do beyond lying there to be read, as a plugin's information file asks for it. The words are
/// an open set: a front-end may know more of them than this program.
public struct Permission: RawRepresentable, Hashable, Sendable, Codable, Comparable, CustomStringConvertible {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public var description: String { rawValue }
    public static func < (a: Permission, b: Permission) -> Bool { a.rawValue < b.rawValue }

    /// What every plugin does.
    public static let code = Permission(rawValue: "code")

    /// Whether this is a word at all: small letters, digits, dots and dashes, at most 64 of them. It is shown to people
    /// who decide by it, so that nothing in it may look like something else.
    public var isWellFormed: Bool {
        (1...64).contains(rawValue.utf8.count)
            && rawValue.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
            }
    }

    /// What is allowed with it, for a question; the word itself where it is not one of those that are known here.
    public var meaning: String { Self.meanings[rawValue] ?? "'\(rawValue)', as the chat application understands it" }

    private static let meanings = [
        "code": "run its own program within the chat application",
        "contacts": "read the contacts",
        "files": "read and write files",
        "messages.read": "read messages",
        "messages.send": "send messages",
        "microphone": "listen through the microphone",
        "camera": "see through the camera",
        "location": "learn the location",
        "network": "use the network",
        "notifications": "show notifications",
    ]
}

extension Sequence<Permission> {
    /// The words in order, as `--consent` takes them.
    public var words: String { sorted().map(\.rawValue).joined(separator: ",") }
}
