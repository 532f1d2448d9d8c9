import StoreXML

/// What is read of one skin, not counting what it inherits from.
enum SkinLimits {
    /// Of all its XML, in bytes.
    static let size = 10 << 20
    static let instances = 100_000
    /// Classes of one instance; more cost time and mean nothing that a class of their own would not.
    static let classes = 16
    /// Constants that take one another; each is followed anew, which must not take time by the square of their number.
    static let references = 32
    /// Of an identifier, in bytes.
    static let identifierLength = 200
    /// Of a value's text, in bytes. What takes it, thousands of times perhaps, writes it out each time.
    static let valueLength = 4 << 10
    /// Warnings that are kept; files with more are not what a designer wrote.
    static let warnings = 10_000
    /// Folders in folders of assets.
    static let assetDepth = 8

    static var xml: XMLLimits {
        var limits = XMLLimits()
        limits.size = size
        // Six for a value, and arrays in arrays.
        limits.depth = 32
        limits.attributes = 50
        limits.valueLength = 64 << 10
        return limits
    }
}

/// Whether a text can be the identifier of a skin or of an instance: it stands in lists between spaces, and in messages.
func isSkinIdentifier(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= SkinLimits.identifierLength
        && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
}
