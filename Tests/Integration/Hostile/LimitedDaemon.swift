import Foundation
import StoreClient
import StoreModel
import StoreTestSupport
import Testing

/// A daemon whose memory is limited and measured, and requests to it whose errors must have a documented code.
final class LimitedDaemon: Sendable {
    /// The memory that no store may make the daemon need, in bytes.
    static let mostMemory = 256 << 20
    /// The address space for the stacks of threads that the daemon starts later: 8 MB each, hardly used.
    private static let stacks = 64 * (8 << 20)
    private static let documentedCodes = Set(DocumentedErrorCodes.all.keys)

    let home: TestHome
    let client: StoreClient
    let pid: Int32

    /// A request did not end as it has to: the daemon has crashed, hangs, or refused without a stable code.
    struct Violation: Error, CustomStringConvertible {
        let description: String
    }

    /// Starts a daemon.
    ///
    /// Its data segment is limited (RLIMIT_DATA), so that a leap beyond all measure ends it. The limit can't be 256 MB:
    /// it counts the address space of threads' stacks, allocators and the runtime, of which most is never used. The
    /// bound of 256 MB is that of the resident memory, whose maximum the kernel records (`VmHWM`).
    ///
    /// - Parameter stores: the elements of the list of stores that the daemon finds.
    init(settings: [String: String] = [:], stores: String? = nil) async throws {
        let home = try TestHome(settings: settings)
        if let stores {
            let config = home.path + "/config"
            try FileManager.default.createDirectory(
                atPath: config, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try Data(#"{"stores":[\#(stores)]}"#.utf8).write(to: URL(filePath: config + "/stores.json"))
        }
        try await home.must("store", "list")
        let pid = try #require(home.daemonPID)
        if Sanitizers.canCheckMemory() {
            let facts = try #require(ProcessFacts(pid))
            let limit = facts.dataSegment + Self.mostMemory - facts.memory + Self.stacks
            let limited = try await Programs.run(
                "/usr/bin/prlimit", ["--pid", "\(pid)", "--data=\(limit)"], environment: [:])
            try #require(limited.exit == 0, "\(limited)")
        }
        (self.home, self.pid) = (home, pid)
        client = try StoreClient(homeDirectory: home.path, startingDaemon: .never)
    }

    /// The maximum of the resident memory so far, in bytes; reading it fails the test if the daemon has ended.
    var mostMemory: Int { get throws { try #require(ProcessFacts(pid)).mostMemory } }

    /// Whether the daemon that was started is still the home's daemon.
    var isAlive: Bool { home.daemonPID == pid && kill(pid, 0) == 0 }

    /// Sends a request, and returns its result, or the code of the error with which the daemon refused it.
    ///
    /// - Parameter what: the request in words, for the error message.
    /// - Throws: a ``Violation``.
    func attempt<Value: Sendable>(
        _ what: String, _ request: @escaping @Sendable (StoreClient) async throws -> Value
    ) async throws -> Result<Value, ErrorReport> {
        do {
            return .success(try await Self.withHangGuard(what) { [client] in try await request(client) })
        } catch let report as ErrorReport {
            try require(report, from: what)
            return .failure(report)
        } catch let violation as Violation {
            throw violation
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            throw Violation(description: "\(what): \(isAlive ? "" : "the daemon has ended: ")\(error)")
        }
    }

    /// Waits for the end of the download of an installation.
    ///
    /// - Throws: a ``Violation``.
    func end(of installation: Installation) async throws -> DownloadStatus {
        guard let begun = installation.download else { throw Violation(description: "there is no download") }
        return try await Self.withHangGuard("download of \(begun.productIdentifier)") { [client] in
            while true {
                let status = try await client.download(begun.productIdentifier)
                if status.operation == begun.operation, status.state.isEnd { return status }
                try await Task.sleep(for: .milliseconds(2))
            }
        }
    }

    /// Checks that an error has a documented code and that it is not an internal one.
    func require(_ report: ErrorReport, from what: String) throws {
        let code = report.code.rawValue
        guard Self.documentedCodes.contains(code), !code.hasPrefix("internal."), !report.message.isEmpty else {
            throw Violation(description: "\(what): refused without a documented code: \(report)")
        }
        guard isAlive else { throw Violation(description: "\(what): the daemon has ended") }
    }

    /// Ends a request that hangs; no request takes a hundredth of this time.
    private static func withHangGuard<Value: Sendable>(
        _ what: String, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value.self) { group in
            group.addTask { try await body() }
            group.addTask {
                try await Task.sleep(for: .seconds(600))
                throw Violation(description: "\(what): no result after ten minutes")
            }
            defer { group.cancelAll() }
            return try await group.next()!
        }
    }
}
