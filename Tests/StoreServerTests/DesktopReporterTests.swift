import FoundationEssentials
import Glibc
import Logging
import StoreEngine
import StoreModel
import StoreSettings
import StoreSystem
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreServer

/// What the daemon shows on the desktop, and the settings that switch it off.
@Suite struct DesktopReporterTests {
    /// A desktop that notes what it is asked to show.
    private final class Desktop: DesktopService {
        private let titles = Mutex<[String]>([])
        var shown: [String] { titles.withLock { $0 } }
        let awaitsReaction = false
        func show(_ notification: DesktopNotification) { titles.withLock { $0.append(notification.title) } }
        func open(_ address: String) {}
        func stop() async {}
    }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Runs `body` with a reporter of a real engine.
    private func withReporter(
        _ body: (DesktopReporter, Desktop, StoreManager, BegunOperations) async throws -> Void
    ) async throws {
        let facts = HomePaths.Facts(environment: [:], user: geteuid(), passwordHome: nil, currentFolder: "/")
        let places = try HomePaths(facts, home: folder.path + "/home")
        let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        try PrivateDirectory.check(places)
        let manager = try await StoreManager.open(places: places, environment: [:], overrides: [:], log: log)
        let connections = OpenConnections()
        let context = DaemonContext(
            paths: places, socket: places.socket, startedAt: Date(), manager: manager, connections: connections,
            web: try WebListener(data: Directory.open(places.data), connections: connections, log: log),
            pages: PageResponder())
        let desktop = Desktop()
        let reporter = try #require(DesktopReporter(context, log: log) { _, _ in desktop })
        let result = await Result { try await body(reporter, desktop, manager, context.operations) }
        await reporter.stop()
        await manager.close()
        try result.get()
    }

    private func end(of product: String, _ state: DownloadState = .finished) -> Event {
        Event(
            sequence: 1, time: Date(),
            happening: .download(
                DownloadStatus(
                    operation: OperationID(rawValue: product), action: .install, productIdentifier: product,
                    store: "shop", state: state)))
    }

    @Test func `an operation that was cancelled is not kept`() async throws {
        try await withReporter { reporter, _, _, operations in
            let cups = OperationID(rawValue: "cups")
            operations.insert(cups)
            reporter.add(end(of: "cups", .cancelled))
            #expect(!operations.remove(cups, endedAt: 2))
        }
    }

    @Test func `each kind of notification is switched off by its setting, without a restart`() async throws {
        let update = AvailableUpdate(productIdentifier: "cups", store: "shop", installed: nil, available: nil)
        var refused = AvailableUpdate(productIdentifier: "weather", store: "shop", installed: nil, available: nil)
        refused.heldBack = "requests further permissions"
        refused.permissions = [Permission(rawValue: "network")]
        try await withReporter { reporter, desktop, manager, operations in
            for product in ["off", "on"] { operations.insert(OperationID(rawValue: product)) }
            for key in [SettingKey.notificationsInstalls, .notificationsUpdates, .notificationsConsent] {
                _ = try await manager.set(key, to: "false")
            }
            reporter.add(end(of: "off"))
            await reporter.reportEndedInstalls()
            await reporter.report([update, refused])
            #expect(desktop.shown.isEmpty)
            _ = try await manager.set(.notificationsInstalls, to: "true")
            reporter.add(end(of: "on"))
            // Begun by nobody: another pack needs it.
            reporter.add(end(of: "other"))
            await reporter.reportEndedInstalls()
            // By the reporter's own task, if that was faster.
            try await eventually { desktop.shown == ["Installed on"] }
            await reporter.report([update, refused])
            #expect(desktop.shown == ["Installed on"])
            _ = try await manager.set(.notificationsUpdates, to: "true")
            await reporter.report([update, refused])
            #expect(desktop.shown == ["Installed on", "Update for cups"])
            _ = try await manager.unset(.notificationsConsent)
            await reporter.report([refused])
            #expect(desktop.shown == ["Installed on", "Update for cups", "weather needs your consent"])
        }
    }
}
