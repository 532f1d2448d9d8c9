public import FoundationEssentials
import Hummingbird
import Logging
import NIOCore
import StoreSystem

/// A folder served over HTTP on this machine only, as a publisher tries a store out: conditional requests and ranges
/// work as they do on a real server.
public struct StaticFileServer: Sendable {
    private let folder: String
    private let port: Int

    /// - Parameters:
    ///   - folder: nothing outside of it is served, and no link in it is followed.
    ///   - port: 0 picks one that is free.
    public init(folder: String, port: Int) {
        self.folder = folder
        self.port = port
    }

    /// Serves until the task is cancelled.
    ///
    /// - Parameter onReady: called with the site's address once it answers.
    /// - Throws: `site.address` where the port can't be had, ``FileError`` where the folder can't be opened.
    public func run(onReady: @escaping @Sendable (URL) -> Void) async throws {
        let root = try Directory.open(folder)
        var table = RouteTable()
        table.get("/**") { request in
            try await FileResponse(folder: root, path: request.restOfPath(), trust: .trusted).response(
                to: request.httpRequest)
        }
        let site = Application(
            responder: table.responder(),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
            onServerRunning: { channel in
                if let port = channel.localAddress?.port, let url = URL(string: "http://127.0.0.1:\(port)/") {
                    onReady(url)
                }
            },
            logger: Logger(label: "store-server.site") { _ in SwiftLogNoOpLogHandler() })
        do {
            try await site.run()
        } catch let error as IOError {
            throw ServerError(
                .siteAddress,
                "Port \(port) of this machine can't be listened on: \(error). Choose another; 0 picks one.")
        } catch  where Task.isCancelled {}
    }
}
