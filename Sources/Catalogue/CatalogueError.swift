public import StoreModel

/// Why a store's catalogue can't be used.
public struct CatalogueError: CodedError, Hashable {
    public let code: ErrorCode
    public let message: String

    public init(_ code: ErrorCode, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension ErrorCode {
    /// A document is no JSON, or not laid out as the format says.
    public static let catalogueMalformed = ErrorCode("catalogue.malformed", .refused)
    /// A document has not the size or the SHA-256 that the catalogue gives for it.
    public static let catalogueHashMismatch = ErrorCode("catalogue.hash-mismatch", .refused)
    /// A document is over a limit of ``CatalogueLimits``.
    public static let catalogueTooLarge = ErrorCode("catalogue.too-large", .refused)
    /// A document is of a format that this program does not know.
    public static let catalogueUnsupportedFormat = ErrorCode("catalogue.unsupported-format", .refused)
    /// There is no catalogue at the store's address, or a part of it is not where the index says.
    public static let catalogueMissing = ErrorCode("catalogue.missing", .network)
    /// The store's address is none that a catalogue can be fetched from.
    public static let catalogueBadAddress = ErrorCode("catalogue.bad-address", .usage)
}
