import Engine
import Settings
import StoreAPI

extension RouteTable {
    /// `/v1/config`: the settings.
    mutating func addSettings(_ manager: StoreManager) {
        get("/v1/config") { _ in
            let settings = await manager.settings
            return try .json(SettingList(settings: SettingKey.all.map { SettingDocument($0, in: settings) }))
        }
        get("/v1/config/:key") { call in
            let key = try SettingKey(named: call.identifier("key"))
            return try .json(SettingDocument(key, in: await manager.settings))
        }
        on(.put, "/v1/config/:key") { call in
            let key = try SettingKey(named: call.identifier("key"))
            let wanted = try await call.body(SettingRequest.self)
            return try .json(SettingDocument(key, in: await manager.setSetting(key, wanted.value)))
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
