public import StoreModel

extension StoreError {
    /// Whether the error is about reading an XML document: its code is one of the codes `xml.…`.
    public var isXMLError: Bool { Self.xmlCodes.contains(code) }

    private static let xmlCodes: Set<ErrorCode> = [
        .xmlNotUTF8, .xmlMalformed, .xmlDoctype, .xmlEntity, .xmlTooLarge, .xmlFailed,
    ]

    /// Returns the error with its line and column in the XML document, or the error itself if `line` is `nil`.
    ///
    /// - Parameters:
    ///   - line: the line, counted from 1; `nil` if it is unknown.
    ///   - column: the column, counted from 1; `nil` if it is unknown.
    func located(line: Int?, column: Int? = nil) -> StoreError {
        guard let line else { return self }
        guard let column else { return StoreError(.xmlLine, ["line": line], cause: .error(self)) }
        return StoreError(.xmlColumn, ["line": line, "column": column], cause: .error(self))
    }
}
