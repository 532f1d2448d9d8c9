import StoreAPI
import StoreEngine
import StoreSettings

extension RouteTable {
    /// `/v1/config`: the settings.
    ///
    /// - Parameter changed: told of the settings that hold after each change.
    mutating func addSettings(_ manager: StoreManager, changed: @escaping @Sendable (Settings) -> Void) {
        get("/v1/config", Endpoint("settings", "All settings.", .ok("SettingList", "By name."))) { request in
            let settings = manager.settings.current
            return try request.answer(SettingList(settings: SettingKey.all.map { SettingDocument($0, in: settings) }))
        }
        get(
            "/v1/config/:key",
            Endpoint("setting", "One setting.", .ok("Setting", "The setting."), problems: [.settingsUnknownKey])
        ) { request in
            let key = try SettingKey(named: request.identifier("key"))
            return try request.answer(SettingDocument(key, in: manager.settings.current))
        }
        on(
            .put, "/v1/config/:key",
            Endpoint(
                "setSetting", "Changes a setting in the user's file.", body: "SettingRequest",
                .ok("Setting", "Whether it counts at once, too."), problems: [.settingsUnknownKey, .settingsInvalid])
        ) { request in
            let key = try SettingKey(named: request.identifier("key"))
            let wanted = try await request.body(SettingRequest.self)
            let settings = try await manager.set(key, to: wanted.value)
            changed(settings)
            return try .json(SettingDocument(key, in: settings))
        }
    }
}

extension SettingDocument {
    init(_ key: SettingKey, in settings: Settings) {
        self.init(
            key: key.name, value: settings[key].description, origin: settings.origin(of: key).description,
            summary: key.summary, needsRestart: key.needsRestart)
    }
}
