import Configuration
import FoundationEssentials
public import StoreModel

extension Settings {
    /// Loads the settings of the daemon from files, the environment and `overrides`; later sources win.
    ///
    /// The order is: the system's file, the user's file, the environment, `overrides`. Unknown members of a file are
    /// ignored with a warning (``warnings``).
    ///
    /// - Parameters:
    ///   - places: the paths of the files.
    ///   - environment: the process's environment.
    ///   - overrides: the values of command-line arguments, as text.
    /// - Throws: `settings.invalid` if a value is of the wrong type or out of range, or a file is not a JSON object;
    ///   ``StoreError`` if a file exists but can't be read.
    public static func load(
        places: HomePaths, environment: [String: String], overrides: [SettingKey: String] = [:]
    ) async throws -> Settings {
        var settings = Settings()
        try await settings.apply(SettingsFile(path: places.systemSettings), as: .system(path: places.systemSettings))
        try await settings.apply(SettingsFile(path: places.userSettings), as: .user(path: places.userSettings))
        for key in SettingKey.all {
            if let text = environment[key.variable] {
                let origin = SettingOrigin.environment(variable: key.variable)
                settings.set(key, to: try key.value(ofText: text, from: origin), from: origin)
            }
            if let text = overrides[key] {
                settings.set(key, to: try key.value(ofText: text, from: .flag), from: .flag)
            }
        }
        try settings.checkTogether()
        return settings
    }

    private mutating func apply(_ file: SettingsFile, as origin: SettingOrigin) async throws {
        guard let document = try await file.document() else { return }
        var known = JSONValue.object([:])
        for (path, written) in document.leaves {
            // Compared by parts: a member with a dot in its own name is not the nested member.
            if let key = SettingKey.all.first(where: { $0.parts.elementsEqual(path, by: ==) }) {
                let value = key.numeric(written)
                // Checked here, because the library converts `true` to 1.
                guard let plain = value.settingValue, key.rule.allows(plain) else {
                    throw key.invalid(written.asWritten, from: origin)
                }
                known = known.setting(key.parts, to: value)
            } else if written != .object([:]) {
                warnings.append(
                    EnglishText.filled(
                        "unknown setting '{setting}' in '{path}' ignored",
                        ["setting": path.joined(separator: "."), "path": file.path]))
            }
        }
        // Only known members are passed on, because the library rejects a whole file for one member of an unsupported
        // type.
        let source = try JSONSnapshot(
            data: JSON.encode(known).bytes, providerName: file.path, parsingOptions: .default)
        for key in SettingKey.all {
            if let value = try key.value(in: source) { set(key, to: value, from: origin) }
        }
    }

    /// Checks the rules for settings that involve several settings or product kinds.
    ///
    /// - Throws: `settings.invalid`.
    private func checkTogether() throws(StoreError) {
        let key = SettingKey.skinsPurchasedExtension
        try key.requireFreeExtension(self[key], from: origin(of: key))
    }
}
