import FoundationEssentials
import StoreDownloads
import StoreModel
import StoreSystem
import StoreTransfers
import Synchronization

/// A replacement of the network for a scenario: transfers that follow the script.
///
/// Bytes come from the scenario's store directory, paced by the virtual clock. No network is used.
final class ScenarioTransfers: Transferring {
    private struct Script {
        let product: String
        /// The scripted attempts to download the archive that have not been made yet.
        var attempts: ArraySlice<[ScenarioScript.TransferEvent]>
    }
    private struct Connection {
        var isUp = true
        /// The URLs of running simulated transfers, by product identifier.
        var active: [String: URL] = [:]
        /// The functions to call when the simulated network is lost or back, by the number of their registration.
        var listeners: [Int: @Sendable () -> Void] = [:]
        var lastListener = 0
    }
    private let scripts = Mutex<[SHA256Digest: Script]>([:])
    private let connection = Mutex(Connection())
    private let store: Directory
    private let clock: VirtualClock
    private let received = Atomic(0)
    /// The real transfer engine, for local files, which scenarios do not control.
    private let files: TransferEngine

    init(store: Directory, clock: VirtualClock) throws {
        self.store = store
        self.clock = clock
        files = TransferEngine()
    }

    /// Sets the script of the download attempts for the archive with a SHA-256.
    func add(_ archive: SHA256Digest, of product: ScenarioScript.Product, _ release: ScenarioScript.Release) {
        let script = Script(product: product.productIdentifier, attempts: release.attempts[...])
        scripts.withLock { $0[archive] = script }
    }

    // MARK: The network

    /// Simulates that the network is lost, which breaks running transfers, or that it is back.
    func setConnected(_ isUp: Bool) {
        let (broken, listeners) = connection.withLock { connection in
            defer { connection.isUp = isUp }
            return (
                isUp ? [:] : connection.active,
                connection.isUp == isUp ? [] : connection.listeners.map(\.value)
            )
        }
        for (product, url) in broken { clock.interrupt(product, with: StoreError.interrupted(url)) }
        for listener in listeners { listener() }
    }

    var network: NetworkSource {
        NetworkSource { [self] changed in
            let number = connection.withLock { connection in
                connection.lastListener += 1
                connection.listeners[connection.lastListener] = changed
                return connection.lastListener
            }
            return Listening { [self] in connection.withLock { $0.listeners[number] = nil } }
        }
    }

    private final class Listening: Sendable {
        private let end: @Sendable () -> Void
        init(end: @escaping @Sendable () -> Void) { self.end = end }
        deinit { end() }
    }

    var bytesReceived: Int { received.load(ordering: .relaxed) }

    // MARK: Documents

    func fetch(_ request: TransferRequest) async throws -> (response: TransferResponse, body: Data) {
        let answer = try await answer(to: request)
        if !request.url.isFileURL { count(answer.body.count) }
        return answer
    }

    private func count(_ bytes: Int) { received.wrappingAdd(bytes, ordering: .relaxed) }

    private func answer(to request: TransferRequest) async throws -> (response: TransferResponse, body: Data) {
        if request.url.isFileURL { return try await files.fetch(request) }
        guard let body = try file(at: request.url) else { return (response(404, to: request.url), Data()) }
        let etag = "\"\(SHA256Digest(of: body).hex)\""
        if request.headers["If-None-Match"] == etag { return (response(304, to: request.url, ["ETag": etag]), Data()) }
        if let limit = request.sizeLimit, body.count > limit {
            throw StoreError.transfer(.transferBodyTooLong, request.url, ["limit": .bytes(limit)])
        }
        return (response(200, to: request.url, ["ETag": etag]), request.method == "HEAD" ? Data() : body)
    }

    func fetch(
        _ range: Range<Int>, of request: TransferRequest, size: Int, into file: OpenFile,
        progress: @escaping @Sendable (TransferProgress) -> Void
    ) async throws {
        let (response, body) = try await answer(to: request)
        try response.requireSuccess()
        count(range.count)
        try file.write(
            Array(body[body.startIndex + range.lowerBound..<body.startIndex + range.upperBound]),
            at: range.lowerBound)
        progress(TransferProgress(received: range.count, expected: range.count, resumedFrom: 0))
    }

    private func response(_ status: Int, to url: URL, _ headers: TransferHeaders = [:]) -> TransferResponse {
        TransferResponse(status: status, headers: headers, effectiveURL: url)
    }

    /// Returns the content of the file at a URL of the scenario's store; `nil` if it does not exist.
    ///
    /// - Throws: `transfer.unreachable` for other hosts, and while the network is down.
    private func file(at url: URL) throws -> Data? {
        guard connection.withLock({ $0.isUp }) else {
            throw StoreError.transfer(
                .transferConnectFailed, url, ["reason": "Network is unreachable"], isTransient: true,
                lacksNetwork: true)
        }
        guard url.absoluteString.hasPrefix(ScenarioStore.address) else {
            throw StoreError.transfer(
                .transferConnectFailed, url,
                ["reason": "a scenario has no network, and its store is at \(ScenarioStore.address)"])
        }
        let path = String(url.path.drop { $0 == "/" })
        return try store.status(of: path)?.kind == .file ? try store.read(path) : nil
    }

    // MARK: Archives

    func download(
        from mirrors: inout MirrorList, into partial: PartialFile, expecting expected: ExpectedContent,
        request: (URL) -> TransferRequest, progress: @escaping @Sendable (URL, TransferProgress) -> Void
    ) async throws -> DownloadedFile {
        let url = mirrors.first
        if url.isFileURL {
            return try await files.download(
                from: &mirrors, into: partial, expecting: expected, request: request, progress: progress)
        }
        mirrors.beginRound()
        let (response, archive) = try await answer(to: request(url))
        mirrors.recordReachable(url)
        try response.requireSuccess()
        let resumedFrom = partial.size
        if resumedFrom < archive.count {
            let script = expected.sha256.flatMap { begin($0) }
            defer { count(max(0, partial.size - resumedFrom)) }
            let attempt = ScriptedAttempt(
                product: script?.product ?? "", events: script?.attempts.first ?? [], archive: archive,
                request: request(url), expected: expected, clock: clock
            ) { [throttle = ScenarioThrottle(clock)] received in
                guard throttle.permitsReport() else { return }
                progress(
                    url, TransferProgress(received: received, expected: archive.count, resumedFrom: resumedFrom))
            }
            connection.withLock { $0.active[attempt.product] = url }
            defer { connection.withLock { $0.active[attempt.product] = nil } }
            try await attempt.run(into: partial)
        }
        return try partial.finished(
            expecting: expected, from: url, resumedFrom: resumedFrom, response: response)
    }

    /// Returns the script of an archive's downloads, with the attempt that begins now as its first one.
    ///
    /// That attempt then counts as used. The result is `nil` if the archive has no script.
    private func begin(_ archive: SHA256Digest) -> Script? {
        scripts.withLock { scripts in
            let script = scripts[archive]
            if let script { scripts[archive]?.attempts = script.attempts.dropFirst() }
            return script
        }
    }

    // MARK: Other requirements of Transferring

    func withFailover<Value>(
        _ mirrors: inout MirrorList, _ body: (URL) async throws -> Value
    ) async throws -> Value {
        try await body(mirrors.first)
    }

    /// Does nothing: the scenario's script determines the rate of transfers.
    func setLimits(_ limits: BandwidthLimits) {}

    func setRate(_ bytesPerSecond: Int?, of rate: TransferRate) { rate.set(bytesPerSecond) }

    /// Does nothing: a scenario needs no library.
    func prepare() {}

    /// Does nothing: a scenario has no connections, and the daemon may be restarted with this instance.
    func shutdown() async {}
}
