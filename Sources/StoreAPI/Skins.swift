public import StoreModel

/// `GET /v1/skins`: the skins that are there, and which is in use.
public struct SkinList: Sendable, Codable {
    public var use: SkinUse
    public var skins: [SkinSummary]
    /// Folders that are called as skins are, and can't be read.
    public var unreadable: [UnreadableSkin]

    public init(use: SkinUse, skins: [SkinSummary], unreadable: [UnreadableSkin]) {
        self.use = use
        self.skins = skins
        self.unreadable = unreadable
    }
}

/// One skin of a list.
public struct SkinSummary: Sendable, Codable {
    public enum Origin: String, Sendable, Codable, CaseIterable {
        /// It came with the application or the machine.
        case preinstalled
        /// It is in the library.
        case purchased
    }
    /// Of one in the library also its productIdentifier.
    public var identifier: String
    public var name: String
    @OrNull public var version: Version?
    /// The identifier of the skin that it inherits from.
    @OrNull public var parent: String?
    public var origin: Origin
    /// Whether it is the one that is applied.
    public var inUse: Bool
    /// Absolute.
    public var path: String

    public init(
        identifier: String, name: String, version: Version?, parent: String?, origin: Origin, inUse: Bool, path: String
    ) {
        self.identifier = identifier
        self.name = name
        self.origin = origin
        self.inUse = inUse
        self.path = path
        self.version = version
        self.parent = parent
    }
}

/// A folder that is called as skins are, and why it is none.
public struct UnreadableSkin: Sendable, Codable {
    /// Absolute.
    public var path: String
    public var error: ErrorReport

    public init(path: String, error: ErrorReport) {
        self.path = path
        self.error = error
    }
}

/// `PUT /v1/skin`: which skin to use from now on.
public struct SkinRequest: Sendable, Codable {
    public var identifier: String
    public init(identifier: String) { self.identifier = identifier }
}

/// `POST /v1/skin/check`: the skin to look at.
public struct SkinCheckRequest: Sendable, Codable {
    /// The absolute path of its folder.
    public var folder: String
    public init(folder: String) { self.folder = folder }
}

/// What of a skin was not understood and left out; the rest of it applies.
public struct SkinReport: Sendable, Codable {
    public var warnings: [Warning]
    public init(warnings: [Warning]) { self.warnings = warnings }

    public struct Warning: Sendable, Codable {
        /// The word of the reason, such as `skin.unknown-operation`.
        public var code: String
        /// The identifier of the skin whose file it is: that skin, or one that it inherits from.
        public var skin: String
        /// Relative to the skin's folder.
        public var file: String
        /// From 1 on; `nil` where it is about the whole file.
        @OrNull public var line: Int?
        public var message: String

        public init(code: String, skin: String, file: String, line: Int?, message: String) {
            self.code = code
            self.skin = skin
            self.file = file
            self.message = message
            self.line = line
        }
    }
}
