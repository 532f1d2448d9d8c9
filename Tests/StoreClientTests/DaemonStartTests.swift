import FoundationEssentials
import Glibc
import StoreModel
import StoreSystem
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreClient

/// Tests the start with a script in place of `stored`.
///
/// The script implements the daemon's contract: one lock for each home, which names its socket, and exit code 7 for a
/// second daemon. It ends at the latest when the test has removed it.
@Suite(.hangGuard) struct DaemonStartTests {
    private let folder: TemporaryFolder
    private let home: HomePaths

    init() throws {
        folder = try TemporaryFolder()
        home = try homePaths(in: folder.path + "/home")
    }

    private static let daemon = """
        #!/usr/bin/env python3
        import fcntl, http.server, json, os, socketserver, sys
        assert sys.argv[1] == "--home"
        home = sys.argv[2]
        os.chdir(home)
        for part in ("data", "run"): os.makedirs(part, exist_ok=True)
        lock = open(home + "/data/stored.lock", "a+")
        try: fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError: open(home + "/conflict", "w"); sys.exit(7)
        path = home + "/run/stored.sock"
        if os.path.exists(path): os.unlink(path)
        open_files = len([f for f in os.listdir("/proc/self/fd")])
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self): os.unlink(path); self.do_GET(); lock.truncate(0); os._exit(0)
            def do_GET(self):
                status = {"running": True, "version": str(open_files), "apiVersion": 1, "pid": os.getpid()}
                body = json.dumps(status).encode()
                self.send_response(200); self.send_header("Content-Length", str(len(body))); self.end_headers()
                self.wfile.write(body)
            def address_string(self): return ""
            def log_message(self, *a): pass
        class Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
            request_queue_size = 64
            daemon_threads = True
            # Another daemon may have begun to start before a client used this one.
            def service_actions(self): os.path.exists(sys.argv[0]) or os._exit(0)
        server = Server(path, Handler)
        lock.truncate(0)
        lock.write(json.dumps({"pid": os.getpid(), "socket": path}))
        lock.flush()
        server.serve_forever()
        """

    private func program(_ text: String) throws -> String {
        let path = folder.path + "/bin/stored"
        try write(text, to: path, mode: 0o700)
        return path
    }

    private func client(_ program: String) -> StoreClient {
        // A busy machine may take long to start a program.
        StoreClient(
            connection: DaemonConnection(
                places: home, starting: .ifNeeded(path: program), environment: [:], patience: .seconds(600)),
            languages: [])
    }

    @Test func `a started daemon has its own session, is no child of the client and inherits no descriptors`()
        async throws
    {
        let client = client(try program(Self.daemon))
        let status = try await client.status()
        let pid = try #require(status.pid)
        defer { kill(pid, SIGKILL) }
        #expect(status.running)
        // The lock, the socket, the connection, the three standard descriptors and the listed directory; none of the
        // test's.
        #expect(Int(status.version) ?? 99 <= 6)
        #expect(getsid(pid) != getsid(0))
        var ended: Int32 = 0
        #expect(waitpid(pid, &ended, WNOHANG) == -1 && errno == ECHILD)
    }

    @Test func `a daemon is stopped although another command has started the next one already`() async throws {
        // Before the response, the lock names the process 1 as its holder, which runs as long as the machine.
        let isReplaced = Self.daemon.replacing(
            "self.do_GET(); lock.truncate(0);",
            with: #"lock.truncate(0); lock.write(json.dumps({"pid": 1, "socket": ""})); lock.flush(); self.do_GET();"#)
        #expect(isReplaced != Self.daemon)
        let client = client(try program(isReplaced))
        _ = try await client.status()
        #expect(try await client.stopDaemon())
    }

    @Test func `of several simultaneous starts one daemon wins, and all clients use it`() async throws {
        let program = try program(Self.daemon)
        let pids = try await withThrowingTaskGroup(of: Int32?.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    // Each task has a client of its own, like separate programs.
                    try await client(program).status().pid
                }
            }
            return try await group.reduce(into: Set<Int32?>()) { $0.insert($1) }
        }
        let pid = try #require(pids.first ?? nil)
        defer { kill(pid, SIGKILL) }
        #expect(pids.count == 1)
    }

    @Test func `the error of a daemon that fails to start quotes its message`() async throws {
        let client = client(try program("#!/bin/sh\necho 'stored: The home folder is on the moon.' >&2\nexit 8\n"))
        let error = await #expect(throws: StoreError.self) { try await client.status() }
        #expect(error?.code == .daemonNotStarted)
        #expect(error?.code.exitCode == .daemon)
        #expect(error?.message == "could not start the daemon: The home folder is on the moon.")
    }

    @Test func `a missing daemon program is named`() async throws {
        let client = client("/nowhere/stored")
        let error = await #expect(throws: StoreError.self) { try await client.status() }
        #expect(error?.code == .daemonNotStarted)
        #expect(error?.message.contains("/nowhere/stored") == true)
    }

    @Test func `a daemon program that can't be run is named`() async throws {
        let client = client(try program("#!/nowhere/interpreter\n"))
        let error = await #expect(throws: StoreError.self) { try await client.status() }
        #expect(error?.code == .daemonNotStarted)
    }

    /// The old daemon still holds the lock but does not listen any more, so the first new daemon exits with 7.
    @Test func `the client waits for a daemon that is shutting down`() async throws {
        let lock = home.lock
        try write("", to: lock)
        let descriptor = open(lock, O_RDWR)
        #expect(flock(descriptor, LOCK_EX) == 0)
        let client = client(try program(Self.daemon))
        async let status = client.status()
        try await eventually { access(folder.path + "/home/conflict", F_OK) == 0 }
        close(descriptor)
        let pid = try #require(try await status.pid)
        kill(pid, SIGKILL)
    }

    /// Its start may take a while, and other starts would only slow it down.
    @Test func `the client waits for a daemon that is starting, and starts no others`() async throws {
        let (starts, broken) = (folder.path + "/starts", folder.path + "/broken")
        try write(#"{"pid":\#(getpid()),"socket":""}"#, to: home.lock)
        // Notes the time of `ContinuousClock`, the one since the machine's start, in hundredths of a second.
        let client = client(
            try program(
                """
                #!/bin/sh
                code=7
                [ -e '\(broken)' ] && code=8
                cut -d ' ' -f 1 /proc/uptime >>'\(starts)'
                exit $code

                """))
        func times() -> [Double] {
            let text = try? String(contentsOfFile: starts, encoding: .utf8)
            return text?.split(separator: "\n").compactMap { Double($0) } ?? []
        }
        let status = Task { try await client.status() }
        // The lock file may contain a process id that now belongs to another program, so the client tries again, but not
        // before five seconds have passed.
        try await eventually { times().count >= 2 }
        let before = times()
        #expect(before[1] - before[0] > 4.98)
        // When the lock is released, there is nothing to wait for.
        try write("", to: broken)
        try write("", to: home.lock)
        await #expect(throws: StoreError.self) { try await status.value }
        #expect(times().count > before.count)
    }

    @Test(.hangGuard) func `a cancelled client does not wait for a daemon that is starting`() async throws {
        try write(#"{"pid":\#(getpid()),"socket":""}"#, to: home.lock)
        let started = folder.path + "/started"
        let client = client(try program("#!/bin/sh\n: >'\(started)'\nexit 7\n"))
        let status = Task { try await client.status() }
        try await eventually { access(started, F_OK) == 0 }
        status.cancel()
        await #expect(throws: CancellationError.self) { try await status.value }
    }

    @Test func `a home that can't be written is named`() async throws {
        try write("a file", to: folder.path + "/home/cache")
        let client = client(try program(Self.daemon))
        let error = await #expect(throws: StoreError.self) { try await client.status() }
        #expect(error?.code == .homeUnwritable)
        #expect(error?.message.contains(home.cache) == true)
    }

    @Test func `no daemon is started to be stopped`() async throws {
        let started = folder.path + "/started"
        let client = client(try program("#!/bin/sh\n: >'\(started)'\nexit 7\n"))
        #expect(try await !client.stopDaemon())
        #expect(access(started, F_OK) != 0)
    }

    @Test func `stopping a daemon returns whether one was running`() async throws {
        let program = try program(Self.daemon)
        _ = try await client(program).status()
        let outside = StoreClient(home: home, startingDaemon: .never)
        #expect(try await outside.stopDaemon())
        #expect(try await !outside.stopDaemon())
    }

    @Test func `a daemon that is ending already is waited for`() async throws {
        let acquisition = try HomeLock.acquire(in: try Directory.create(home.data), as: .daemon)
        guard case .acquired(let lock) = acquisition else { throw CancellationError() }
        // Nothing listens there any more.
        try lock.announce(socket: home.socket)
        let reads = try FileReads(home.lock)
        let isStopped = Atomic(false)
        async let stopped = {
            defer { isStopped.store(true, ordering: .releasing) }
            return try await StoreClient(home: home, startingDaemon: .never).stopDaemon()
        }()
        // To find the daemon, to find out that it is ending, at the begin of the wait, and at least once more.
        try await eventually { reads.count >= 4 || isStopped.load(ordering: .acquiring) }
        let isWaiting = !isStopped.load(ordering: .acquiring)
        #expect(isWaiting)
        lock.release()
        #expect(try await stopped)
    }

    @Test func `a lock file that a crash has left names no daemon that is ending`() async throws {
        try write(#"{"pid":\#(getpid()),"socket":"\#(home.socket)"}"#, to: home.lock)
        #expect(try await !StoreClient(home: home, startingDaemon: .never).stopDaemon())
    }
}

/// A counter of the times that a file was opened (inotify(7)).
private final class FileReads {
    private let descriptor: Int32
    private var bytes = 0

    init(_ path: String) throws {
        descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        guard descriptor >= 0, inotify_add_watch(descriptor, path, UInt32(IN_OPEN)) >= 0 else {
            throw Errno(rawValue: errno)
        }
    }

    deinit { close(descriptor) }

    /// The number of times so far; those between two calls may count as one.
    var count: Int {
        var buffer = [UInt8](repeating: 0, count: 4096)
        bytes += max(0, read(descriptor, &buffer, buffer.count))
        return bytes / MemoryLayout<inotify_event>.size
    }
}
