import FoundationEssentials
import StoreModel

/// The location of an executable of this package, found beside the running one or on `PATH`.
public struct InstalledProgram: Sendable, Hashable {
    /// The absolute path of the executable file.
    public let path: String

    /// Finds an executable of this package by its file name, beside the running one, then on `PATH`.
    ///
    /// - Returns: `nil` if there is none in either place.
    public static func find(_ name: String, environment: [String: String]) -> InstalledProgram? {
        var directories: [String] = []
        if let own = CurrentProcess.programPath { directories.append(FilePaths.split(own).directory) }
        // Only absolute entries: a relative entry of PATH would run whatever the current directory holds.
        directories += (environment["PATH"] ?? "").split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
        return directories.lazy.compactMap { InstalledProgram(path: "\($0)/\(name)") }.first
    }

    /// Replaces this process by an executable of this package, which inherits the environment and the standard streams.
    ///
    /// - Parameters:
    ///   - name: The executable's file name.
    ///   - arguments: The arguments without the program's name.
    /// - Throws: `internal.unexpected` if the executable is not installed; errors of execv(3). Returns only by throwing.
    public static func replaceProcess(with name: String, arguments: [String]) throws {
        guard let program = find(name, environment: ProcessInfo.processInfo.environment) else {
            throw StoreError(.programMissing, ["program": name])
        }
        try CurrentProcess.replace(with: program.path, arguments: arguments)
    }

    /// Creates a value for an executable at a known path; `nil` if no executable file has that path.
    public init?(path: String) {
        guard FilePaths.isExecutable(path) else { return nil }
        self.path = path
    }
}
