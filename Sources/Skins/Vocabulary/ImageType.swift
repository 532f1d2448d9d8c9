public import StoreModel

/// The type `image` of values in skins: the name of an image file; `cache="true"` requests caching in memory.
public struct ImageType: ObjectType {
    public let name = "image"
    public init() {}

    public func value(of source: ObjectSource) throws(ObjectError) -> SkinAsset {
        guard let found = source.asset(source.text) else { throw .noAsset(String(source.text.prefix(200))) }
        return SkinAsset(skin: found.skin, path: found.path, isCached: ["true", "1", "yes"].contains(source["cache"]))
    }

    /// Returns an image value of a skin as text: the skin, the caching flag and the path, separated by spaces.
    ///
    /// This is unambiguous, because a skin's identifier contains no white space.
    public func text(of value: SkinAsset) -> String {
        "\(value.skin) \(value.isCached ? "kept" : "read") \(value.path)"
    }

    public func value(ofText text: String) -> SkinAsset? {
        let parts = text.utf8.split(separator: 0x20, maxSplits: 2, omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
        guard parts.count == 3, !parts[0].isEmpty, !parts[2].isEmpty, ["kept", "read"].contains(parts[1]) else {
            return nil
        }
        return SkinAsset(skin: parts[0], path: parts[2], isCached: parts[1] == "kept")
    }

    public func css(_ value: SkinAsset, in context: StyleContext) -> String? {
        "url(\(StyleText.quoted(context.address(value))))"
    }

    public func json(_ value: SkinAsset, in vocabulary: SkinVocabulary) -> JSONValue {
        .object(["skin": .string(value.skin), "path": .string(value.path), "cache": .bool(value.isCached)])
    }

    public func assets(in value: SkinAsset, _ vocabulary: SkinVocabulary) -> [SkinAsset] { [value] }
}

extension ObjectType where Self == ImageType { public static var image: ImageType { ImageType() } }
