import Foundation
import Logging
import StoreEngine
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

/// Tests the programs on a home that an application has opened with the engine inside, as this test process does.
@Suite(.hangGuard) struct InProcessEngineTests {
    private let origin: Origin
    private let home: TestHome

    init() throws {
        origin = try Origin()
        home = try TestHome()
    }

    private func open() async throws -> StoreManager {
        try await StoreManager.open(
            places: HomePaths.current(home: home.path), log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    @Test func `a command on the home of an application with the engine inside is refused, and harms nothing`()
        async throws
    {
        let archive = StoreDocuments.pack(1, size: 400_000)
        StoreDocuments.formatTwo("cups", archive: archive, on: origin)
        origin.always("/1.0.0.zip", .stallAfter(200_000))
        let manager = try await open()
        try await manager.stores.add(name: "shop", url: origin.url, unsigned: true, priority: 0)
        let installation = try await manager.installs.install("cups", store: nil)
        let operation = try #require(installation.download?.operation)
        await origin.untilStalled()

        for arguments in [["downloads"], ["list", "--json"], ["daemon", "start"]] {
            let result = try await Programs.run("storectl", arguments, environment: home.environment)
            #expect(result.exit == 7, "\(arguments): \(result)")
            let text = result.output + result.errors
            #expect(text.contains("process \(getpid())"), "\(arguments): \(result)")
            #expect(text.contains(home.path), "\(arguments): \(result)")
            #expect(text.contains("StoreClient"), "\(arguments): \(result)")
            if arguments.contains("--json") { #expect(try result.json["error"]?["code"].text == "home.inUse") }
        }
        let daemon = try await Programs.run("stored", ["--home", home.path], environment: home.environment)
        #expect(daemon.exit == 7 && daemon.errors.contains("process \(getpid())"), "\(daemon)")

        let events = try manager.events.subscribe()
        origin.release()
        for try await event in events {
            guard case .download(let status) = event.event.happening, status.operation == operation,
                status.state.isEnd
            else { continue }
            #expect(status.state == .finished, "\(status)")
            break
        }
        #expect(try await manager.packs.verify("cups").isEmpty)
        await manager.close()

        // Now the home is free for a daemon.
        #expect(try await home.packs()["cups"] != nil)
        let pid = try #require(home.daemonPID)
        let error = await #expect(throws: StoreError.self) { try await open() }
        #expect(error?.code == .homeInUse)
        #expect(error?.message.contains("process \(pid)") == true)
        #expect(error?.hint?.contains("storectl daemon stop") == true)
    }
}
