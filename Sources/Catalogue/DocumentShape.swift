import FoundationEssentials
import StoreModel

/// A look over a document before the parser sees it, in one pass and without memory: what the parser would need
/// more memory or stack for than the limits allow never reaches it.
struct DocumentShape {
    /// At least as many as there are; exact in valid JSON, where every value but the first in its array or object
    /// follows a comma.
    private(set) var values = 1
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

    /// Throws where `data` is over a limit, or where its beginning shows that it is no JSON.
    ///
    /// - Parameter what: the document, for messages: what it is, and where from.
    static func check(_ data: Data, what: String, limits: CatalogueLimits) throws(CatalogueError) {
        guard data.count <= limits.documentSize else {
            throw CatalogueError(
                .catalogueTooLarge, "\(what) has \(data.count) bytes; at most \(limits.documentSize) are taken.")
        }
        let first = data.first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
        switch first {
        case nil:
            throw CatalogueError(.catalogueMalformed, "\(what) is empty. Ask the store's publisher.")
        case UInt8(ascii: "<"):
            throw CatalogueError(
                .catalogueMalformed,
                "\(what) is not JSON but looks like a web page (it begins with '<'). Check the store's address.")
        case UInt8(ascii: "["), UInt8(ascii: "{"): break
        default:
            throw CatalogueError(
                .catalogueMalformed,
                "\(what) is not JSON: it begins with neither '{' nor '['. Check the store's address.")
        }
        let shape = DocumentShape(of: data)
        guard shape.nesting <= limits.nesting else {
            throw CatalogueError(.catalogueMalformed, "\(what) is nested deeper than \(limits.nesting) levels.")
        }
        guard shape.values <= limits.values else {
            throw CatalogueError(.catalogueTooLarge, "\(what) holds more than \(limits.values) values.")
        }
    }

    /// Parses what has passed the check; the parser's own words are turned into ours.
    static func parse<Value: Decodable>(
        _ type: Value.Type, from data: Data, what: String, limits: CatalogueLimits
    ) throws(CatalogueError) -> Value {
        try check(data, what: what, limits: limits)
        do {
            return try JSON.decode(type, from: data)
        } catch let error as CatalogueError {
            throw error
        } catch let error as DecodingError {
            throw CatalogueError(.catalogueMalformed, "\(what) \(error.reason). Ask the store's publisher.")
        } catch {
            throw CatalogueError(.catalogueMalformed, "\(what) can't be read: \(error)")
        }
    }
}

extension DecodingError {
    /// What is wrong, to follow the name of the document.
    fileprivate var reason: String {
        func place(_ context: Context) -> String {
            context.codingPath.isEmpty
                ? "" : " at '" + context.codingPath.map(\.stringValue).joined(separator: ".") + "'"
        }
        switch self {
        case .keyNotFound(let key, let context): return "lacks '\(key.stringValue)'\(place(context))"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            return "holds a value of the wrong type\(place(context))"
        case .dataCorrupted(let context):
            return context.codingPath.isEmpty
                ? "is not valid JSON (perhaps it was cut off)"
                : "holds a wrong value\(place(context)): \(context.debugDescription)"
        @unknown default: return "can't be read"
        }
    }
}
