public import StoreModel

/// Why a store could not be made or changed.
public struct PublishingError: CodedError, Hashable {
    public let code: ErrorCode
    public let message: String

    public init(_ code: ErrorCode, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension ErrorCode {
    /// A version comes again with another archive: clients would never learn that it changed.
    public static let versionChanged = ErrorCode("publish.version-changed", .refused)
    /// The folder is no store.
    public static let noStore = ErrorCode("publish.no-store", .notFound)
    /// The folder that is to become a store holds something else.
    public static let notEmpty = ErrorCode("publish.not-empty", .conflict)
    /// The store has no product of that identifier.
    public static let noProduct = ErrorCode("publish.no-product", .notFound)
    /// There is no folder to make a pack from.
    public static let noPack = ErrorCode("publish.no-pack", .notFound)
    /// An identifier or a version that no client would take.
    public static let badIdentifier = ErrorCode("publish.bad-identifier", .usage)
    /// The pack's information file names a file that the pack has not, or that is no picture.
    public static let badPicture = ErrorCode("publish.bad-picture", .refused)
    /// The store's own files are not as they were left.
    public static let storeDamaged = ErrorCode("publish.store-damaged", .refused)
    /// `SOURCE_DATE_EPOCH` is not a number of seconds.
    public static let badEpoch = ErrorCode("publish.bad-epoch", .usage)
    /// An address that can't be that of a copy of the store.
    public static let badMirror = ErrorCode("publish.bad-mirror", .usage)
    /// No kind of that name is known, so that its rules can't be checked.
    public static let unknownKind = ErrorCode("publish.unknown-kind", .usage)
}
