import Crypto
import CryptoExtras
import FoundationEssentials
import StoreModel

/// A public key of a store's metadata: Ed25519, ECDSA on P-256, or RSA.
///
/// A key of another kind, or whose value can't be used, is kept, but no signature is valid for it: the specification
/// lets repositories use kinds of keys that a client does not know (section 4.2.2).
public struct PublicKey: Sendable, Hashable {
    /// The kind of the key: `ed25519`, `ecdsa` or `rsa`, or another word.
    public let type: String
    /// The kind of its signatures: `ed25519`, `ecdsa-sha2-nistp256` or `rsassa-pss-sha256`, or another word.
    public let scheme: String
    /// The key itself: hexadecimal digits or PEM.
    public let value: String
    private let verifier: Verifier?

    /// The keys that can verify signatures, by scheme.
    private enum Verifier: Sendable {
        case ed25519(Curve25519.Signing.PublicKey)
        case p256(P256.Signing.PublicKey)
        case rsa(_RSA.Signing.PublicKey, _RSA.Signing.Padding)

        init?(type: String, scheme: String, value: String) {
            switch (type, scheme) {
            case ("ed25519", "ed25519"):
                guard let bytes = Hexadecimal.bytes(value),
                    let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes)
                else { return nil }
                self = .ed25519(key)
            // Earlier versions of the specification give the scheme's name to the kind of key, too.
            case ("ecdsa", "ecdsa-sha2-nistp256"), ("ecdsa-sha2-nistp256", "ecdsa-sha2-nistp256"):
                guard let key = try? P256.Signing.PublicKey(pemRepresentation: value) else { return nil }
                self = .p256(key)
            // Refuses keys of less than 2,048 bits, as the specification does.
            case ("rsa", "rsassa-pss-sha256"):
                guard let key = try? _RSA.Signing.PublicKey(pemRepresentation: value) else { return nil }
                self = .rsa(key, .PSS)
            // Not in the specification, but what securesystemslib's RSA keys can be, too.
            case ("rsa", "rsa-pkcs1v15-sha256"):
                guard let key = try? _RSA.Signing.PublicKey(pemRepresentation: value) else { return nil }
                self = .rsa(key, .insecurePKCS1v1_5)
            default: return nil
            }
        }

        func isValid(_ signature: [UInt8], for bytes: [UInt8]) -> Bool {
            switch self {
            case .ed25519(let key): return key.isValidSignature(signature, for: bytes)
            case .p256(let key):
                guard let signature = try? P256.Signing.ECDSASignature(derRepresentation: signature) else {
                    return false
                }
                return key.isValidSignature(signature, for: bytes)
            case .rsa(let key, let padding):
                return key.isValidSignature(
                    _RSA.Signing.RSASignature(rawRepresentation: Data(signature)), for: bytes, padding: padding)
            }
        }

        /// The bytes of the key itself, which do not depend on how it is written.
        var identity: [UInt8] {
            switch self {
            case .ed25519(let key): Array(key.rawRepresentation)
            case .p256(let key): Array(key.x963Representation)
            case .rsa(let key, _): Array(key.derRepresentation)
            }
        }
    }

    /// Creates a public key from the members of its description in metadata.
    public init(type: String, scheme: String, value: String) {
        self.type = type
        self.scheme = scheme
        self.value = value
        verifier = Verifier(type: type, scheme: scheme, value: value)
    }

    init(from value: MetadataValue) throws(StoreError) {
        // A key of a kind that is not known may have a value of any form.
        let key: String
        if case .string(let text)? = try value.member("keyval").optional("public")?.json {
            key = text
        } else {
            key = ""
        }
        self.init(type: try value.member("keytype").string(), scheme: try value.member("scheme").string(), value: key)
    }

    /// Whether signatures of the key can be verified: its kind is known, and its value is a key of that kind.
    public var isUsable: Bool { verifier != nil }

    /// Returns whether a signature in hexadecimal digits is one of this key for the bytes.
    func isValid(signature: String, for bytes: [UInt8]) -> Bool {
        guard let verifier, let signature = Hexadecimal.bytes(signature) else { return false }
        return verifier.isValid(signature, for: bytes)
    }

    /// Two keys are the same if their values are, so that one key with two descriptions counts once for a threshold.
    public static func == (a: PublicKey, b: PublicKey) -> Bool { a.identity == b.identity }
    public func hash(into hasher: inout Hasher) { hasher.combine(identity) }
    private var identity: [UInt8] { verifier?.identity ?? Array("\(type) \(scheme) \(value)".utf8) }
}
