public import FoundationEssentials
import StoreModel

/// The fingerprint of a root: the SHA-256 of its file, which people compare before they trust the root.
public struct RootFingerprint: Sendable, Hashable, CustomStringConvertible {
    private let digest: SHA256Digest

    /// Computes the fingerprint of a root file.
    public init(of data: Data) { digest = SHA256Digest(of: data) }

    /// Reads a fingerprint in any case, with or without spaces and colons; `nil` if it is not 64 hexadecimal digits.
    public init?(parsing text: String) {
        guard let digest = SHA256Digest(hex: text.filter { $0 != ":" && !$0.isWhitespace }) else { return nil }
        self.digest = digest
    }

    /// The fingerprint as 64 lower-case hexadecimal digits.
    public var description: String { digest.hex }

    /// The fingerprint in groups of four digits, for people who compare it.
    public var grouped: String { RootFingerprintText.grouped(digest.hex) }
}
