/// The source of a setting's value.
///
/// The cases are in ascending order of precedence.
public enum SettingOrigin: Sendable, Hashable, CustomStringConvertible {
    /// The value is the setting's built-in default.
    case `default`
    /// The value is from the system's settings file.
    case system(path: String)
    /// The value is from the user's settings file.
    case user(path: String)
    /// The value is from an environment variable.
    case environment(variable: String)
    /// The value is from an argument of the command line.
    case flag

    /// The source as text: `default`, a file's path, a variable's name, or `flag`.
    public var description: String {
        switch self {
        case .default: "default"
        case .system(let path), .user(let path): path
        case .environment(let variable): variable
        case .flag: "flag"
        }
    }

    /// The place where the user can change the value, as text for messages.
    var location: String {
        switch self {
        case .default: "the default"
        case .system(let path), .user(let path): "in '\(path)'"
        case .environment(let variable): "in the variable \(variable)"
        case .flag: "on the command line"
        }
    }
}
