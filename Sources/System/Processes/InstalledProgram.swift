/// An executable of this package, found beside the running one or on `PATH`.
public struct InstalledProgram: Sendable, Hashable {
    /// The path of the executable.
    public let path: String

    /// Finds an executable beside the running one, then on `PATH`.
    ///
    /// - Returns: `nil` if there is none in either place.
    public static func find(_ name: String, environment: [String: String]) -> InstalledProgram? {
        var directories: [String] = []
        if let own = CurrentProcess.programPath, let slash = own.lastIndex(of: "/") {
            directories.append(String(own[..<slash]))
        }
        // Only absolute entries: a relative entry of PATH would run whatever the current directory holds.
        directories += (environment["PATH"] ?? "").split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
        return directories.lazy.compactMap { InstalledProgram(path: "\($0)/\(name)") }.first
    }

    /// Creates a value for an executable at a known path; `nil` if no executable file has that path.
    public init?(path: String) {
        guard FilePaths.isExecutable(path) else { return nil }
        self.path = path
    }
}
