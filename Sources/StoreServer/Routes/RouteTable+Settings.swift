import StoreAPI
import StoreEngine
import StoreOpenAPI
import StoreSettings

extension RouteTable {
    /// Adds the HTTP routes below `/v1/config`: the settings.
    mutating func addSettings(_ manager: StoreManager) {
        get(
            "/v1/config",
            Endpoint("settings", "All settings.", .ok(SettingList.self, "The settings, in the order of their names."))
        ) { request in
            let settings = manager.settings.current
            return try request.response(SettingList(settings: SettingKey.all.map { SettingDocument($0, in: settings) }))
        }
        get(
            "/v1/config/:key",
            Endpoint(
                "setting", "One setting.", .ok(SettingDocument.self, "The setting."), errors: [.settingsUnknownKey])
        ) { request in
            let key = try SettingKey(named: request.identifier("key"))
            return try request.response(SettingDocument(key, in: manager.settings.current))
        }
        on(
            .put, "/v1/config/:key",
            Endpoint(
                "setSetting", "Changes a setting in the user's configuration file.", body: SettingRequest.self,
                .ok(SettingDocument.self, "The setting, and whether the change needs a restart."),
                errors: [.settingsUnknownKey, .settingsInvalid])
        ) { request in
            let key = try SettingKey(named: request.identifier("key"))
            let body = try await request.body(SettingRequest.self)
            let settings = try await manager.set(key, to: body.value)
            return try .json(SettingDocument(key, in: settings))
        }
        on(
            .delete, "/v1/config/:key",
            Endpoint(
                "unsetSetting", "Removes a setting from the user's configuration file.",
                .ok(SettingDocument.self, "The setting with the value that applies now."),
                errors: [.settingsUnknownKey, .settingsInvalid])
        ) { request in
            let key = try SettingKey(named: request.identifier("key"))
            let settings = try await manager.unset(key)
            return try .json(SettingDocument(key, in: settings))
        }
    }
}

extension SettingDocument {
    init(_ key: SettingKey, in settings: Settings) {
        self.init(
            key: key.name, value: settings[key].description, unit: key.unit?.rawValue,
            origin: settings.origin(of: key).description, summary: key.summary, needsRestart: key.needsRestart)
    }
}
