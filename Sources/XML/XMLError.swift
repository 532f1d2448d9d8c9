public import StoreModel

/// Why a document is refused, and where in it.
public struct XMLError: CodedError {
    public let code: ErrorCode
    /// Without the file's name, which the reader does not know: `line 3, column 7: …`.
    public let message: String
    /// Counted from 1; `nil` where the reason is about the document as a whole.
    public let line: Int?
    /// Counted from 1; `nil` where it is not known.
    public let column: Int?

    init(_ code: ErrorCode, _ reason: String, line: Int? = nil, column: Int? = nil) {
        self.code = code
        self.line = line
        self.column = line == nil ? nil : column
        let place = line.map { line in "line \(line)" + (column.map { ", column \($0)" } ?? "") + ": " }
        message = (place ?? "") + reason
    }
}

extension ErrorCode {
    /// Bytes that are no UTF-8 text, or a declaration of another encoding.
    public static let xmlNotUTF8 = ErrorCode("xml.not-utf8", .refused)
    public static let xmlMalformed = ErrorCode("xml.malformed", .refused)
    /// A document type, in which entities and addresses of other files can be declared.
    public static let xmlDoctype = ErrorCode("xml.doctype", .refused)
    /// An entity other than the five that every reader knows.
    public static let xmlEntity = ErrorCode("xml.entity", .refused)
    /// More bytes, elements, attributes, depth or length than the limits allow.
    public static let xmlTooLarge = ErrorCode("xml.too-large", .refused)
    /// libxml2 failed for a reason that is not the document's, such as memory.
    public static let xmlFailed = ErrorCode("xml.failed", .failed)
}
