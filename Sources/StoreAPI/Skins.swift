public import StoreModel
public import StoreOpenAPI

/// The daemon's JSON response to `GET /v1/skins`: the available skins, and the one in use.
public struct SkinList: Sendable, Codable {
    /// The skin in use, and the selected skin if it could not be applied.
    public var use: SkinUse
    /// The available skins, in the order of their identifiers.
    public var skins: [SkinSummary]
    /// The directories with a skin's extension that could not be loaded, with the errors.
    ///
    /// One whose information could be read is among ``skins``, too.
    public var unreadable: [UnreadableSkin]

    /// Creates the response with the available skins.
    public init(use: SkinUse, skins: [SkinSummary], unreadable: [UnreadableSkin]) {
        self.use = use
        self.skins = skins
        self.unreadable = unreadable
    }
}

extension SkinList: SchemaProviding {
    public static let schemaName = "SkinList"
    public static let schema = Schema.document(
        "The available skins, and the one in use.",
        [
            .required("use", .reference(to: SkinUse.self)),
            .required("skins", .array(of: SkinSummary.self), "In the order of their identifiers."),
            .required(
                "unreadable", .array(of: UnreadableSkin.self),
                "The directories with a skin's extension that could not be loaded. One whose information could be read is among "
                    + "`skins`, too."),
        ])
}

extension SkinUse: SchemaProviding {
    public static let schemaName = "SkinUse"
    public static let schema = Schema.document(
        "The skin in use, and whether it is the requested one.", schemaProperties)

    static let schemaProperties: [Schema.Property] = [
        .required("skin", .reference(to: SkinReference.self).nullable, "`null` if no skin could be loaded."),
        .required("inherits", .array(of: SkinReference.self), "The skins that it inherits from, nearest first."),
        .required("chosen", .nonEmptyText.nullable, "The skin that was requested last; `null` is the default."),
        .required(
            "problem", .reference(to: ErrorReport.self).nullable,
            "Why the requested skin is not in use; `null` if it is."),
    ]
}

/// A skin (an application's appearance) as it is listed to clients.
public struct SkinSummary: Sendable, Codable {
    /// Where a skin came from: shipped with the application or the machine, or installed from a store.
    public enum Origin: String, Sendable, Codable, CaseIterable {
        /// The skin was shipped with the application, or is in one of the machine's directories of pre-installed packs.
        case preinstalled
        /// The skin is a pack of the user: installed from a store, free or not, or placed in the directory of packs.
        ///
        /// The word is that of the directory's extension, `purchasedTheme`.
        case purchased
    }
    /// The identifier of the skin; for an installed skin also its product identifier.
    public var identifier: String
    /// The display name of the skin.
    public var name: String
    /// The version of the skin; `nil` if it has none.
    @OrNull public var version: Version?
    /// The identifier of the skin that this skin inherits from; `nil` if there is none.
    @OrNull public var parent: String?
    /// Where the skin came from: shipped with the application or the machine, or installed from a store.
    public var origin: Origin
    /// Whether the skin is the one in use.
    public var inUse: Bool
    /// The absolute path of the skin's directory.
    public var path: String

    /// Creates the description of a skin for a list.
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

extension SkinSummary: SchemaProviding {
    public static let schemaName = "SkinSummary"
    public static let schema = Schema.document(
        "One skin.",
        SkinReference.schemaProperties + [
            .required("parent", .nonEmptyText.nullable, "The identifier of the skin that it inherits from."),
            .required(
                "origin", .enumeration(of: SkinSummary.Origin.self),
                "Whether the skin is part of the application or installed in the library."),
            .required("inUse", .boolean, "Whether the skin is applied."),
            .required("path", .nonEmptyText, "Absolute."),
        ])
}

/// A directory with a skin's extension that could not be loaded, and the error.
public struct UnreadableSkin: Sendable, Codable {
    /// The absolute path of the directory that could not be loaded as a skin.
    public var path: String
    /// Why the directory could not be loaded as a skin.
    public var error: ErrorReport

    /// Creates the report of a directory that could not be loaded as a skin.
    public init(path: String, error: ErrorReport) {
        self.path = path
        self.error = error
    }
}

extension UnreadableSkin: SchemaProviding {
    public static let schemaName = "UnreadableSkin"
    public static let schema = Schema.document(
        "A directory with a skin's extension that could not be loaded, and the reason.",
        [.required("path", .nonEmptyText, "Absolute."), .required("error", .reference(to: ErrorReport.self))])
}

/// The JSON body of the request `PUT /v1/skin` to the daemon: the skin to use.
public struct SkinRequest: Sendable, Codable {
    /// The identifier of the skin to use.
    public var identifier: String
    /// Creates the request to use a skin.
    public init(identifier: String) { self.identifier = identifier }
}

extension SkinRequest: SchemaProviding {
    public static let schemaName = "SkinRequest"
    public static let schema = Schema.request("The skin to use.", [.required("identifier", .nonEmptyText)])
}

/// The JSON body of the request `POST /v1/skin/check` to the daemon: the skin to check.
public struct SkinCheckRequest: Sendable, Codable {
    /// The absolute path of the skin's directory.
    public var folder: String
    /// Creates the request to check a skin's directory.
    public init(folder: String) { self.folder = folder }
}

extension SkinCheckRequest: SchemaProviding {
    public static let schemaName = "SkinCheckRequest"
    public static let schema = Schema.request(
        "The skin to check.", [.required("folder", .nonEmptyText, "The absolute path of the skin's directory.")])
}

/// The daemon's JSON response to `POST /v1/skin/check`: the parts of a skin that are unknown and therefore ignored.
public struct SkinReport: Sendable, Codable {
    /// The warnings about the skin, one for each unknown part; empty if there is none.
    public var warnings: [Warning]
    /// Creates the report of a skin's check from its warnings.
    public init(warnings: [Warning]) { self.warnings = warnings }

    /// A warning about one part of a skin that is unknown and therefore ignored.
    public struct Warning: Sendable, Codable {
        /// The code of the warning's reason, such as `skin.unknown-operation`.
        public var code: String
        /// The identifier of the skin that the file belongs to: the checked skin, or one that it inherits from.
        public var skin: String
        /// The path of the file with the unknown part of the skin, relative to the directory of ``skin``.
        public var file: String
        /// The line of the unknown part in the skin's file, counted from 1; `nil` if the whole file is concerned.
        @OrNull public var line: Int?
        /// A description of the unknown part of the skin, in English.
        public var message: String

        /// Creates a warning about one part of a skin that is unknown.
        public init(code: String, skin: String, file: String, line: Int?, message: String) {
            self.code = code
            self.skin = skin
            self.file = file
            self.message = message
            self.line = line
        }
    }
}

extension SkinReport: SchemaProviding {
    public static let schemaName = "SkinReport"
    public static let schema = Schema.document(
        "The parts of a skin that were not understood and are ignored.",
        [.required("warnings", .array(of: SkinReport.Warning.self))])
}

extension SkinReport.Warning: SchemaProviding {
    public static let schemaName = "SkinWarning"
    public static let schema = Schema.document(
        "One part of a skin that was not understood.",
        [
            .required("code", .nonEmptyText),
            .required(
                "skin", .nonEmptyText,
                "The skin that the file belongs to: the checked skin, or one that it inherits from."),
            .required("file", .nonEmptyText, "Relative to the skin's directory."),
            .required("line", .positiveInteger.nullable),
            .required("message", .text),
        ])
}
