/// One typed value of a resolved skin.
public struct SkinValue: Sendable, Hashable {
    /// The name of its ``ObjectType``.
    public let type: String
    /// The one text that stands for it.
    public let text: String

    public init(type: String, text: String) {
        self.type = type
        self.text = text
    }

    /// The value itself; `nil` where it is of another type: `value(as: .color)`.
    public func value<T: ObjectType>(as type: T) -> T.Value? {
        self.type == type.name ? type.value(ofText: text) : nil
    }
}

/// An image, or any other file, in the `assets` folder of one of the skins that a resolved skin is made of.
public struct SkinAsset: Sendable, Hashable {
    /// The identifier of the skin that has it.
    public let skin: String
    /// In that skin's folder, such as `assets/bubble~tablet.png`.
    public let path: String
    /// Whether the skin asks for it to be kept in memory.
    public let isKept: Bool

    public init(skin: String, path: String, isKept: Bool = false) {
        self.skin = skin
        self.path = path
        self.isKept = isKept
    }
}
