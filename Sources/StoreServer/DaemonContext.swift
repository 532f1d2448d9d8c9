import FoundationEssentials
import StoreAPI
import StoreEngine
import StoreModel
import StoreSystem

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
    private let blockingWork = BlockingWork(label: "server.worker")

    /// Returns the daemon's version, directories and load.
    func status() async -> StatusDocument {
        StatusDocument(
            running: true, version: StoreAPI.programVersion, pid: CurrentProcess.identifier, startedAt: startedAt,
            home: HomeDocument(data: paths.data, cache: paths.cache, config: paths.config, run: paths.run),
            socket: socket, activeDownloads: await activeDownloads(), observers: connections.eventStreams,
            sequence: manager.events.lastSequence, warnings: await manager.warnings(), confinement: await confinement())
    }

    /// Describes the confinement of the processes that read packs; the first time a process is started for it.
    private func confinement() async -> ConfinementDocument {
        let worker = manager.worker
        let availability = try? await blockingWork.run { worker.availability }
        return ConfinementDocument(
            confined: availability?.obstacle == nil, reason: availability?.obstacle,
            required: manager.settings.current.workerRequired,
            inEffect: availability?.inEffect.map(\.rawValue) ?? [],
            missing: (availability?.missing ?? [:]).sorted { $0.key.rawValue < $1.key.rawValue }
                .map { MissingConfinementDocument(part: $0.key.rawValue, reason: $0.value) })
    }

    /// Returns the number of downloads that run, wait or are paused.
    func activeDownloads() async -> Int {
        await manager.downloads.all().count { !$0.state.isEnd }
    }
}
