import Configuration
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
        places: Places, environment: [String: String], overrides: [SettingKey: String] = [:]
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
        guard let contents = try await file.contents() else { return }
        let source = try JSONSnapshot(
            data: contents.data.bytes, providerName: file.path, parsingOptions: .default)
        for (name, written) in contents.document.leaves {
            guard let key = SettingKey.all.first(where: { $0.name == name }) else {
                warnings.append("'\(name)' in '\(file.path)' is no setting and changes nothing.")
                continue
            }
            // The library takes `true` for 1; whoever wrote that meant something else.
            guard let plain = written.settingValue, key.rule.allows(plain),
                let value = try key.value(in: source)
            else { throw key.invalid(written.asWritten, from: origin) }
            set(key, to: value, from: origin)
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
