public import StoreOpenAPI

/// The daemon's JSON response to `GET /v1/config`: all settings.
public struct SettingList: Sendable, Codable {
    /// All settings of the daemon, in the order of their names.
    public var settings: [SettingDocument]
    /// Creates the response with all settings.
    public init(settings: [SettingDocument]) { self.settings = settings }
}

extension SettingList: SchemaProviding {
    public static let schemaName = "SettingList"
    public static let schema = Schema.document(
        "All settings.", [.required("settings", .array(of: SettingDocument.self))])
}

/// One setting of the daemon with its value; also the JSON response to `PUT /v1/config/{key}`.
public struct SettingDocument: Sendable, Codable {
    /// The name of the setting, such as `downloads.attempts`.
    public var key: String
    /// The value of the setting as text, whatever the type of the setting.
    public var value: String
    /// The unit of the setting's number, such as `seconds`; `nil` if the value is no number with a unit.
    public var unit: String?
    /// The source of the setting's value: `default`, the path of a file, or the name of an environment variable.
    public var origin: String
    /// A sentence, for display, that says what the setting does.
    public var summary: String
    /// Whether a new value of the setting takes effect only when the daemon is restarted.
    public var needsRestart: Bool

    /// Creates the description of a setting with its value.
    public init(
        key: String, value: String, unit: String? = nil, origin: String, summary: String, needsRestart: Bool
    ) {
        self.key = key
        self.value = value
        self.unit = unit
        self.origin = origin
        self.summary = summary
        self.needsRestart = needsRestart
    }
}

extension SettingDocument: SchemaProviding {
    public static let schemaName = "Setting"
    public static let schema = Schema.document(
        "One setting.",
        [
            .required("key", .nonEmptyText),
            .required("value", .text, "As text, whatever the setting's type."),
            .optional("unit", .text, "The unit of a number, such as `seconds`."),
            .required(
                "origin", .nonEmptyText, "`default`, the path of a file, or the name of an environment variable."),
            .required("summary", .text),
            .required(
                "needsRestart", .boolean, "Whether a new value takes effect only when the daemon is restarted."),
        ])
}

/// The JSON body of the request `PUT /v1/config/{key}`: the new value of a setting.
public struct SettingRequest: Sendable, Codable {
    /// The new value of the setting as text, whatever the setting's type.
    public var value: String
    /// Creates the request to change a setting's value.
    public init(value: String) { self.value = value }
}

extension SettingRequest: SchemaProviding {
    public static let schemaName = "SettingRequest"
    public static let schema = Schema.request(
        "The new value of a setting.", [.required("value", .text, "As text, whatever the setting's type.")])
}
