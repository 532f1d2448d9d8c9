public import StoreModel

extension StoreError {
    /// Whether reading an XML document failed.
    public var isXMLError: Bool { Self.xmlCodes.contains(code) }

    private static let xmlCodes: Set<ErrorCode> = [
        .xmlNotUTF8, .xmlMalformed, .xmlDoctype, .xmlEntity, .xmlTooLarge, .xmlFailed,
    ]

    /// Adds the position in the document to an error; both are counted from 1, `nil` if unknown.
    func located(line: Int?, column: Int? = nil) -> StoreError {
        guard let line else { return self }
        guard let column else { return StoreError(.xmlLine, ["line": line], cause: .error(self)) }
        return StoreError(.xmlColumn, ["line": line, "column": column], cause: .error(self))
    }
}
