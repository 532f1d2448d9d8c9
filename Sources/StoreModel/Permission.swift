/// A permission that a plugin requests in its information file and the user grants, such as `messages.read`.
///
/// A struct and not an enum: the chat application that runs the plugin may know permissions that this program does not.
public struct Permission: RawRepresentable, Hashable, Sendable, Codable, Comparable, CustomStringConvertible {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public var description: String { rawValue }
    public static func < (a: Permission, b: Permission) -> Bool { a.rawValue < b.rawValue }

    /// The permission of a plugin to run code, which every plugin requests.
    public static let code = Permission(rawValue: "code")

    /// Whether the permission's name has at most 64 characters, all lower-case letters, digits, dots and dashes.
    ///
    /// People decide about it by reading its name, which must not contain characters that look like others.
    public var isWellFormed: Bool {
        (1...64).contains(rawValue.utf8.count)
            && rawValue.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
            }
    }

    /// A description in English of what the permission allows; names the permission if this program does not know it.
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
    /// The permissions' names, sorted and separated by commas, as the option `--consent` expects them.
    public var words: String { sorted().map(\.rawValue).joined(separator: ",") }
}
