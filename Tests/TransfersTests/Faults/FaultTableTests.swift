import FoundationEssentials
import StoreModel
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreTransfers

/// The faults of networks and servers at each phase of a download, with the expected outcomes.
///
/// `Faults.md` documents the same table.
enum FaultTable {
    static let rows =
        refused + reset + stalled + slow + short + certificates + statuses + redirects + garbage + long + wrong
        + changed + ranges

    static let path = "/pack.zip"
}

/// Tests the transfer engine alone, without daemon, database and catalogue.
@Suite struct FaultTableTests {
    @Test(arguments: FaultTable.rows.filter { $0.server == .origin || $0.server == .withoutTLS })
    func `faults have the outcomes of the table`(_ row: FaultRow) async throws {
        try await RunningRow.semaphore.run { try await RunningRow.check(row) }
    }

    @Test(
        .enabled(if: SecureServer.isPossible, "there is no nginx or openssl (Debian: nginx-light, openssl)"),
        arguments: FaultTable.rows.filter { $0.server == .unknownAuthority || $0.server == .otherName })
    func `certificate faults have the outcomes of the table`(_ row: FaultRow) async throws {
        try await RunningRow.semaphore.run { try await RunningRow.check(row) }
    }

    @Test func `no row occurs twice`() {
        let names = FaultTable.rows.map(\.testDescription)
        #expect(Set(names).count == names.count)
    }

    @Test func `the documentation has the table`() throws {
        let page = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
            .appending(path: "Sources/Transfers/Transfers.docc/Faults.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let lines = text.split(separator: "\n").map(String.init).filter { $0.hasPrefix("| ") }.dropFirst()
        let table = FaultTable.rows.map(\.line)
        #expect(Array(lines) == table, "The page should have:\n\(table.joined(separator: "\n"))")
    }
}

extension FaultRow: CustomTestStringConvertible {
    var testDescription: String { "\(fault), \(phase.rawValue), \(frequency.rawValue)" }
}

/// A row with its server and engine.
private final class RunningRow: Sendable {
    private let row: FaultRow
    private let origin: Origin
    private let secure: SecureServer?
    private let engine: TransferEngine
    /// The reasons and delays of the retries.
    private let waits = Mutex<[(error: StoreError, wait: Duration)]>([])

    /// Limits the number of concurrent rows for machines that allow few open files.
    static let semaphore = Semaphore(12)

    /// The time limit of connection, response and body where the row has one, in seconds.
    private let limit: Int

    /// Checks a row, and again with longer time limits while one has passed without a fault, as on a busy machine.
    ///
    /// The longest is long enough for any machine, as a time limit of a test is: there the row must have its outcome.
    static func check(_ row: FaultRow) async throws {
        for limit in [1, 4, 16] {
            let isChecked = try await RunningRow(row, limit: limit).check(isLast: false)
            if isChecked { return }
        }
        _ = try await RunningRow(row, limit: 64).check(isLast: true)
    }

    private init(_ row: FaultRow, limit: Int) throws {
        self.row = row
        self.limit = limit
        origin = try Origin(row.reach)
        origin.serve(FaultTable.path, FaultRow.bytes, etag: "\"one\"")
        origin.script(FaultTable.path, row.turns, rest: row.rest)
        origin.scriptConnections(row.connections)
        let isSecure = row.server == .unknownAuthority || row.server == .otherName
        secure = try isSecure ? SecureServer() : nil
        engine = TransferEngine(
            configuration: TransferConfiguration(
                certificates: row.server == .otherName ? secure?.certificate : nil))
    }

    private var url: URL {
        get throws {
            switch row.server {
            case .origin: origin.url(FaultTable.path)
            case .unknownAuthority: try #require(secure).url("/ok")
            case .otherName: try #require(secure).url("/ok", host: "localhost")
            case .withoutTLS: try #require(URL(string: "https://127.0.0.1:\(origin.port)\(FaultTable.path)"))
            }
        }
    }

    private var request: TransferRequest {
        get throws {
            var request = TransferRequest(try url, sizeLimit: row.sizeLimit)
            if row.isTimed {
                // A server that crawls sends at most fifty bytes per second.
                request.timeouts = TransferTimeouts(
                    connect: .seconds(limit), answer: .seconds(limit),
                    stall: StallLimit(bytes: max(1000, 100 * limit), in: .seconds(limit)))
            }
            return request
        }
    }

    private var expected: ExpectedContent {
        row.proof == .tag
            ? ExpectedContent() : ExpectedContent(size: FaultRow.size, sha256: SHA256Digest(of: FaultRow.bytes))
    }

    /// Returns whether the result was checked: only if no time limit has passed too often, or if this is the last try.
    private func check(isLast: Bool) async throws -> Bool {
        let partial = PartialFile(try scratchFile())
        // A time limit that passes again on a slow machine must not use up the attempts.
        let isPatient = row.isTimed && row.frequency == .once
        let policy = RetryPolicy(attempts: isPatient ? 20 : FaultRow.attempts, delay: .milliseconds(1))
        let result: Result<DownloadedFile, any Error>
        do {
            result = .success(
                try await engine.download(
                    try request, into: partial, expecting: expected, retry: policy, waits: { self.waited($0, $1) }))
        } catch {
            result = .failure(error)
        }
        let retries = waits.withLock { $0 }
        if row.isTimed, !isLast {
            // An attempt that a time limit ended without a fault is one more; if it made progress, others follow.
            guard retries.count + 1 <= row.attempts else { return false }
            if case .whole(_, let twice?) = row.end, !isSentAgain(twice) { return false }
        }
        try check(result, try partial.file.content)
        for (_, wait) in retries { #expect(wait >= row.leastWait) }
        return true
    }

    /// Returns whether the server has sent so many bytes more than the file has.
    private func isSentAgain(_ bytes: Int) -> Bool {
        let sent = origin.bytesSent(of: FaultTable.path) - FaultRow.size
        // Bytes may have been sent that the client did not receive before the time limit.
        return row.isTimed ? (bytes...bytes + 500).contains(sent) : sent == bytes
    }

    private func waited(_ error: StoreError, _ wait: Duration) {
        let failures = waits.withLock { waits in
            waits.append((error, wait))
            return waits.count
        }
        #expect(error.isTransient)
        if failures == row.opensAfter { #expect(throws: Never.self) { try origin.open() } }
    }

    private func check(_ result: Result<DownloadedFile, any Error>, _ content: [UInt8]) throws {
        let attempts = waits.withLock { $0.count } + 1
        let right = row.changes ? FaultRow.changed : FaultRow.bytes
        switch row.end {
        case .whole(let expected, let twice):
            let done = try result.get()
            #expect(content == right)
            #expect(done.size == right.count && done.sha256 == SHA256Digest(of: right))
            #expect(attempts == expected)
            guard let twice else { break }
            #expect(isSentAgain(twice), "\(origin.bytesSent(of: FaultTable.path)) bytes were sent")
        case .failed(let codes, let expected):
            let error = #expect(throws: StoreError.self) { _ = try result.get() }
            #expect(error.map { codes.contains($0.code) } == true, "\(String(describing: error))")
            let path = try url.path
            #expect(error?.message.contains(path) == true, "it says what failed")
            #expect(attempts == expected)
            #expect(content.elementsEqual(FaultRow.bytes.prefix(content.count)), "the remaining bytes are right")
        }
    }
}

/// A counting semaphore.
private actor Semaphore {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) { free = count }

    nonisolated func run(_ body: () async throws -> Void) async throws {
        await enter()
        do {
            try await body()
        } catch {
            await leave()
            throw error
        }
        await leave()
    }

    private func enter() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    private func leave() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}
