import Crypto
import CryptoExtras
public import FoundationEssentials
public import StoreModel
import Synchronization

/// A private key that is encrypted with a passphrase, as a key file contains it.
///
/// The passphrase is stretched with scrypt (RFC 7914), and the key is encrypted with AES-256-GCM, whose tag also covers
/// the public key beside it: a file whose public key was exchanged can't be decrypted.
public struct EncryptedKey: Sendable, Codable {
    /// The kind of the key.
    public let keytype: String
    /// The kind of its signatures.
    public let scheme: String
    /// The public key in hexadecimal digits.
    public let `public`: String
    private let encrypted: Encrypted

    private struct Encrypted: Sendable, Codable {
        var kdf: Derivation
        var cipher: String
        /// The nonce of AES-GCM in hexadecimal digits.
        var nonce: String
        /// The encrypted key followed by the tag of AES-GCM, in hexadecimal digits.
        var ciphertext: String
    }

    /// The parameters of scrypt.
    fileprivate struct Derivation: Sendable, Hashable, Codable {
        var name: String
        var n: Int
        var r: Int
        var p: Int
        var salt: String

        /// Whether the parameters are ones for which a computer has time and memory: at most 1 GiB.
        var isAcceptable: Bool {
            name == "scrypt" && (1 << 10...1 << 20).contains(n) && n.nonzeroBitCount == 1 && (1...8).contains(r)
                && (1...4).contains(p)
        }
    }

    private static let cipher = "aes-256-gcm"

    /// The public key.
    public var publicKey: PublicKey { PublicKey(type: keytype, scheme: scheme, value: `public`) }

    /// Encrypts a private key with a passphrase.
    ///
    /// - Parameter derived: determines salt and cost of the passphrase's derivation.
    public init(_ key: PrivateKey, passphrase: String, derived: DerivedKeys = DerivedKeys()) throws {
        keytype = key.publicKey.type
        scheme = key.publicKey.scheme
        `public` = key.publicKey.value
        let derivation = Derivation(name: "scrypt", n: derived.rounds, r: 8, p: 1, salt: derived.salt)
        let box = try AES.GCM.seal(
            key.bytes, using: try derived.key(passphrase, derivation),
            authenticating: key.publicKey.description.encoded)
        encrypted = Encrypted(
            kdf: derivation, cipher: Self.cipher, nonce: Hexadecimal.text(Array(box.nonce)),
            ciphertext: Hexadecimal.text(Array(box.ciphertext) + Array(box.tag)))
    }

    /// Parses a key file.
    ///
    /// - Parameter path: the path of the file, for messages.
    /// - Throws: `key.damaged`.
    public init(parsing data: Data, path: String) throws(StoreError) {
        func damaged(_ reason: String) -> StoreError {
            StoreError(.keyFileInvalid, ["path": .path(path), "reason": reason])
        }
        guard let key: EncryptedKey = try? JSON.decode(from: data) else { throw damaged("it is not a key file") }
        guard key.keytype == "ed25519", key.publicKey.isUsable else { throw damaged("the kind of key is not known") }
        guard key.encrypted.cipher == Self.cipher, key.encrypted.kdf.isAcceptable else {
            throw damaged("the encryption is not known")
        }
        self = key
    }

    /// The content of the key file.
    public var fileContent: Data { get throws { try JSON.encode(self, pretty: true) } }

    /// Decrypts the private key.
    ///
    /// - Parameters:
    ///   - path: the path of the file, for messages.
    ///   - derived: the keys that were derived from passphrases before.
    /// - Throws: `key.wrong-passphrase`, also if the file is damaged: the cipher can't tell one from the other.
    public func decrypted(
        passphrase: String, path: String, derived: DerivedKeys = DerivedKeys()
    ) throws(StoreError) -> PrivateKey {
        let key: PrivateKey?
        do {
            let bytes = Hexadecimal.bytes(encrypted.ciphertext) ?? []
            let box = try AES.GCM.SealedBox(
                nonce: AES.GCM.Nonce(data: Hexadecimal.bytes(encrypted.nonce) ?? []), ciphertext: bytes.dropLast(16),
                tag: bytes.suffix(16))
            let opened = try AES.GCM.open(
                box, using: try derived.key(passphrase, encrypted.kdf), authenticating: publicKey.description.encoded)
            key = PrivateKey(bytes: opened)
        } catch {
            key = nil
        }
        guard let key, key.publicKey == publicKey else {
            throw StoreError(.keyPassphraseWrong, ["path": .path(path)])
        }
        return key
    }
}

/// The keys that one command derives from passphrases, which takes time on purpose.
///
/// New key files of the same command have the same salt, so that they cost the time of one; each has a nonce of its own.
public final class DerivedKeys: Sendable {
    /// The parameter N of scrypt for new keys.
    let rounds: Int
    /// The salt of new keys in hexadecimal digits.
    let salt: String
    private let keys = Mutex<[Source: SymmetricKey]>([:])

    private struct Source: Hashable {
        var passphrase: String
        var derivation: EncryptedKey.Derivation
    }

    /// Creates a store of derived keys.
    ///
    /// - Parameter rounds: the cost of new keys, a power of two; the default is what OWASP's Password Storage Cheat Sheet
    ///   recommends at least, which takes 128 MiB of memory.
    public init(rounds: Int = 1 << 17) {
        self.rounds = rounds
        // Swift's generator of random numbers is the kernel's (getrandom(2)).
        salt = Hexadecimal.text((0..<16).map { _ in UInt8.random(in: .min ... .max) })
    }

    fileprivate func key(_ passphrase: String, _ derivation: EncryptedKey.Derivation) throws -> SymmetricKey {
        let source = Source(passphrase: passphrase, derivation: derivation)
        return try keys.withLock { keys in
            if let known = keys[source] { return known }
            let key = try KDF.Scrypt.deriveKey(
                from: Array(passphrase.utf8), salt: Hexadecimal.bytes(derivation.salt) ?? [], outputByteCount: 32,
                rounds: derivation.n, blockSize: derivation.r, parallelism: derivation.p)
            keys[source] = key
            return key
        }
    }
}
