import Logging
import StoreModel
import StoreSystem
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreEngine

/// Tests of the directories in which the installed sticker packs are kept in step, when something fails.
@Suite(.hangGuard) struct PackExportTests {
    /// A log handler that keeps the warnings.
    private struct WarningHandler: LogHandler {
        final class Warnings: Sendable {
            let texts = Mutex<[String]>([])
        }
        let warnings: Warnings
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.warning

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { warnings.texts.withLock { $0.append("\(event.message)") } }
    }

    private let home: EngineHome
    private let store: FileStore

    init() throws {
        home = try EngineHome()
        store = try FileStore(Self.product("a"), Self.product("b"))
    }

    private static func product(_ identifier: String) -> FileStore.Product {
        var product = FileStore.Product(identifier)
        product.bytes = ZipForge().file(identifier + ".png", ImageForge.png(2, 2)).build()
        return product
    }

    private var target: ExportTarget { ExportTarget(format: "deltachat", directory: home.folder.path + "/exported") }

    private func exported() throws -> [String] { try Directory.open(target.directory).names().sorted() }

    /// Creates exports that fail to read the packs with each of `failures`, one after another, and then succeed.
    private func exports(
        of manager: StoreManager, failing failures: [ErrorTemplate], _ warnings: WarningHandler.Warnings
    ) throws -> PackExports {
        let failures = Mutex(failures)
        let changes = CurrentValueSequence(observations: manager.observers.observations()) {
            if let failure = failures.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { throw StoreError(failure) }
            return try await manager.stickers.packs()
        }
        return PackExports(
            stickers: manager.stickers, changes: changes, config: try home.folder.directory.openDirectory("config"),
            packsDirectory: home.places.packs, retryDelay: .zero,
            log: Logger(label: "test") { _ in WarningHandler(warnings: warnings) })
    }

    @Test func `exports are kept in step again after a failure, which is logged until it changes`() async throws {
        let manager = try await home.open(using: store)
        let warnings = WarningHandler.Warnings()
        let exports = try exports(
            of: manager,
            failing: Array(repeating: .daemonShuttingDown, count: 3) + Array(repeating: .webLoginRequired, count: 2),
            warnings)
        #expect(try await exports.add(target).isEmpty)
        let before = try exported()
        try await manager.installed("a")
        try await eventually { try exported() != before }
        #expect(warnings.texts.withLock { $0.count } == 2)
        await exports.stop()
        await manager.close()
    }

    @Test func `a pack whose directory is missing does not keep the others from being exported`() async throws {
        let manager = try await home.open(using: store)
        for identifier in ["a", "b"] { try await manager.installed(identifier) }
        let packs = try await manager.stickers.packs()
        #expect(packs.map(\.productIdentifier).sorted() == ["a", "b"])
        try home.packs.removeTree("a.stickers")
        let reports = try await manager.exports.synchronize(target, with: packs)
        #expect(reports.map(\.productIdentifier) == ["b"] && reports.first?.written == 1)
        await manager.close()
    }
}
