import StoreModel

/// A word of a search, which is looked for in the folded texts of products (``SearchText``).
struct SearchWord {
    private let text: String
    private let bytes: [UInt8]
    private let isASCII: Bool

    /// Creates a word from what the user typed.
    init(_ typed: some StringProtocol) {
        text = SearchText.folded(String(typed))
        bytes = Array(text.utf8)
        isASCII = bytes.allSatisfy { $0 < 0x80 }
    }

    /// Returns whether the word occurs in the folded text of a product, which is in UTF-8.
    func occurs(in folded: UnsafeRawBufferPointer) -> Bool {
        // A comparison of strings takes many times as long, and differs only for characters that can be written in several
        // ways.
        if hasBytes(folded) { return true }
        return !isASCII && String(decoding: folded, as: UTF8.self).contains(text)
    }

    private func hasBytes(_ folded: UnsafeRawBufferPointer) -> Bool {
        guard let first = bytes.first else { return true }
        return bytes.withUnsafeBufferPointer { bytes in
            var start = 0
            while start + bytes.count <= folded.count {
                if folded[start] == first {
                    var length = 1
                    while length < bytes.count, folded[start + length] == bytes[length] { length += 1 }
                    if length == bytes.count { return true }
                }
                start += 1
            }
            return false
        }
    }
}
