extension ErrorCode {
    /// The value of a setting has the wrong type or is out of range, or a settings file is not a JSON object.
    public static let settingsInvalid = ErrorCode("settings.invalid", .usage)
    /// No setting has the requested name.
    public static let settingsUnknownKey = ErrorCode("settings.unknown-key", .usage)
}

extension ErrorTemplate {
    public static let settingValueInvalid = ErrorTemplate(
        .settingsInvalid, "invalid value '{value}' for setting '{setting}' ({origin}): {reason}")
    public static let settingValueRefused = ErrorTemplate(
        .settingsInvalid, variant: "new", "invalid value '{value}' for setting '{setting}': {reason}")
    public static let settingValueInvalidInFile = ErrorTemplate(
        .settingsInvalid, variant: "in-file", "invalid value '{value}' for setting '{setting}' ({origin}): {reason}",
        hint:
            "change it with 'storectl config set {setting} VALUE', or remove it with 'storectl config unset {setting}'")
    public static let settingValueInvalidInVariable = ErrorTemplate(
        .settingsInvalid, variant: "variable", "invalid value '{value}' for setting '{setting}' ({origin}): {reason}",
        hint: "correct or unset the environment variable")
    /// A setting names a file that can't be used; arguments `value`, `setting`, `reason`.
    public static let settingFileUnusable = ErrorTemplate(
        .settingsInvalid, variant: "file", "invalid value '{value}' for setting '{setting}': {reason}",
        hint: "name a PEM file with the certificates to trust")
    public static let settingsFileNotJSON = ErrorTemplate(
        .settingsInvalid, variant: "not-json", "could not read the settings file '{path}': {reason}",
        hint: #"correct the file, which must contain an object such as {"downloads": {"attempts": 3}}, or remove it"#)
    public static let settingsFileNotObject = ErrorTemplate(
        .settingsInvalid, variant: "not-object", "settings file '{path}' is not a JSON object",
        hint: #"correct the file, which must contain an object such as {"downloads": {"attempts": 3}}, or remove it"#)
    public static let settingsPathInvalid = ErrorTemplate(
        .settingsInvalid, variant: "path", "'{path}' is not the path of a file")
    public static let settingUnknown = ErrorTemplate(
        .settingsUnknownKey, "there is no setting '{setting}'", hint: "list all settings with 'storectl config list'")
}
