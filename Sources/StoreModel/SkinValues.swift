/// All values of a skin (an application's appearance) by component identifier, those that it inherits included.
public struct SkinValues: Sendable, Hashable, Codable {
    /// The version number of the JSON format of a skin's values: 1.
    public let format: Int
    /// The version number of the JSON format of a skin's values that this program writes.
    public static let format = 1
    public let skin: SkinReference
    /// The skins that this skin inherits from, the nearest first.
    public let inherits: [SkinReference]
    /// The type of device that the skin's values are for: `phone`, `tablet` or `desktop`.
    public let idiom: String
    public let identifiers: [String: Entity]

    public init(skin: SkinReference, inherits: [SkinReference], idiom: String, identifiers: [String: Entity]) {
        format = Self.format
        self.skin = skin
        self.inherits = inherits
        self.idiom = idiom
        self.identifiers = identifiers
    }

    /// The values that a skin has for one user-interface object, which is named by an identifier.
    public struct Entity: Sendable, Hashable, Codable {
        /// The component type of the user-interface object, such as `uibutton`.
        public let component: String
        /// The skin operations on the object (such as setting its colour) with their inputs, by the operation's name.
        public let operations: [String: Operation]

        public init(component: String, operations: [String: Operation]) {
            self.component = component
            self.operations = operations
        }
    }

    /// The inputs of a skin operation (such as setting a colour) by parameter name.
    public typealias Operation = [String: Value]

    /// One input of a skin operation (such as setting a colour): a value and the name of its type.
    public struct Value: Sendable, Hashable, Codable {
        /// The name of the skin value's object type, such as `color`.
        public let type: String
        /// The skin's value as JSON, in the form that its object type prescribes.
        ///
        /// A colour is `#rrggbb` or `#rrggbbaa`, a float or an integer a number, a string a text; a point, size or
        /// rectangle is an array of numbers; a font has `family`, `size` (pixels) and `weight`, an image `skin`, `path`
        /// and `cache`; an array consists of the values of its items.
        public let value: JSONValue
        /// The URL from which a client can load the image that the value names; `nil` for values of other types.
        public let address: String?

        public init(type: String, value: JSONValue, address: String? = nil) {
            self.type = type
            self.value = value
            self.address = address
        }
    }
}

/// The identity of a skin (an application's appearance): product identifier, name and version.
public struct SkinReference: Sendable, Hashable, Codable {
    public let identifier: String
    public let name: String
    @OrNull public var version: Version?

    public init(identifier: String, name: String, version: Version?) {
        self.identifier = identifier
        self.name = name
        self.version = version
    }
}
