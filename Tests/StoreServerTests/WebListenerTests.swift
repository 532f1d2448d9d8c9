import Glibc
import Logging
import StoreModel
import StoreSettings
import StoreSystem
import StoreTestSupport
import Testing

@testable import StoreServer

@Suite(.hangGuard) struct WebListenerTests {
    private let folder: TemporaryFolder
    private let listener: WebListener

    init() throws {
        folder = try TemporaryFolder()
        listener = try WebListener(
            data: folder.directory, connections: OpenConnections(),
            log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    private func settings(port: UInt16) async throws -> Settings {
        let facts = HomePaths.Facts(environment: [:], user: geteuid(), passwordHome: nil, currentFolder: "/")
        return try await Settings.load(
            places: try HomePaths(facts, home: folder.path), environment: [:],
            overrides: [.webEnabled: "true", .webPort: "\(port)"])
    }

    @Test func `a port that is in use leaves the pages at the previous one`() async throws {
        try listener.apply(await settings(port: 0))
        let address = try #require(listener.address)
        let other = try LoopbackSocket(listeningAt: 0, .four, backlog: 1)
        let error = await #expect(throws: StoreError.self) { try listener.apply(await settings(port: other.port)) }
        #expect(error?.code == .webPort)
        #expect(listener.address == address && listener.warning != nil)
        listener.stop()
    }

    @Test func `simultaneous requests to switch the listener on start it once`() async throws {
        let settings = try await settings(port: 0)
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
