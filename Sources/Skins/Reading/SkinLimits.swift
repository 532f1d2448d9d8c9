import StoreXML

/// The maximum sizes and numbers that the files of a skin may have.
///
/// They apply to each of its ancestors separately, unless stated otherwise.
enum SkinLimits {
    /// The maximum total size of a skin's XML files, in bytes.
    static let size = 10 << 20
    /// The maximum total size of the XML files of a skin and its ancestors, in bytes.
    static let chainSize = 32 << 20
    /// The maximum number of definitions, operations, values and different names in the files of a skin and its ancestors.
    ///
    /// Each takes up to 250 bytes of memory while a skin is read, however short it is.
    static let elements = 250_000
    /// The maximum number of instances (definitions for an identifier) in all files of a skin.
    static let instances = 100_000
    /// The maximum number of classes that one instance in a skin may name.
    ///
    /// A single class can replace any number of them.
    static let classes = 16
    /// The maximum length of a chain of a skin's constants, each of which refers to the next one.
    ///
    /// The definition that would make a chain longer is ignored, with a warning.
    static let references = 32
    /// The maximum length of an identifier in a skin, in bytes.
    static let identifierLength = 200
    /// The maximum length of the text of a value in a skin, in bytes.
    ///
    /// A constant's value may be copied to thousands of instances.
    static let valueLength = 4 << 10
    /// The maximum number of warnings about a skin that are collected; files with more were not written by a designer.
    static let warnings = 10_000
    /// The maximum nesting depth of directories in a skin's directory `assets`.
    static let assetDepth = 8

    /// The limits with which the XML files of skins are read.
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

/// Returns whether a text is valid as the identifier of a skin, or of an object that a skin defines.
///
/// Identifiers contain no white space, because lists of identifiers are separated by spaces, and because messages
/// contain them.
func isSkinIdentifier(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
        !bytes.isEmpty && bytes.count <= SkinLimits.identifierLength && bytes.allSatisfy { $0 > 0x20 && $0 != 0x7F }
    }
}
