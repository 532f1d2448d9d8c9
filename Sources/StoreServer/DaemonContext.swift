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

    /// Returns the daemon's version, directories and load.
    func status() async -> StatusDocument {
        StatusDocument(
            running: true, version: StoreAPI.programVersion, pid: CurrentProcess.identifier, startedAt: startedAt,
            home: HomeDocument(data: paths.data, cache: paths.cache, config: paths.config, run: paths.run),
            socket: socket, activeDownloads: await activeDownloads(), observers: connections.eventStreams,
            sequence: manager.events.lastSequence, warnings: manager.warnings)
    }

    /// Returns the number of downloads that run, wait or are paused.
    func activeDownloads() async -> Int {
        await manager.downloads.all().count { !$0.state.isEnd }
    }
}
