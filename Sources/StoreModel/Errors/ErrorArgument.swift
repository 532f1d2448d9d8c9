public import FoundationEssentials

/// A typed value that an error message mentions, such as a path, a size or a duration.
///
/// Values keep their type until an ``ErrorFormatter`` writes them, because languages write numbers, sizes and lists
/// differently. Text may come from a store or a file and is made harmless when it is written (see
/// ``Swift/String/displayable``).
public enum ErrorArgument: Sendable, Hashable {
    /// An argument of an error that is text, such as a name, a reason or an identifier.
    case text(String)
    /// An argument of an error that is text of any length from untrusted input, such as the name of an archive entry.
    ///
    /// In messages it is cut to 80 bytes, and invisible characters are replaced.
    case untrusted(String)
    /// An argument of an error that is a path of the file system.
    case path(String)
    /// An argument of an error that is a number, written in digits.
    case count(Int)
    /// An argument of an error that is a number of bytes, written exactly: `1048577 bytes`.
    case bytes(Int)
    /// An argument of an error that is a number of bytes, rounded to a unit that is easy to read: `2.5 GB`.
    case size(Int)
    /// An argument of an error that is a length of time, written in seconds: `30 s`.
    case duration(Duration)
    /// An argument of an error that is a URL, written without user, password, query and fragment, which may be secret.
    case url(URL)
    /// An argument of an error that consists of several values, written with commas between them.
    case list([ErrorArgument])
    /// An argument of an error that is a list of plugin permissions, written as descriptions of what they allow.
    case permissions([Permission])
    /// A Boolean about the error that no message mentions but code examines, such as whether a retry may succeed.
    case flag(Bool)
}

/// A type whose values can be passed directly as arguments of an error, such as `String`, `Int` and `URL`.
public protocol ErrorArgumentConvertible: Sendable {
    /// The value converted to an argument of an error.
    var errorArgument: ErrorArgument { get }
}

extension ErrorArgument: ErrorArgumentConvertible {
    public var errorArgument: ErrorArgument { self }
}

extension String: ErrorArgumentConvertible {
    public var errorArgument: ErrorArgument { .text(self) }
}

extension Substring: ErrorArgumentConvertible {
    public var errorArgument: ErrorArgument { .text(String(self)) }
}

extension Int: ErrorArgumentConvertible {
    public var errorArgument: ErrorArgument { .count(self) }
}

extension Bool: ErrorArgumentConvertible {
    public var errorArgument: ErrorArgument { .flag(self) }
}

extension Duration: ErrorArgumentConvertible {
    public var errorArgument: ErrorArgument { .duration(self) }
}

extension URL: ErrorArgumentConvertible {
    public var errorArgument: ErrorArgument { .url(self) }
}

/// An argument of an error whose kind is named explicitly, as in `["limit": .bytes(5)]`.
public struct TypedErrorArgument: ErrorArgumentConvertible {
    public let errorArgument: ErrorArgument
}

extension ErrorArgumentConvertible where Self == TypedErrorArgument {
    /// Creates an argument of an error from text of untrusted origin; see ``ErrorArgument/untrusted(_:)``.
    public static func untrusted(_ text: some StringProtocol) -> Self { Self(errorArgument: .untrusted(String(text))) }
    /// Creates an argument of an error from untrusted bytes, read as UTF-8; see ``ErrorArgument/untrusted(_:)``.
    public static func untrusted(_ bytes: ArraySlice<UInt8>) -> Self {
        Self(errorArgument: .untrusted(String(decoding: bytes, as: UTF8.self)))
    }
    /// Creates an argument of an error that is a path of the file system; see ``ErrorArgument/path(_:)``.
    public static func path(_ path: String) -> Self { Self(errorArgument: .path(path)) }
    /// Creates an argument of an error that is an exact number of bytes; see ``ErrorArgument/bytes(_:)``.
    public static func bytes(_ count: Int) -> Self { Self(errorArgument: .bytes(count)) }
    /// Creates an argument of an error that is a rounded number of bytes; see ``ErrorArgument/size(_:)``.
    public static func size(_ bytes: Int) -> Self { Self(errorArgument: .size(bytes)) }
    /// Creates an argument of an error that lists several values; see ``ErrorArgument/list(_:)``.
    public static func list(_ values: [some ErrorArgumentConvertible]) -> Self {
        Self(errorArgument: .list(values.map(\.errorArgument)))
    }
    /// Creates an argument of an error that describes plugin permissions; see ``ErrorArgument/permissions(_:)``.
    public static func permissions(_ permissions: [Permission]) -> Self {
        Self(errorArgument: .permissions(permissions))
    }
}
