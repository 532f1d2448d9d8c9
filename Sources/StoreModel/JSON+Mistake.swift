public import FoundationEssentials

extension JSON {
    /// Returns why a JSON document could not be decoded, and where, for a message to the person who wrote it.
    ///
    /// - Parameters:
    ///   - error: the error of ``decode(_:from:userInfo:)``.
    ///   - document: the document that could not be decoded.
    public static func mistake(_ error: any Error, in document: Data) -> String {
        if let error = error as? JSONReader.Malformed, error.repeatedMember != nil {
            return "\(error) (line \(JSONPosition(ofByte: error.offset, in: document).line))"
        }
        // First, because the decoder takes an invalid escape in a string for a value of another type.
        if let position = positionOfSyntaxError(in: document) {
            return "invalid JSON at line \(position.line), column \(position.column)"
        }
        switch error {
        case DecodingError.typeMismatch(let type, let context), DecodingError.valueNotFound(let type, let context):
            return located(
                "\(name(of: context.codingPath)) must be \(form(of: type))", context.codingPath, in: document)
        case DecodingError.keyNotFound(let key, let context):
            return located("\(name(of: [key])) is missing", context.codingPath, in: document)
        case DecodingError.dataCorrupted(let context):
            return located("\(name(of: context.codingPath)) is invalid", context.codingPath, in: document)
        default: return "invalid JSON"
        }
    }

    private static func located(_ text: String, _ path: [any CodingKey], in document: Data) -> String {
        guard let position = position(of: path, in: document) else { return text }
        return "\(text) (line \(position.line))"
    }

    /// Returns the last member in the path to a value, in quotation marks.
    private static func name(of path: [any CodingKey]) -> String {
        guard let member = path.last(where: { $0.intValue == nil }) else { return "the document" }
        let name = "'\(String(member.stringValue.unicodeScalars.prefix(40)))'"
        return path.last?.intValue.map { "element \($0 + 1) of \(name)" } ?? name
    }

    /// Returns what a value must be in JSON that is decoded as a type of Swift, with an article.
    public static func form(of type: any Any.Type) -> String {
        switch type {
        case is String.Type, is URL.Type, is Date.Type: "a string"
        case is Bool.Type: "true or false"
        case is any BinaryInteger.Type: "a whole number"
        case is any BinaryFloatingPoint.Type: "a number"
        case is [Any].Type: "a list"
        case is [String: Any].Type: "an object"
        default: "of another type"
        }
    }
}
