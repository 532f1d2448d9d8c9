import Crypto
import CryptoExtras
import Foundation
public import StoreTrust

/// A private key that signs the metadata of a ``TestRepository``.
struct SigningKey {
    enum Kind: CaseIterable {
        case ed25519, ecdsa, rsa
    }

    let identifier: String
    /// The public key as metadata describes it.
    var description: CanonicalJSON
    let sign: (Data) -> Data

    init(_ identifier: String, kind: Kind = .ed25519) {
        self.identifier = identifier
        switch kind {
        case .ed25519:
            let key = Curve25519.Signing.PrivateKey()
            description = Self.describe("ed25519", "ed25519", key.publicKey.rawRepresentation.hex)
            sign = { (try? key.signature(for: $0)) ?? Data() }
        case .ecdsa:
            let key = P256.Signing.PrivateKey()
            description = Self.describe("ecdsa", "ecdsa-sha2-nistp256", key.publicKey.pemRepresentation)
            sign = { (try? key.signature(for: $0).derRepresentation) ?? Data() }
        case .rsa:
            let key = try? _RSA.Signing.PrivateKey(keySize: .bits2048)
            description = Self.describe("rsa", "rsassa-pss-sha256", key?.publicKey.pemRepresentation ?? "")
            sign = { (try? key?.signature(for: $0, padding: .PSS).rawRepresentation) ?? Data() }
        }
    }

    private init(copying other: SigningKey, as identifier: String) {
        self.identifier = identifier
        description = other.description
        sign = other.sign
    }

    /// Returns the same key under another identifier.
    func renamed(_ identifier: String) -> SigningKey { SigningKey(copying: self, as: identifier) }

    static func describe(_ type: String, _ scheme: String, _ value: String) -> CanonicalJSON {
        ["keytype": .string(type), "scheme": .string(scheme), "keyval": ["public": .string(value)]]
    }

    /// Returns a metadata file: a signed part with signatures of keys.
    static func metadata(_ signed: CanonicalJSON, by keys: [SigningKey]) -> Data {
        let signatures = keys.map { key -> CanonicalJSON in
            ["keyid": .string(key.identifier), "sig": .string(key.sign(Data(signed.encoded)).hex)]
        }
        let document: CanonicalJSON = ["signed": signed, "signatures": .array(signatures)]
        // The canonical form of a line feed in a string is not JSON.
        return Data(document.encoded.flatMap { $0 == 0x0A ? Array(#"\n"#.utf8) : [$0] })
    }
}

extension Data {
    var hex: String { map { String(format: "%02x", $0) }.joined() }
}

extension CanonicalJSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(integerLiteral value: Int) { self = .integer(String(value)) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(arrayLiteral elements: CanonicalJSON...) { self = .array(elements) }
    public init(dictionaryLiteral elements: (String, CanonicalJSON)...) {
        self = .object(Dictionary(uniqueKeysWithValues: elements))
    }

    /// The member of an object; setting `nil` removes it.
    subscript(member: String) -> CanonicalJSON? {
        get { if case .object(let members) = self { members[member] } else { nil } }
        set {
            guard case .object(var members) = self else { return }
            members[member] = newValue
            self = .object(members)
        }
    }
}
