public import FoundationEssentials

/// The signature of a store's catalogue in short: the root that the user trusts, and when it was verified.
public struct StoreSignature: Sendable, Hashable, Codable {
    /// The fingerprint of the root with which the store was added: its SHA-256 in lower-case hexadecimal digits.
    public var fingerprint: String
    /// The version of the root that is trusted now, which follows from the first one; `nil` if it can't be read.
    @OrNull public var rootVersion: Int?
    /// When the store's signed metadata and catalogue were last verified over the network; `nil` if never.
    @OrNull public var verifiedAt: Date?
    /// The first date on which a part of the verified metadata expires; `nil` if nothing was verified.
    @OrNull public var expires: Date?
    /// Descriptions of what was left out of the catalogue because it did not verify, one line each.
    public var warnings: [String]

    /// Creates the description of a store's signature.
    public init(
        fingerprint: String, rootVersion: Int? = nil, verifiedAt: Date? = nil, expires: Date? = nil,
        warnings: [String] = []
    ) {
        self.fingerprint = fingerprint
        self.rootVersion = rootVersion
        self.verifiedAt = verifiedAt
        self.expires = expires
        self.warnings = warnings
    }
}
