import StoreXML

/// Limits of one skin, without its ancestors.
enum SkinLimits {
    /// Total size of the XML files, in bytes.
    static let size = 10 << 20
    /// Number of instances in all files.
    static let instances = 100_000
    /// Number of classes of one instance; a single class can replace any number of them.
    static let classes = 16
    /// Length of a chain of constants that refer to each other; each is followed separately, which takes quadratic time.
    static let references = 32
    /// Length of an identifier, in bytes.
    static let identifierLength = 200
    /// Length of a value's text, in bytes; a constant may be copied to thousands of instances.
    static let valueLength = 4 << 10
    /// Number of warnings that are collected; files with more were not written by a designer.
    static let warnings = 10_000
    /// Nesting depth of directories in `assets`.
    static let assetDepth = 8

    /// Limits of the XML reader.
    static var xml: XMLLimits {
        var limits = XMLLimits()
        limits.size = size
        // A value is at depth six; the rest is for nested arrays.
        limits.depth = 32
        limits.attributes = 50
        limits.valueLength = 64 << 10
        return limits
    }
}

/// Returns whether a text is a valid identifier of a skin or an instance.
///
/// Lists of identifiers are separated by spaces, and messages contain them.
func isSkinIdentifier(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= SkinLimits.identifierLength
        && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
}
