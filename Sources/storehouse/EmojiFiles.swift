import StoreEmoji
import StoreModel
import StoreSystem

/// A namespace for reading the files that the commands for emoji sets are given.
enum EmojiFiles {
    /// The maximum size of a file in bytes.
    private static let maximumSize = 1 << 30

    /// Returns the bytes of a file.
    static func bytes(of path: String) throws -> [UInt8] {
        Array(try OpenFile.read(argument: path, limit: maximumSize))
    }

    /// Returns the emoji set of a compiled file.
    static func read(_ path: String) throws -> EmojiSetDescription {
        let bytes = try bytes(of: path)
        return try naming(path) { try EmojiSetDescription(compiled: bytes) }
    }

    /// Returns the emoji set of an XML description and the images that it names.
    static func readXML(_ path: String) throws -> EmojiSetDescription {
        // An image that the description names may be missing, too, which is another error.
        _ = try OpenFile.open(argument: path)
        let (parent, name) = FilePaths.split(path)
        return try EmojiSetDescription(xml: name, in: Directory.open(parent))
    }

    /// Returns the result of `body`; a damaged file is reported with its path.
    static func naming<Value>(_ path: String, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as StoreError where error.code == .emojiDamaged {
            throw StoreError(.emojiSourceFile, ["file": .path(path)], cause: error)
        }
    }
}
