public import StoreModel

/// Why the library could not do as it was asked.
public struct LibraryError: CodedError {
    public let code: ErrorCode
    public let message: String
    public let permissions: [Permission]

    public init(_ code: ErrorCode, _ message: String, permissions: [Permission] = []) {
        self.code = code
        self.message = message
        self.permissions = permissions
    }

    static func missing(_ productIdentifier: String) -> LibraryError {
        LibraryError(.packMissing, "'\(productIdentifier)' is not installed.")
    }

    /// - Parameter missing: what was not consented to.
    public static func consentNeeded(
        for productIdentifier: String, kind: ProductKind, _ missing: Set<Permission>
    ) -> LibraryError {
        let missing = missing.sorted()
        return LibraryError(
            .consentNeeded,
            "'\(productIdentifier)' (\(kind)) asks to " + missing.map(\.meaning).joined(separator: ", ")
                + ". If you allow that, add --consent \(missing.words).", permissions: missing)
    }
}

extension ErrorCode {
    /// No pack of that product is installed.
    public static let packMissing = ErrorCode("pack.not-installed", .notFound)
    /// The version that was asked for is no longer here: another has taken its place, and another its place before.
    public static let packReplaced = ErrorCode("pack.replaced", .notFound)
    /// There is no version before to go back to.
    public static let noPrevious = ErrorCode("pack.no-previous", .notFound)
    /// A folder that someone put there by hand is in the way, or was named where only installed packs can be.
    public static let packByHand = ErrorCode("conflict.by-hand", .conflict)
    /// The product changed its kind, so that its new version belongs into another folder.
    public static let kindChanged = ErrorCode("conflict.kind-changed", .conflict)
    public static let kindUnknown = ErrorCode("kind.unknown", .refused)
    /// The pack's information file is not as it must be.
    public static let badInformation = ErrorCode("content.bad-information", .refused)
    /// The pack asks for more than was consented to.
    public static let consentNeeded = ErrorCode("consent.needed", .refused)
    /// A file of a type that packs of the kind don't hold, or that is called as what it is not.
    public static let fileType = ErrorCode("content.file-type", .refused)
    /// A file that a system or an interpreter runs, in a kind of pack that only holds content.
    public static let executable = ErrorCode("content.executable", .refused)
    /// A file of more bytes than are read of its type.
    public static let contentTooLarge = ErrorCode("content.too-large", .refused)
    /// The pack's receipt is not as this program writes one.
    public static let receiptDamaged = ErrorCode("pack.damaged-receipt", .refused)
    /// A newer version of this program installed the pack.
    public static let packNewer = ErrorCode("pack.newer", .refused)
    /// A file of a pack was changed while it was being read.
    public static let packChanged = ErrorCode("pack.changed", .failed)
    /// A folder of the home was moved away, or another or a link put in its place, while it was in use.
    public static let homeSwapped = ErrorCode("home.swapped", .daemon)
    /// The home's folders can't be used.
    public static let homeUnusable = ErrorCode("home.unusable", .daemon)
}
