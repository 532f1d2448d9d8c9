import FoundationEssentials
import StoreAPI
import StoreEngine
import StoreModel
import StoreSystem
import StoreWorker

/// The parts of a running daemon that the handlers of HTTP requests use.
struct DaemonContext: Sendable {
    let paths: HomePaths
    /// The path of the unix socket at which the daemon listens.
    let socket: String
    let startedAt: Date
    let manager: StoreManager
    let connections: OpenConnections
    let web: WebListener
    let pages: PageResponder
    let requests = RequestMetrics()
    let operations = BegunOperations()
    private let blockingWork = BlockingWork(label: "server.worker")

    /// Returns the daemon's version, directories and load.
    ///
    /// - Parameter tryingConfinement: whether a process that reads packs is started if none was yet, which takes as long as the
    ///   start of the daemon. Otherwise the status then says what the kernel can restrict.
    func status(tryingConfinement: Bool = false) async -> StatusDocument {
        let worker = manager.worker
        let tried = tryingConfinement ? try? await blockingWork.run { worker.availability } : nil
        return StatusDocument(
            running: true, version: StoreAPI.programVersion, pid: CurrentProcess.identifier, startedAt: startedAt,
            home: HomeDocument(data: paths.data, cache: paths.cache, config: paths.config, run: paths.run),
            socket: socket, activeDownloads: await activeDownloads(), observers: connections.eventStreams,
            sequence: manager.events.lastSequence,
            warnings: await manager.warnings() + [web.warning].compactMap(\.self),
            confinement: confinement(tried ?? worker.expectedAvailability),
            thumbnails: thumbnails(manager.thumbnails.availability))
    }

    /// Describes the confinement of the processes that read packs.
    private func confinement(_ worker: WorkerAvailability) -> ConfinementDocument {
        ConfinementDocument(
            confined: worker.obstacle == nil, reason: worker.obstacle,
            required: manager.settings.current.workerRequired, inEffect: worker.inEffect.map(\.rawValue),
            missing: worker.missingParts)
    }

    /// Describes the processes that make thumbnails.
    private func thumbnails(_ worker: WorkerAvailability) -> ThumbnailsDocument {
        ThumbnailsDocument(
            available: worker.obstacle == nil, reason: worker.obstacle, inEffect: worker.inEffect.map(\.rawValue),
            missing: worker.missingParts)
    }

    /// Returns the number of downloads that run, wait or are paused.
    func activeDownloads() async -> Int {
        await manager.downloads.all().count { !$0.state.isEnd }
    }
}

extension WorkerAvailability {
    /// The parts of the confinement that this kernel lacks, in the order of their identifiers.
    fileprivate var missingParts: [MissingConfinementDocument] {
        missing.sorted { $0.key.rawValue < $1.key.rawValue }
            .map { MissingConfinementDocument(part: $0.key.rawValue, reason: $0.value) }
    }
}
