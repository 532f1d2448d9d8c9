public import StoreModel

/// A setting that can't be taken as it stands, or that does not exist.
public struct SettingsError: CodedError {
    public let code: ErrorCode
    public let message: String

    public init(_ code: ErrorCode, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension ErrorCode {
    /// A value is of the wrong type or out of its range, or a file of settings is not a JSON object.
    public static let settingsInvalid = ErrorCode("settings.invalid", .usage)
    /// There is no setting of that name.
    public static let settingsUnknownKey = ErrorCode("settings.unknown-key", .usage)
}
