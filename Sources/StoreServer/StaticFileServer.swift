public import FoundationEssentials
import Hummingbird
import Logging
import NIOCore
import StoreModel
import StoreSystem

/// An HTTP server for the files of a directory on the loopback interface, with which publishers try a store locally.
///
/// Conditional requests and ranges work as they do on a web server. Files outside the directory are never served, and
/// symbolic links are not followed.
public struct StaticFileServer: Sendable {
    private let directory: String
    private let port: Int

    /// Creates an HTTP server for the files of a directory; ``run(onReady:)`` starts it.
    ///
    /// - Parameters:
    ///   - directory: the path of the directory.
    ///   - port: the TCP port; 0 selects a free one.
    public init(directory: String, port: Int) {
        self.directory = directory
        self.port = port
    }

    /// Serves the files of the directory until the task is cancelled.
    ///
    /// - Parameter onReady: called with the server's address when it listens.
    /// - Throws: `site.address` if the port is not available, and the errors of opening the directory.
    public func run(onReady: @escaping @Sendable (URL) -> Void) async throws {
        let root = try Directory.open(directory)
        var table = RouteTable()
        table.get("/**") { request in
            try await FileResponse(directory: root, path: request.remainingPath(), trust: .trusted).response(
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
            let errno = Errno(rawValue: error.errnoCode)
            throw errno == .addressInUse
                ? StoreError(.portInUse, ["port": port])
                : StoreError(
                    .portUnavailable, ["port": port], cause: SystemCallError(function: "bind", errno: errno))
        } catch  where Task.isCancelled {}
    }
}
