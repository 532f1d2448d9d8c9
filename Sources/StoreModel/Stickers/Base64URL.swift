import FoundationEssentials

/// A namespace for SHA-256 digests in base64url without padding (RFC 4648, 5), which take 43 characters.
enum Base64URL {
    static func text(_ digest: SHA256Digest) -> String {
        let base64 = Data(digest.bytes).base64EncodedString().utf8.map { byte -> UInt8 in
            switch byte {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            default: byte
            }
        }
        return String(decoding: base64.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
    }

    /// Decodes a digest; `nil` for anything but 43 characters of base64url whose unused bits are 0.
    static func digest(_ text: ArraySlice<UInt8>) -> SHA256Digest? {
        guard text.count == 43 else { return nil }
        let base64 = text.map { byte -> UInt8 in
            switch byte {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            // Not in the alphabet, so that decoding fails.
            case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): 0
            default: byte
            }
        }
        guard let bytes = Data(base64Encoded: Data(base64 + [UInt8(ascii: "=")])), bytes.count == 32 else { return nil }
        let digest = SHA256Digest(bytes: bytes)
        return self.text(digest).utf8.elementsEqual(text) ? digest : nil
    }
}
