import FoundationEssentials
import StoreAPI
import StoreModel
import StoreSystem

/// The path and address of a unix socket at which a daemon listens.
struct DaemonSocket: Sendable {
    let path: String
    let address: UnixSocketAddress

    /// Returns the unix socket with this path if a daemon listens there, else `nil`.
    ///
    /// - Throws: `daemon.unreachable` where the socket can't be connected to for another reason, `daemon.foreign` where
    ///   the process belongs to another user, or a directory of the socket's path, which is closed to this one.
    static func listening(at path: String) throws -> DaemonSocket? {
        do {
            let socket = DaemonSocket(path: path, address: try UnixSocketAddress(path: path))
            let connection = try UnixSocket(isBlocking: false)
            try connection.connect(to: socket.address)
            try socket.requireTrustedUser(connection.peerUser)
            return socket
        } catch let error as SystemCallError {
            switch error.errno {
            case .noSuchFileOrDirectory, .connectionRefused, .notDirectory: return nil
            // A process listens, and its queue of connections is full. Its user is checked when a request is sent.
            case .resourceTemporarilyUnavailable:
                return DaemonSocket(path: path, address: try UnixSocketAddress(path: path))
            case .permissionDenied:
                if let closed = FilePaths.closedDirectory(above: path), closed.owner != CurrentProcess.effectiveUser {
                    throw StoreError(
                        .daemonHomeOfOtherUser,
                        ["path": .path(closed.path), "owner": UserNames.describe(closed.owner)])
                }
                throw StoreError(.daemonSocketUnusable, ["path": path], cause: error)
            default: throw StoreError(.daemonSocketUnusable, ["path": path], cause: error)
            }
        } catch let error as StoreError where error.isMissing || error.errno == .notDirectory {
            // The directory of the socket's long path is missing.
            return nil
        } catch let error as StoreError where error.errno == .fileNameTooLong {
            // The name is too long for any socket, so none exists.
            return nil
        }
    }

    /// Throws unless the daemon that listens at the socket belongs to this user or to the superuser.
    ///
    /// A service manager that runs as the superuser may have opened the socket for the user.
    ///
    /// - Throws: `daemon.foreign`.
    func requireTrustedUser(_ user: UInt32?) throws(StoreError) {
        guard user != CurrentProcess.effectiveUser, user != 0 else { return }
        let owner = user.map(UserNames.describe) ?? "an unknown user"
        throw StoreError(.daemonOfOtherUser, ["path": path, "owner": owner])
    }

    /// Returns whether the daemon that listens at this socket works on a particular data directory.
    ///
    /// A service manager may start the daemon for this request. Where the daemon breaks the connection or sends no
    /// valid response, the result is `true`: the request that follows then reports the problem.
    ///
    /// - Parameters:
    ///   - data: the path of the data directory.
    ///   - limit: the time limit for the daemon's response.
    func servesHome(withData data: String, within limit: Duration) async throws -> Bool {
        do {
            let request = DaemonRequest(method: "GET", path: "/v1/status")
            var response = try await DaemonResponse(request, at: self, within: limit, silence: limit)
            let body = try await response.body(limit: 1 << 20)
            guard let status = try? JSON.decode(StatusDocument.self, from: Data(body)), let home = status.home else {
                return true
            }
            return home.data == data
        } catch is ConnectionError {
            return true
        }
    }
}
