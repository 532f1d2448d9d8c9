extension ErrorCode {
    /// The XML document is not UTF-8 text, or declares another encoding.
    public static let xmlNotUTF8 = ErrorCode("xml.not-utf8", .refused)
    /// The XML document is not well-formed.
    public static let xmlMalformed = ErrorCode("xml.malformed", .refused)
    /// The XML document has a document type, which can declare entities and refer to other files.
    public static let xmlDoctype = ErrorCode("xml.doctype", .refused)
    /// The XML document uses an entity other than the five predefined ones.
    public static let xmlEntity = ErrorCode("xml.entity", .refused)
    /// The XML document exceeds a limit on bytes, elements, attributes, depth or lengths.
    public static let xmlTooLarge = ErrorCode("xml.too-large", .refused)
    /// libxml2 failed for a reason that does not lie in the XML document, such as too little memory.
    public static let xmlFailed = ErrorCode("xml.failed", .failed)
}

extension ErrorTemplate {
    /// Context that adds the line to an error in an XML document; argument `line`.
    public static let xmlLine = ErrorTemplate(context: "xml-line", "line {line}: {cause}")
    /// Context that adds line and column to an error in an XML document; arguments `line`, `column`.
    public static let xmlColumn = ErrorTemplate(context: "xml-column", "line {line}, column {column}: {cause}")

    public static let xmlNotUTF8 = ErrorTemplate(
        .xmlNotUTF8, "the document is not UTF-8 text", hint: "save the file as UTF-8")
    public static let xmlZeroByte = ErrorTemplate(
        .xmlNotUTF8, variant: "zero", "the document contains a NUL byte", hint: "save the file as UTF-8")
    public static let xmlOtherEncoding = ErrorTemplate(
        .xmlNotUTF8, variant: "declared", "the document declares the encoding '{encoding}' instead of UTF-8",
        hint: "save the file as UTF-8")
    public static let xmlEmpty = ErrorTemplate(.xmlMalformed, variant: "empty", "the document is empty")
    public static let xmlMalformed = ErrorTemplate(.xmlMalformed, "the document is not well-formed XML")
    public static let xmlSyntax = ErrorTemplate(.xmlMalformed, variant: "syntax", "syntax error: {reason}")
    public static let xmlDoctype = ErrorTemplate(.xmlDoctype, "a document type (<!DOCTYPE>) is not allowed")
    public static let xmlDeclaration = ErrorTemplate(
        .xmlDoctype, variant: "declaration", "a declaration in the document type (<!DOCTYPE>) is not allowed")
    public static let xmlEntity = ErrorTemplate(.xmlEntity, "unknown entity '&{entity};'")
    public static let xmlDocumentTooLarge = ErrorTemplate(
        .xmlTooLarge, "the document has {size}; the limit is {limit}")
    public static let xmlElementsExceeded = ErrorTemplate(
        .xmlTooLarge, variant: "elements", "the document has more than {limit} elements")
    public static let xmlDepthExceeded = ErrorTemplate(
        .xmlTooLarge, variant: "depth", "elements are nested more than {limit} levels deep")
    public static let xmlNamespacesExceeded = ErrorTemplate(
        .xmlTooLarge, variant: "namespaces", "the document declares more than {limit} namespaces")
    public static let xmlAttributesExceeded = ErrorTemplate(
        .xmlTooLarge, variant: "attributes", "an element has more than {limit} attributes")
    public static let xmlValueTooLong = ErrorTemplate(
        .xmlTooLarge, variant: "value", "the value of an attribute has {size}; the limit is {limit}")
    public static let xmlTextTooLong = ErrorTemplate(
        .xmlTooLarge, variant: "text", "the text of an element has {size}; the limit is {limit}")
    public static let xmlNamesExceeded = ErrorTemplate(
        .xmlTooLarge, variant: "names", "the document has more than {limit} different names")
    public static let xmlNameTooLong = ErrorTemplate(
        .xmlTooLarge, variant: "name", "the name of an element or attribute has {size}; the limit is {limit}")
    public static let xmlLibraryLimit = ErrorTemplate(
        .xmlTooLarge, variant: "library", "a limit of the XML library (libxml2) is exceeded: {reason}")
    public static let xmlOutOfMemory = ErrorTemplate(
        .xmlFailed, "out of memory while reading the document", hint: "try again")
    public static let xmlLibraryFailed = ErrorTemplate(
        .xmlFailed, variant: "library", "the XML library (libxml2) failed: {reason}")
}
