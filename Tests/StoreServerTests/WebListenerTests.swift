import Glibc
import Logging
import StoreModel
import StoreSettings
import StoreSystem
import StoreTestSupport
import Testing

@testable import StoreServer

@Suite(.hangGuard) struct WebListenerTests {
    @Test func `simultaneous requests to switch the listener on start it once`() async throws {
        let folder = try TemporaryFolder()
        let facts = HomePaths.Facts(environment: [:], user: geteuid(), passwordHome: nil, currentFolder: "/")
        let settings = try await Settings.load(
            places: try HomePaths(facts, home: folder.path), environment: [:],
            overrides: [.webEnabled: "true", .webPort: "0"])
        let listener = try WebListener(
            data: folder.directory, connections: OpenConnections(),
            log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let work = BlockingWork(label: "test", concurrent: true)
        for _ in 0..<100 {
            let addresses = try await withThrowingTaskGroup(of: String?.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        try await work.run {
                            try listener.apply(settings)
                            return listener.address
                        }
                    }
                }
                return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
            }
            // Each start chooses another port.
            #expect(addresses.count == 1 && !addresses.contains(nil))
            listener.stop()
        }
    }
}
