import FoundationEssentials
import StoreModel
import StoreSettings
import StoreTestSupport

/// A temporary home with the settings files of the user and of the system.
final class SettingsFixture {
    private let temporary: TemporaryFolder
    var folder: String { temporary.path }
    let places: HomePaths

    init(user: String? = nil, system: String? = nil) throws {
        temporary = try TemporaryFolder()
        var places = try HomePaths(
            .init(environment: [:], user: 1, passwordHome: nil, currentFolder: "/"), home: temporary.path)
        places.systemSettings = temporary.path + "/etc/settings.json"
        self.places = places
        for (text, path) in [(user, places.userSettings), (system, places.systemSettings)] {
            guard let text, let slash = path.lastIndex(of: "/") else { continue }
            try FileManager.default.createDirectory(
                atPath: String(path[..<slash]), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(filePath: path))
        }
    }

    func load(_ environment: [String: String] = [:], _ overrides: [SettingKey: String] = [:]) async throws -> Settings {
        try await .load(places: places, environment: environment, overrides: overrides)
    }
}
