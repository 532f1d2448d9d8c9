import Crypto
import FoundationEssentials
import StoreModel

/// An Ed25519 private key, which signs the metadata of a store.
public struct PrivateKey: Sendable {
    private let key: Curve25519.Signing.PrivateKey

    /// Generates a new private key.
    public init() { key = Curve25519.Signing.PrivateKey() }

    /// Creates a private key from its 32 bytes; `nil` if they are no key.
    init?(bytes: some Sequence<UInt8>) {
        guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: Array(bytes)) else { return nil }
        self.key = key
    }

    /// The 32 bytes of the private key.
    var bytes: [UInt8] { Array(key.rawRepresentation) }

    /// The public key with which clients verify signatures of the private key.
    public var publicKey: PublicKey { PublicKey(ed25519: Hexadecimal.text(key.publicKey.rawRepresentation)) }

    /// Returns the signature of bytes.
    public func signature(of bytes: [UInt8]) throws -> [UInt8] { Array(try key.signature(for: bytes)) }
}

extension PublicKey {
    /// Creates an Ed25519 public key from its 32 bytes in hexadecimal digits.
    public init(ed25519 digits: String) { self.init(type: "ed25519", scheme: "ed25519", value: digits.lowercased()) }

    /// The description of the key in metadata.
    public var description: CanonicalJSON {
        .object([
            "keytype": .string(type), "scheme": .string(scheme), "keyval": .object(["public": .string(value)]),
        ])
    }

    /// The identifier of the key in metadata: the SHA-256 of its description in canonical JSON (section 4.2).
    public var identifier: String { SHA256Digest(of: description.encoded).hex }
}
