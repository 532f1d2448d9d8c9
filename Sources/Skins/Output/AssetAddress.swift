/// A namespace of functions that form the URLs of skins' assets (images and other files).
public enum AssetAddress {
    /// Returns a function that forms the URL of a skin's asset below a base URL: `BASE/SKIN/assets/…`.
    public static func below(_ base: String) -> @Sendable (SkinAsset) -> String {
        { asset in "\(base)/\(encoded(asset.skin, but: ""))/\(encoded(asset.path, but: "/"))" }
    }

    /// Percent-encodes every byte of a text except the unreserved ones of RFC 3986.
    ///
    /// - Parameter others: further ASCII characters that are not encoded.
    public static func encoded(_ text: String, but others: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                encoded.append(byte)
            case _ where others.utf8.contains(byte): encoded.append(byte)
            default: encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }
}
