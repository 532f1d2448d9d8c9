/// The identifier and the key of a Signal pack, from the link with which packs are shared or from the key alone.
struct SignalLink {
    private(set) var packIdentifier: String?
    private(set) var key: [UInt8]?

    /// Reads `https://signal.art/addstickers/#pack_id=…&pack_key=…`, `sgnl://…`, or 64 hexadecimal digits.
    init(_ text: String?) {
        guard let text = text?.trimmed else { return }
        guard text.contains("pack_key=") else {
            key = Self.hexadecimal(text, count: 32)
            return
        }
        for pair in text.split(whereSeparator: { "#?&".contains($0) }) {
            if pair.hasPrefix("pack_id="), Self.isIdentifier(pair.dropFirst(8)) {
                packIdentifier = pair.dropFirst(8).lowercased()
            } else if pair.hasPrefix("pack_key=") {
                key = Self.hexadecimal(String(pair.dropFirst(9)), count: 32)
            }
        }
    }

    static func isIdentifier(_ text: some StringProtocol) -> Bool { text.count == 32 && text.allSatisfy(\.isHexDigit) }

    private static func hexadecimal(_ text: String, count: Int) -> [UInt8]? {
        guard text.utf8.count == 2 * count else { return nil }
        var (bytes, rest) = ([UInt8](), text[...])
        while !rest.isEmpty {
            guard let byte = UInt8(rest.prefix(2), radix: 16) else { return nil }
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        return bytes
    }
}
