import Crypto
import CryptoExtras

/// The encryption of Signal's sticker packs: AES-256-CBC, authenticated with HMAC-SHA-256.
struct SignalCipher {
    private let encryptionKey: SymmetricKey
    private let authenticationKey: SymmetricKey

    /// Derives both keys from the pack's key (HKDF-SHA-256 without a salt).
    init(packKey: [UInt8]) {
        let derived = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: packKey), info: Array("Sticker Pack".utf8), outputByteCount: 64)
        let bytes = derived.withUnsafeBytes { Array($0) }
        encryptionKey = SymmetricKey(data: bytes[..<32])
        authenticationKey = SymmetricKey(data: bytes[32...])
    }

    /// Returns the content of a file: 16 bytes of initialization vector, the ciphertext, 32 bytes of authentication.
    ///
    /// - Returns: `nil` if the file was not encrypted with this key, or was changed.
    func decrypt(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count >= 64 else { return nil }
        let (signed, tag) = (bytes.dropLast(32), bytes.suffix(32))
        // Authenticated before anything is decrypted.
        guard HMAC<SHA256>.isValidAuthenticationCode(tag, authenticating: signed, using: authenticationKey),
            let vector = try? AES._CBC.IV(ivBytes: signed.prefix(16)),
            let plain = try? AES._CBC.decrypt(signed.dropFirst(16), using: encryptionKey, iv: vector)
        else { return nil }
        return Array(plain)
    }

    /// Returns a file as Signal's server has it.
    func encrypt(_ bytes: [UInt8], vector: [UInt8]) throws -> [UInt8] {
        let cipher = try AES._CBC.encrypt(bytes, using: encryptionKey, iv: AES._CBC.IV(ivBytes: vector))
        let signed = vector + cipher
        return signed + HMAC<SHA256>.authenticationCode(for: signed, using: authenticationKey)
    }
}
