import StoreModel

/// The source of a setting's value: a default, a file, an environment variable or the command line.
///
/// The cases are in ascending order of precedence.
public enum SettingOrigin: Sendable, Hashable, CustomStringConvertible {
    /// The setting's value is its built-in default.
    case `default`
    /// The setting's value is from the settings file of the system.
    case system(path: String)
    /// The setting's value is from the settings file of the user.
    case user(path: String)
    /// The setting's value is from an environment variable.
    case environment(variable: String)
    /// The setting's value is from an argument of the command line.
    case flag

    /// The source of the setting's value as text: `default`, a file's path, a variable's name, or `flag`.
    public var description: String {
        switch self {
        case .default: "default"
        case .system(let path), .user(let path): path
        case .environment(let variable): variable
        case .flag: "flag"
        }
    }

    /// The place where the user can change the setting's value, as text for messages.
    var location: String {
        switch self {
        case .default: "the default"
        case .system(let path), .user(let path): "in '\(path)'"
        case .environment(let variable): "in the variable \(variable)"
        case .flag: "on the command line"
        }
    }

    /// The template of the error for an invalid value from the setting's source; it says how to repair the user's file.
    var template: ErrorTemplate {
        switch self {
        case .user: .settingValueInvalidInFile
        case .environment: .settingValueInvalidInVariable
        default: .settingValueInvalid
        }
    }
}
