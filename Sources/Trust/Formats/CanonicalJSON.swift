public import StoreModel

/// A JSON value that keeps all members of a document, and that can be encoded in the canonical form that is signed.
///
/// The canonical form is that of OLPC (wiki.laptop.org/go/Canonical_JSON), as The Update Framework's section 4.1 says:
/// no white space, the members of objects in the order of their names' bytes, and in strings only `"` and `\` escaped.
/// It has no numbers but whole ones.
public enum CanonicalJSON: Sendable, Hashable, JSONReadable {
    case null
    case bool(Bool)
    /// A whole number of any size, in decimal digits.
    case integer(String)
    case string(String)
    case array([CanonicalJSON])
    case object([String: CanonicalJSON])

    public init(from reader: inout JSONReader) throws(JSONReader.Malformed) {
        switch reader.nextByte {
        case UInt8(ascii: "{"):
            self = .object(try Self.members(&reader))
        case UInt8(ascii: "["): self = .array(try reader.array(of: CanonicalJSON.self))
        case UInt8(ascii: "\""): self = .string(try reader.string())
        case UInt8(ascii: "t"), UInt8(ascii: "f"): self = .bool(try reader.bool())
        case UInt8(ascii: "n"):
            guard try reader.null() else { throw reader.malformed }
            self = .null
        default:
            let digits = String(decoding: try reader.numberBytes(), as: UTF8.self)
            guard Self.isInteger(digits) else { throw reader.malformed }
            self = .integer(digits)
        }
    }

    private static func members(
        _ reader: inout JSONReader
    ) throws(JSONReader.Malformed) -> [String: CanonicalJSON] {
        var members: [String: CanonicalJSON] = [:]
        try reader.object { reader, name throws(JSONReader.Malformed) in
            guard let text = name.text else { throw reader.malformed }
            members[text] = try CanonicalJSON(from: &reader)
        }
        return members
    }

    /// Returns whether a text is a whole number in its only canonical form: without fraction, exponent or leading zeros.
    private static func isInteger(_ text: String) -> Bool {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return false
        }
        return text == "0" || digits.first != "0"
    }

    /// The value in canonical form.
    public var encoded: [UInt8] {
        var bytes: [UInt8] = []
        encode(into: &bytes)
        return bytes
    }

    private func encode(into bytes: inout [UInt8]) {
        switch self {
        case .null: bytes += "null".utf8
        case .bool(let flag): bytes += (flag ? "true" : "false").utf8
        case .integer(let digits): bytes += digits.utf8
        case .string(let text): Self.encode(text, into: &bytes)
        case .array(let values):
            bytes.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                value.encode(into: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            // By bytes: Swift compares strings by their characters.
            let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            for (index, member) in sorted.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                Self.encode(member.key, into: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.value.encode(into: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    private static func encode(_ text: String, into bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { bytes.append(UInt8(ascii: "\\")) }
            bytes.append(byte)
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
