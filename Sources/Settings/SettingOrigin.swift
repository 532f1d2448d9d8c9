/// Where a setting's value comes from. Those further down win.
public enum SettingOrigin: Sendable, Hashable, CustomStringConvertible {
    case `default`
    /// The machine's file.
    case system(path: String)
    /// The user's file.
    case user(path: String)
    case environment(variable: String)
    /// An argument of the program.
    case flag

    /// `default`, a file's path, a variable's name, or `flag`.
    public var description: String {
        switch self {
        case .default: "default"
        case .system(let path), .user(let path): path
        case .environment(let variable): variable
        case .flag: "flag"
        }
    }

    /// For messages: where to go and change it.
    var place: String {
        switch self {
        case .default: "the default"
        case .system(let path), .user(let path): "in '\(path)'"
        case .environment(let variable): "from the variable \(variable)"
        case .flag: "as given"
        }
    }
}
