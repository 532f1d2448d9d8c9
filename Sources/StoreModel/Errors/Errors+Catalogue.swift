extension ErrorCode {
    /// A JSON document of a store, such as its catalogue, is not valid JSON or does not have the layout of its format.
    public static let catalogueMalformed = ErrorCode("catalogue.malformed", .refused)
    /// A JSON document of a store does not have the size or the SHA-256 that the store's catalogue declares.
    public static let catalogueHashMismatch = ErrorCode("catalogue.hash-mismatch", .refused)
    /// A JSON document of a store has more bytes, values, products or shards (parts) than allowed.
    public static let catalogueTooLarge = ErrorCode("catalogue.too-large", .refused)
    /// A JSON document of a store has a format version that this program does not know.
    public static let catalogueUnsupportedFormat = ErrorCode("catalogue.unsupported-format", .refused)
    /// The server has no catalogue at the store's URL, or a part of the catalogue is missing.
    public static let catalogueMissing = ErrorCode("catalogue.missing", .network)
    /// The scheme or form of the store's URL does not allow fetching a catalogue.
    public static let catalogueBadAddress = ErrorCode("catalogue.bad-address", .usage)
}

extension ErrorTemplate {
    // Malformed documents

    public static let catalogueInvalid = ErrorTemplate(
        .catalogueMalformed, "{document} is not valid: {reason}", hint: "report it to the store's publisher")
    public static let catalogueEmpty = ErrorTemplate(
        .catalogueMalformed, variant: "empty", "{document} is empty", hint: "report it to the store's publisher")
    public static let catalogueWebPage = ErrorTemplate(
        .catalogueMalformed, variant: "web-page", "{document} is not JSON but seems to be a web page",
        hint: "check the store's URL")
    public static let catalogueNotJSON = ErrorTemplate(
        .catalogueMalformed, variant: "not-json", "{document} is not JSON: it begins with neither '{' nor '['",
        hint: "check the store's URL")
    public static let catalogueTooDeep = ErrorTemplate(
        .catalogueMalformed, variant: "nesting", "{document} is nested deeper than {limit} levels",
        hint: "report it to the store's publisher")
    public static let catalogueIsShard = ErrorTemplate(
        .catalogueMalformed, variant: "shard", "{document} is only a part (shard) of a catalogue",
        hint: "use the URL of the store's catalogue.json")
    public static let catalogueNeither = ErrorTemplate(
        .catalogueMalformed, variant: "neither",
        "{document} is not a catalogue: it has neither 'products' nor 'format'",
        hint: "check the store's URL")
    public static let catalogueUnexpectedNotModified = ErrorTemplate(
        .catalogueMalformed, variant: "not-modified",
        "the server of '{url}' answered 'not modified' (HTTP 304) to an unconditional request",
        hint: "check the store's URL")
    public static let catalogueFormatUnknown = ErrorTemplate(
        .catalogueUnsupportedFormat, "{document} has format {format}; this program reads formats 1 and 2",
        hint: "upgrade the program")

    // Hashes

    public static let shardSizeDiffers = ErrorTemplate(
        .catalogueHashMismatch, variant: "size", "{document} has {found}, but the store's index states {expected}",
        hint: "try again later; if it persists, report it to the store's publisher")
    public static let shardTooLong = ErrorTemplate(
        .catalogueHashMismatch, variant: "too-long",
        "{document} is longer than the {expected} that the store's index states",
        hint: "try again later; if it persists, report it to the store's publisher")
    public static let shardHasMoreProducts = ErrorTemplate(
        .catalogueMalformed, variant: "shard-count",
        "{document} has more than the {expected} products that the store's index states",
        hint: "report it to the store's publisher")
    public static let shardHashDiffers = ErrorTemplate(
        .catalogueHashMismatch, "{document} does not have the SHA-256 that the store's index states",
        hint: "try again later; if it persists, report it to the store's publisher")

    // Limits

    public static let catalogueDocumentTooLarge = ErrorTemplate(
        .catalogueTooLarge, "{document} is larger than {limit}",
        hint: "if you trust the store, raise the limit with 'storectl config set catalogue.maximumSize SIZE'")
    public static let catalogueTooManyValues = ErrorTemplate(
        .catalogueTooLarge, variant: "values", "{document} has more than {limit} values",
        hint: "if you trust the store, raise the limit with 'storectl config set catalogue.maximumSize SIZE'")
    public static let catalogueTooManyProducts = ErrorTemplate(
        .catalogueTooLarge, variant: "products", "{document} has more than {limit} products",
        hint: "if you trust the store, raise the limit with 'storectl config set catalogue.maximumProducts NUMBER'")
    public static let catalogueTooMuchMemory = ErrorTemplate(
        .catalogueTooLarge, variant: "memory", "the products in {document} take more than {limit} of memory",
        hint: "if you trust the store, raise the limit with 'storectl config set catalogue.maximumMemory SIZE'")
    public static let catalogueTooManyShards = ErrorTemplate(
        .catalogueTooLarge, variant: "shards", "{document} has {count} shards; at most {limit} are allowed",
        hint: "report it to the store's publisher")
    public static let catalogueShardTooLarge = ErrorTemplate(
        .catalogueTooLarge, variant: "shard", "{document} lists a shard of {size}, which exceeds the limit",
        hint:
            "if you trust the store, raise catalogue.maximumSize or catalogue.maximumProducts with 'storectl config set'"
    )
    public static let catalogueTotalTooLarge = ErrorTemplate(
        .catalogueTooLarge, variant: "total",
        "{document} has {count} products in {size}; at most {limit} products in {sizeLimit} are allowed",
        hint:
            "if you trust the store, raise catalogue.maximumProducts or catalogue.maximumTotalSize with 'storectl config set'"
    )

    // Missing documents

    public static let catalogueNotFound = ErrorTemplate(
        .catalogueMissing, "no catalogue found at {urls}", hint: "check the store's URL")
    public static let catalogueShardMissing = ErrorTemplate(
        .catalogueMissing, variant: "shard", "{document} is missing from the store",
        hint: "try again later; if it persists, report it to the store's publisher")
    public static let catalogueURLInvalid = ErrorTemplate(
        .catalogueBadAddress, "'{url}' is not the URL of a store",
        hint: "use a URL that begins with http://, https:// or file://")
}
