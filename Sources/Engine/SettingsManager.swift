import StoreModel
public import StoreSettings
import StoreSystem
import Synchronization

/// The part of the engine that holds the daemon's settings, which can be changed while it runs.
public final class SettingsManager: Sendable {
    private let paths: HomePaths
    private let environment: [String: String]
    private let overrides: [SettingKey: String]
    private let settings: Mutex<Settings>

    /// Reads the settings from the settings files, the environment and the program's arguments.
    ///
    /// - Parameters:
    ///   - environment: the environment of the process, in which settings are looked up.
    ///   - overrides: the settings of the program's arguments.
    /// - Throws: `settings.invalid`, or a file error.
    init(_ paths: HomePaths, environment: [String: String], overrides: [SettingKey: String]) async throws {
        self.paths = paths
        self.environment = environment
        self.overrides = overrides
        settings = Mutex(try await Settings.load(places: paths, environment: environment, overrides: overrides))
    }

    /// Checks that the settings files, as they are now, can be loaded by another process.
    ///
    /// - Throws: `settings.invalid`, or a file error.
    func checkFiles() async throws {
        _ = try await Settings.load(places: paths, environment: environment, overrides: overrides)
    }

    /// The current values of the daemon's settings.
    public var current: Settings { settings.withLock { $0 } }

    /// Writes a setting to the user's settings file and reads all settings again.
    ///
    /// - Parameter text: the new value; `nil` removes the setting from the file.
    /// - Throws: `settings.invalid`, or a file error; the settings stay as they were. Where the file has another setting
    ///   with an invalid value, the error is thrown after the file was written, so that one can be repaired after another.
    func write(_ key: SettingKey, _ text: String?) async throws -> Settings {
        let file = SettingsFile(path: paths.userSettings)
        if let text { try await file.set(key, to: text) } else { try await file.unset(key) }
        let new = try await Settings.load(places: paths, environment: environment, overrides: overrides)
        settings.withLock { $0 = new }
        return new
    }

    /// Removes the temporary copy of the settings file that a crash during a write has left.
    func removeLeftovers(in directory: Directory) {
        let name = paths.userSettings.split(separator: "/").last.map(String.init) ?? ""
        try? directory.removeReplacement(of: name)
    }
}
