import FoundationEssentials
import StoreAPI
import StoreEngine
import StoreModel
import StoreSystem

/// What the daemon tells about itself.
struct DaemonContext: Sendable {
    let places: HomePaths
    let startedAt: Date
    let manager: StoreManager
    let connections: OpenConnections
    let requests = RequestMetrics()

    func status() async -> StatusDocument {
        StatusDocument(
            running: true, version: StoreAPI.programVersion, pid: CurrentProcess.identifier, startedAt: startedAt,
            home: HomeDocument(data: places.data, cache: places.cache, config: places.config, run: places.run),
            activeDownloads: await activeDownloads(), observers: connections.eventStreams,
            sequence: manager.events.lastSequence, warnings: manager.warnings)
    }

    /// Tasks that run, wait or are paused.
    func activeDownloads() async -> Int {
        await manager.downloads.all().count { !$0.state.isEnd }
    }
}
