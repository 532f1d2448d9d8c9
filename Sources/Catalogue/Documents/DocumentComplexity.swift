import FoundationEssentials
import StoreModel

/// The number of values and the nesting depth of a JSON document, counted in one pass without allocating memory.
///
/// Catalogue documents that exceed the limits never reach the parser, which would need too much memory or stack for
/// them.
struct DocumentComplexity {
    /// The number of JSON values counted so far in the document; names of members count as values.
    ///
    /// The number is exact for valid JSON, where every value but the first of an array or object follows a comma; for
    /// other text it is an upper bound.
    private(set) var values = 1
    /// The maximum nesting depth of JSON arrays and objects found so far in the document.
    private(set) var nesting = 0

    init(of data: Data) {
        var depth = 0
        var inString = false
        var escaped = false
        for byte in data {
            if inString {
                if escaped {
                    escaped = false
                } else if byte == UInt8(ascii: "\\") {
                    escaped = true
                } else if byte == UInt8(ascii: "\"") {
                    inString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): inString = true
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                values += 1
                depth += 1
                nesting = max(nesting, depth)
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ","), UInt8(ascii: ":"): values += 1
            default: break
            }
        }
    }

    /// Throws an error if a JSON document exceeds a limit, or if its beginning shows that it is not JSON.
    ///
    /// - Parameter document: the description of the document for messages, such as `catalogue 'URL'`.
    static func check(_ data: Data, document: String, limits: CatalogueLimits) throws(StoreError) {
        guard data.count <= limits.documentSize else {
            throw StoreError(
                .catalogueDocumentTooLarge, ["document": document, "limit": .bytes(limits.documentSize)])
        }
        let first = data.first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
        switch first {
        case nil: throw StoreError(.catalogueEmpty, ["document": document])
        case UInt8(ascii: "<"): throw StoreError(.catalogueWebPage, ["document": document])
        case UInt8(ascii: "["), UInt8(ascii: "{"): break
        default: throw StoreError(.catalogueNotJSON, ["document": document])
        }
        // UTF-16, whose bytes can't be counted like this.
        guard !data.contains(0) else { throw StoreError(.catalogueNotJSON, ["document": document]) }
        let complexity = DocumentComplexity(of: data)
        guard complexity.nesting <= limits.nesting else {
            throw StoreError(.catalogueTooDeep, ["document": document, "limit": limits.nesting])
        }
        guard complexity.values <= limits.values else {
            throw StoreError(.catalogueTooManyValues, ["document": document, "limit": limits.values])
        }
    }

    /// Checks a JSON document against the limits of a catalogue and parses it.
    ///
    /// - Parameters:
    ///   - document: the description of the document for messages, such as `catalogue 'URL'`.
    ///   - userInfo: values for the initializers of the types that are decoded.
    static func parse<Value: Decodable>(
        _ type: Value.Type, from data: Data, document: String, limits: CatalogueLimits,
        userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) throws(StoreError) -> Value {
        try check(data, document: document, limits: limits)
        do {
            return try JSON.decode(type, from: data, userInfo: userInfo)
        } catch let error as StoreError {
            throw error
        } catch let error as DecodingError {
            throw StoreError(.catalogueInvalid, ["document": document, "reason": error.reason])
        } catch {
            throw StoreError(.catalogueInvalid, ["document": document, "reason": "\(error)"])
        }
    }
}

extension DecodingError {
    /// A description of the JSON decoding error, for the end of an error message.
    fileprivate var reason: String {
        func location(_ context: Context) -> String {
            context.codingPath.isEmpty
                ? "" : " at '" + context.codingPath.map(\.stringValue).joined(separator: ".") + "'"
        }
        switch self {
        case .keyNotFound(let key, let context): return "it lacks '\(key.stringValue)'\(location(context))"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            return "it has a value of the wrong type\(location(context))"
        case .dataCorrupted(let context):
            return context.codingPath.isEmpty
                ? "it is not valid JSON (it may be truncated)"
                : "it has an invalid value\(location(context)): \(context.debugDescription)"
        @unknown default: return "it can't be read"
        }
    }
}
