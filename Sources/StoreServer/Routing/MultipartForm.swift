import NIOCore
import StoreModel

/// A namespace for reading the forms with files that browsers send as `multipart/form-data` (RFC 7578).
enum MultipartForm {
    static let mediaType = "multipart/form-data"

    /// Returns the values of a form's fields by their names; of a file, its content, which has to be UTF-8.
    ///
    /// A field for a file that was not chosen is empty.
    ///
    /// - Parameter contentType: the header `Content-Type` of the request, which names the boundary between the parts.
    /// - Throws: `request.malformed`.
    static func parse(_ body: ByteBuffer, contentType: String) throws(StoreError) -> [String: String] {
        guard let boundary = boundary(in: contentType) else { throw malformed("the boundary of its parts is missing") }
        let bytes = Array(body.readableBytesView)
        let delimiter = Array("\r\n--\(boundary)".utf8)
        // The first boundary has no line before it.
        guard bytes.starts(with: delimiter.dropFirst(2)) else { throw malformed("it does not begin with its boundary") }
        var rest = bytes[(delimiter.count - 2)...]
        var fields: [String: String] = [:]
        while rest.starts(with: lineEnd) {
            let part = rest.dropFirst(lineEnd.count)
            guard let end = part.firstRange(of: delimiter) else { throw malformed("its last boundary is missing") }
            let (name, value) = try field(in: part[..<end.lowerBound])
            guard fields.updateValue(value, forKey: name) == nil else {
                throw StoreError(.requestParameterRepeated, ["parameter": .untrusted(name)])
            }
            rest = rest[end.upperBound...]
        }
        guard rest.starts(with: Array("--".utf8)) else { throw malformed("its last boundary is missing") }
        return fields
    }

    private static let lineEnd = Array("\r\n".utf8)

    /// Returns the boundary that a header names.
    private static func boundary(in contentType: String) -> String? {
        let parameter = contentType.firstMatch(of: /;[ \t]*(?i:boundary)=("[^"]{1,70}"|[^ \t;"]{1,70})/)
        return parameter.map { $0.1.filter { $0 != "\"" } }
    }

    private static func field(in part: ArraySlice<UInt8>) throws(StoreError) -> (name: String, value: String) {
        guard let end = part.firstRange(of: lineEnd + lineEnd) else { throw malformed("a part has no header") }
        guard let header = String(validating: part[..<end.lowerBound], as: UTF8.self),
            let name = name(in: header)
        else { throw malformed("a part has no name") }
        guard let value = String(validating: part[end.upperBound...], as: UTF8.self) else {
            throw malformed("'\(name)' is not UTF-8 text")
        }
        return (name, value)
    }

    /// Returns the name of a field: the parameter `name` of the header field `Content-Disposition` of its part.
    private static func name(in header: String) -> String? {
        let lines = header.split(separator: "\r\n")
        let disposition = lines.first { $0.lowercased().hasPrefix("content-disposition:") }
        // All parameters are matched, because the value of another one, such as a file's name, may contain `; name=`.
        let parameters = disposition?.matches(of: /;[ \t]*([^=;" \t]+)="([^"]*)"/)
        return parameters?.first { $0.1.lowercased() == "name" }.map { String($0.2) }
    }

    private static func malformed(_ reason: String) -> StoreError {
        StoreError(.requestBodyInvalid, ["reason": .untrusted(reason)])
    }
}
