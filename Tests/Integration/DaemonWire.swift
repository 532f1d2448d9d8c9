import Foundation
import Glibc
import StoreModel

/// Raw sockets to a daemon, without the client's code.
enum DaemonWire {
    /// Returns a connected socket; -1 with `errno` if nothing listens.
    static func connect(_ path: String) -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        let result = withAddress(of: path) { Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        if result == 0 { return descriptor }
        let number = errno
        close(descriptor)
        errno = number
        return -1
    }

    /// Creates a listening socket at `path`, as a service manager does.
    static func listen(_ path: String) throws -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        fchmod(descriptor, 0o600)
        let result = withAddress(of: path) { bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        guard result == 0, Glibc.listen(descriptor, 64) == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
        return descriptor
    }

    private static func withAddress(of path: String, _ body: (UnsafePointer<sockaddr>) -> Int32) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0) }
        }
    }

    static func send(_ request: String, to descriptor: Int32) -> Bool {
        let bytes = Array(request.utf8)
        return Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }

    /// Sends a GET request, and returns status and body.
    static func get(_ resource: String, at path: String) throws -> (status: Int, body: String) {
        try ask("GET", resource, nil, at: path)
    }

    /// Sends a request, and returns status and body.
    static func ask(
        _ method: String, _ resource: String, _ body: String?, at path: String
    ) throws -> (status: Int, body: String) {
        let descriptor = connect(path)
        guard descriptor >= 0 else { throw POSIXError(.ECONNREFUSED) }
        defer { close(descriptor) }
        let content =
            body.map { "Content-Type: application/json\r\nContent-Length: \($0.utf8.count)\r\n\r\n\($0)" } ?? "\r\n"
        guard send("\(method) \(resource) HTTP/1.1\r\nHost: stored\r\nConnection: close\r\n\(content)", to: descriptor)
        else {
            throw POSIXError(.EPIPE)
        }
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = recv(descriptor, &buffer, buffer.count, 0), count > 0 { answer += buffer[..<count] }
        let text = String(decoding: answer, as: UTF8.self)
        let status = Int(text.split(separator: " ").dropFirst().first ?? "") ?? 0
        return (status, text.range(of: "\r\n\r\n").map { String(text[$0.upperBound...]) } ?? "")
    }

    /// Starts a program with `descriptor` as descriptor 3, as systemd passes sockets (sd_listen_fds(3)).
    static func startActivated(_ program: String, listening descriptor: Int32, environment: [String: String]) throws
        -> pid_t
    {
        // Perl executes the program in its own process, so LISTEN_PID is right. Descriptors of other tests are closed,
        // because those tests would wait for them.
        let script = """
            POSIX::close($_) for 4..1023; @ENV{"LISTEN_PID", "LISTEN_FDS"} = ($$, 1); exec { $ARGV[0] } @ARGV;
            """
        return try spawn(
            ["/usr/bin/perl", "-MPOSIX", "-e", script, program], environment: environment, descriptor: descriptor)
    }

    /// Starts a program that closes the descriptors it inherits.
    ///
    /// Foundation's `Process` takes that for the program's end, and then blocks other programs while it waits for the
    /// real end.
    static func spawn(
        _ words: [String], environment: [String: String], descriptor: Int32? = nil
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let descriptor { posix_spawn_file_actions_adddup2(&actions, descriptor, 3) }
        for stream in 0...2 { posix_spawn_file_actions_addopen(&actions, Int32(stream), "/dev/null", O_RDWR, 0) }
        var arguments = words.map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in arguments + variables { free(text) } }
        var pid: pid_t = 0
        guard posix_spawn(&pid, words[0], &actions, nil, &arguments, &variables) == 0 else {
            throw POSIXError(.ECHILD)
        }
        return pid
    }

    /// Waits for the end of a spawned program; returns the exit code, or 128 plus the signal number.
    static func end(of pid: pid_t) async -> Int32 {
        var status: Int32 = 0
        while waitpid(pid, &status, WNOHANG) == 0 { try? await Task.sleep(for: .milliseconds(5)) }
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
    }
}
