import FoundationEssentials

/// A namespace for decoding Base64.
enum Base64 {
    /// Returns the bytes that Base64 stands for; `nil` if the text is not Base64.
    static func bytes(_ text: String) -> [UInt8]? {
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        return Data(base64Encoded: text + padding).map { Array($0) }
    }
}
