import Configuration
import FoundationEssentials
public import StoreModel

extension Settings {
    /// Gathers the settings: the machine's file, over it the user's file, over that the environment, over all `overrides`.
    ///
    /// Members of a file that are no setting are noted in ``warnings``.
    ///
    /// - Parameters:
    ///   - environment: of the process.
    ///   - overrides: what arguments of the program say, as text.
    /// - Throws: `settings.invalid` where a value is of the wrong type or out of range, or a file is not a JSON object;
    ///   ``FileError`` for a file that is there and can't be read.
    public static func load(
        places: HomePaths, environment: [String: String], overrides: [SettingKey: String] = [:]
    ) async throws -> Settings {
        var settings = Settings()
        try await settings.take(SettingsFile(path: places.systemSettings), as: .system(path: places.systemSettings))
        try await settings.take(SettingsFile(path: places.userSettings), as: .user(path: places.userSettings))
        for key in SettingKey.all {
            if let text = environment[key.variable] {
                let origin = SettingOrigin.environment(variable: key.variable)
                settings.set(key, to: try key.value(ofText: text, from: origin), from: origin)
            }
            if let text = overrides[key] { settings.set(key, to: try key.value(ofText: text), from: .flag) }
        }
        try settings.checkTogether()
        return settings
    }

    private mutating func take(_ file: SettingsFile, as origin: SettingOrigin) async throws {
        guard let document = try await file.document() else { return }
        var known = JSONValue.object([:])
        for (path, value) in document.leaves {
            // By its parts: a member that has a dot in its own name is another one, which setting the key leaves alone.
            if let key = SettingKey.all.first(where: { $0.parts.elementsEqual(path, by: ==) }) {
                // Checked here, because the library takes `true` for 1; whoever wrote that meant something else.
                guard let plain = value.settingValue, key.rule.allows(plain) else {
                    throw key.invalid(value.asWritten, from: origin)
                }
                known = known.setting(key.parts, to: value)
            } else if value != .object([:]) {
                warnings.append("'\(path.joined(separator: "."))' in '\(file.path)' is no setting and changes nothing.")
            }
        }
        // Only what is known, because the library refuses a whole file for one member of a shape that it has no type for.
        let source = try JSONSnapshot(
            data: JSON.encode(known).bytes, providerName: file.path, parsingOptions: .default)
        for key in SettingKey.all {
            if let value = try key.value(in: source) { set(key, to: value, from: origin) }
        }
    }

    /// Rules that take more than one kind's folders.
    private func checkTogether() throws(SettingsError) {
        let key = SettingKey.skinsPurchasedExtension
        guard ["stickers", "emoji", "plugin"].contains(skinsPurchasedExtension) else { return }
        throw SettingsError(
            .settingsInvalid,
            "The setting '\(key.name)' can't be '\(skinsPurchasedExtension)' (\(origin(of: key).place)): "
                + "other folders end with that already.")
    }
}
