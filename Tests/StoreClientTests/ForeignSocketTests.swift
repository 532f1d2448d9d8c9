import Glibc
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

@testable import StoreClient

/// Tests connections to a socket at which a process of another user listens.
@Suite(.hangGuard) struct ForeignSocketTests {
    private static let isRoot = getuid() == 0

    /// A socket whose queue of connections is full is found without a connection, so that its user is not known then.
    @Test(.enabled(if: isRoot, "only root can become another user"))
    func `no request is sent to another user's process whose user was not known before`() async throws {
        let folder = try TemporaryFolder()
        chmod(folder.path, 0o777)
        let path = folder.path + "/stored.sock"
        let script = """
            use Socket;
            socket(S, AF_UNIX, SOCK_STREAM, 0); bind(S, sockaddr_un($ARGV[0])) or die $!; listen(S, 5); sleep;
            """
        let listener = try ChildProcess(
            "/usr/bin/setpriv", ["--reuid", "65534", "--clear-groups", "/usr/bin/perl", "-e", script, path],
            environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C"])
        defer { listener.signal(SIGKILL) }
        let address = try UnixSocketAddress(path: path)
        try await eventually { (try? UnixSocket(isBlocking: false).connect(to: address)) != nil }
        let error = await #expect(throws: StoreError.self) {
            _ = try await SocketConnection.open(to: DaemonSocket(path: path, address: address))
        }
        #expect(error?.code == .daemonForeign)
    }
}
