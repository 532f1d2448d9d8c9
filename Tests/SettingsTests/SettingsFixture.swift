import FoundationEssentials
import StoreModel
import StoreSettings

/// A folder with a user's and a machine's file of settings, which is removed with this value.
final class SettingsFixture {
    let folder = FileManager.default.temporaryDirectory.path + "/settings-tests-" + UUID().uuidString
    let places: HomePaths

    init(user: String? = nil, system: String? = nil) throws {
        var places = try HomePaths(
            .init(environment: [:], user: 1, passwordHome: nil, currentFolder: "/"), home: folder)
        places.systemSettings = folder + "/etc/settings.json"
        self.places = places
        for (text, path) in [(user, places.userSettings), (system, places.systemSettings)] {
            guard let text, let slash = path.lastIndex(of: "/") else { continue }
            try FileManager.default.createDirectory(
                atPath: String(path[..<slash]), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(filePath: path))
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func load(_ environment: [String: String] = [:], _ overrides: [SettingKey: String] = [:]) async throws -> Settings {
        try await .load(places: places, environment: environment, overrides: overrides)
    }
}
