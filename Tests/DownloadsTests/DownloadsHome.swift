import Foundation
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

@testable import StoreDownloads

/// A downloads manager in a temporary directory, whose downloads do not end by themselves: each waits while it unpacks.
struct DownloadsHome {
    /// An unpacker that writes one file and then waits until it is cancelled.
    final class WaitingUnpacker: Unpacking {
        /// Yields the path of each archive whose unpacking has started.
        let started: AsyncStream<String>
        private let start: AsyncStream<String>.Continuation
        let cancellations = Mutex(0)

        init() { (started, start) = AsyncStream.makeStream(of: String.self) }

        func unpack(
            _ archive: OpenFile, into directory: Directory, limits: ArchiveLimits, cancellation: CancellationFlag
        ) throws -> UnpackReport {
            _ = try directory.createFile("1", mode: 0o644)
            start.yield(archive.path)
            while true {
                Thread.sleep(forTimeInterval: 0.001)
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

    private struct Kind: MemoryCheckableKind {
        let kind: ProductKind
        let folderExtension: String

        init(_ name: String) { (kind, folderExtension) = (ProductKind(rawValue: name), name) }

        func check(_ pack: PackContents, cancellation: CancellationFlag) throws {
            _ = try PackInformation.read(from: pack)
        }
    }

    /// A kind whose packs can't be checked in memory.
    private struct OnDiskKind: ContentKind {
        let kind = ProductKind(rawValue: "on-disk")
        let folderExtension = "on-disk"
    }

    let folder: TemporaryFolder
    let unpacker = WaitingUnpacker()
    let database: LibraryDatabase
    let events: EventBus
    let manager: DownloadsManager

    /// - Parameter unpacking: unpacks the archives in place of ``unpacker``.
    init(unpacking: (any Unpacking)? = nil) async throws {
        folder = try TemporaryFolder()
        database = try await LibraryDatabase(path: folder.path + "/library.sqlite")
        events = try await EventBus { count in 1..<UInt64(count + 1) }
        let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        manager = DownloadsManager(
            database: database,
            library: try await Library.open(
                data: folder.path + "/data",
                kinds: ContentKinds([Kind("thing"), Kind("other"), Kind("filler"), OnDiskKind()])),
            transfers: TransferEngine(), unpacking: unpacking ?? unpacker,
            partial: try folder.directory.createDirectory("partial"),
            archives: try folder.directory.createDirectory("archives"), settings: DownloadSettings(),
            events: events, log: log)
    }

    /// Returns the request to install a product, whose archive it writes.
    ///
    /// - Parameters:
    ///   - content: the content of the only file in the archive.
    ///   - stated: the hash of the pack's files that the store states; `nil` for none.
    func request(
        _ identifier: String, store: String = "main", kind: String = "thing", content: [UInt8] = [1],
        stated: SHA256Digest? = nil
    ) throws -> DownloadRequest {
        let bytes = ZipForge().file("1", content).build()
        try folder.directory.put(identifier + ".zip", Data(bytes))
        let resource = ContentReference(
            url: folder.url.appending(path: identifier + ".zip"), size: bytes.count, sha256: SHA256Digest(of: bytes))
        var product = ProductItem(
            productIdentifier: identifier, kind: ProductKind(rawValue: kind),
            productName: LocalizedText(identifier), resource: resource)
        product.filesSHA256 = stated
        return DownloadRequest(
            operation: OperationID(), action: .install, store: store, product: product, resource: resource)
    }
}
