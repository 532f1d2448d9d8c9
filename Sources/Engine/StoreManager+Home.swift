import FoundationEssentials
public import Logging
import StoreModel
import StoreSystem

extension StoreManager {
    /// Opens the engine for the user's own directories, or for one directory that contains everything.
    ///
    /// Settings in the environment of the process (`STORECTL_…`) apply.
    ///
    /// - Parameters:
    ///   - homeDirectory: the directory, as `--home` specifies it, which is created if it is missing; `nil` for the
    ///     user's own directories, which the daemon uses, too.
    /// - Throws: `home.unknown` where the environment does not specify the user's directories, and the errors of
    ///   ``open(places:lock:environment:overrides:kinds:clock:transfers:network:log:)``.
    public static func open(homeDirectory: String? = nil, log: Logger) async throws -> StoreManager {
        try await open(
            places: .current(home: homeDirectory), environment: ProcessInfo.processInfo.environment, log: log)
    }
}
