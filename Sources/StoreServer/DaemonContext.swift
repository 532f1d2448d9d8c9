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
    let pageOperations = PageOperations()
    private let blockingWork = BlockingWork(label: "server.worker")

    /// Returns the daemon's version, directories and load.
    func status() async -> StatusDocument {
        let worker = manager.worker
        let availability = try? await blockingWork.run { worker.availability }
        return StatusDocument(
            running: true, version: StoreAPI.programVersion, pid: CurrentProcess.identifier, startedAt: startedAt,
            home: HomeDocument(data: paths.data, cache: paths.cache, config: paths.config, run: paths.run),
            socket: socket, activeDownloads: await activeDownloads(), observers: connections.eventStreams,
            sequence: manager.events.lastSequence,
            warnings: await manager.warnings() + [web.warning].compactMap(\.self),
            confinement: confinement(availability), thumbnails: thumbnails(availability))
    }

    /// Describes the confinement of the processes that read packs; the first time a process is started for it.
    private func confinement(_ worker: WorkerAvailability?) -> ConfinementDocument {
        ConfinementDocument(
            confined: worker?.obstacle == nil, reason: worker?.obstacle,
            required: manager.settings.current.workerRequired, inEffect: worker?.inEffect.map(\.rawValue) ?? [],
            missing: worker?.missingParts ?? [])
    }

    /// Describes the processes that make thumbnails, of which none is started for it.
    ///
    /// - Parameter worker: the confinement of the processes that read packs. Before the first thumbnail it counts for
    ///   the others, too, because the kernel and the confinement are the same.
    private func thumbnails(_ worker: WorkerAvailability?) -> ThumbnailsDocument {
        let known = manager.thumbnails.availability ?? worker.flatMap { $0.inEffect.isEmpty ? nil : $0 }
        return ThumbnailsDocument(
            available: known?.obstacle == nil, reason: known?.obstacle,
            inEffect: known?.inEffect.map(\.rawValue) ?? [], missing: known?.missingParts ?? [])
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
