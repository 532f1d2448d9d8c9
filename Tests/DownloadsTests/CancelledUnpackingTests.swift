import FoundationEssentials
import Logging
import StoreArchives
import StoreDatabase
import StoreEvents
import StoreLibrary
import StoreModel
import StoreSystem
import StoreTestSupport
import StoreTransfers
import Synchronization
import Testing

@testable import StoreDownloads

@Suite(.hangGuard)
struct CancelledUnpackingTests {
    /// An unpacker that writes one file and then waits until it is cancelled.
    private final class WaitingUnpacker: Unpacking {
        /// Yields an element for each archive whose unpacking has started.
        let started: AsyncStream<Void>
        private let start: AsyncStream<Void>.Continuation
        let cancellations = Mutex(0)

        init() { (started, start) = AsyncStream.makeStream(of: Void.self) }

        func unpack(
            _ archive: OpenFile, into directory: Directory, limits: ArchiveLimits, cancellation: CancellationFlag
        ) throws -> UnpackReport {
            _ = try directory.createFile("1", mode: 0o644)
            start.yield()
            while true {
                do {
                    try cancellation.check()
                } catch {
                    cancellations.withLock { $0 += 1 }
                    throw error
                }
            }
        }

        func unpack(
            _ entries: [SelectedEntry], of archive: OpenFile, into directory: Directory?, cancellation: CancellationFlag
        ) throws {
            throw CancellationError()
        }
    }

    private struct Kind: ContentKind {
        let kind = ProductKind(rawValue: "thing")
        let folderExtension = "thing"
    }

    private let home: TemporaryFolder
    private let unpacker = WaitingUnpacker()
    private let database: LibraryDatabase
    private let manager: DownloadsManager

    init() async throws {
        home = try TemporaryFolder()
        database = try await LibraryDatabase(path: home.path + "/library.sqlite")
        let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        manager = DownloadsManager(
            database: database,
            library: try await Library.open(data: home.path + "/data", kinds: ContentKinds([Kind()])),
            transfers: try TransferEngine(), unpacking: unpacker,
            partial: try home.directory.createDirectory("partial"),
            archives: try home.directory.createDirectory("archives"), settings: DownloadSettings(),
            events: try await EventBus { count in 1..<UInt64(count + 1) }, log: log)
    }

    /// Starts a download, and returns when its archive is being unpacked.
    private func start() async throws {
        let bytes = ZipForge().file("1", [1]).build()
        try home.directory.put("a.zip", Data(bytes))
        let resource = ContentReference(
            url: home.url.appending(path: "a.zip"), size: bytes.count, sha256: SHA256Digest(of: bytes))
        let product = ProductItem(
            productIdentifier: "a", kind: ProductKind(rawValue: "thing"), productName: LocalizedText("A"),
            resource: resource)
        _ = try await manager.start(
            DownloadRequest(
                operation: OperationID(), action: .install, store: "main", product: product, resource: resource))
        for await _ in unpacker.started { break }
        #expect(try home.directory.openDirectory("data/staging").entries().count == 1)
    }

    private func names(_ path: String) throws -> [String] {
        try home.directory.openDirectory(path).entries().map(\.name)
    }

    @Test func `a cancelled download interrupts unpacking and leaves nothing`() async throws {
        try await start()
        let status = try await manager.cancel("a")
        #expect(status.state == .cancelled)
        #expect(unpacker.cancellations.withLock { $0 } == 1)
        for path in ["data/staging", "data/packs", "data/trash", "partial"] {
            #expect(try names(path).isEmpty, "\(path)")
        }
        await manager.close()
        try await database.close()
    }

    @Test func `closing interrupts unpacking, empties staging and keeps the archive`() async throws {
        try await start()
        await manager.close()
        #expect(unpacker.cancellations.withLock { $0 } == 1)
        #expect(try names("data/staging").isEmpty && names("data/packs").isEmpty)
        #expect(try names("partial").count == 1)
        #expect(try await database.runningOperations().count == 1)
        try await database.close()
    }
}
