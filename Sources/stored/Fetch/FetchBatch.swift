import FoundationEssentials
import StoreModel
import StoreSystem
import StoreTerminal
import StoreTransfers
import Synchronization

/// Files that are fetched side by side, each into `NAME.part` and, once it is whole, to its name.
struct FetchBatch: Sendable {
    let engine: TransferEngine
    let retry: RetryPolicy
    let parallel: Int
    let console: Console

    struct File: Sendable {
        var request: TransferRequest
        /// Further addresses of the same.
        var mirrors: [URL] = []
        var path: String
        var expected: ExpectedContent
    }

    /// What became of one file; a row of the JSON document.
    struct Result: Sendable, Encodable {
        var url: String
        var path: String
        var size: Int?
        var sha256: SHA256Digest?
        /// How many bytes were here before.
        var resumedFrom: Int?
        /// Which of its addresses brought the end of it.
        var source: String?
        var error: ErrorReport?
    }

    func run(_ files: [File]) async -> [Result] {
        let progress = FetchProgress(console)
        progress.expect(files.count)
        let results = await withTaskGroup(of: (Int, Result).self) { group in
            var results = files.map { Result(url: $0.request.url.absoluteString, path: $0.path) }
            var next = 0
            func add() {
                guard next < files.count else { return }
                let (index, file) = (next, files[next])
                group.addTask { (index, await fetch(file, progress)) }
                next += 1
            }
            for _ in 0..<parallel { add() }
            for await (index, result) in group {
                results[index] = result
                add()
            }
            return results
        }
        progress.clear()
        return results
    }

    private func fetch(_ file: File, _ progress: FetchProgress) async -> Result {
        var result = Result(url: file.request.url.absoluteString, path: file.path)
        let report = progress.begin(file.path)
        do {
            let done = try await bring(file, report)
            result.size = done.size
            result.sha256 = done.sha256
            result.resumedFrom = done.resumedFrom
            result.source = done.source?.absoluteString
            report.end(nil)
        } catch {
            result.error = ErrorReport(error)
            report.end(result.error)
        }
        return result
    }

    private func bring(_ file: File, _ report: FetchProgress.Report) async throws -> DownloadedFile {
        let (folder, name) = try Self.place(of: file.path)
        let part = try folder.openOrCreateFile(name + ".part", mode: 0o644)
        let partial = try await PartialFile.resuming(part, record: PartialFileRecord(in: folder, name + ".part.ranges"))
        if file.expected.sha256 == nil, partial.etag == nil {
            // Nothing proves that what is there belongs to the file that the server has now.
            try partial.restart()
        }
        do {
            let tag = file.expected.sha256 == nil ? partial.etag : nil
            let done = try await engine.download(
                from: MirrorList(file.request.url, mirrors: file.mirrors), into: partial, expecting: file.expected,
                retry: retry,
                request: { url in
                    var request = file.request
                    request.url = url
                    // A tag is one server's own.
                    request.ifRange = url == file.request.url ? tag : nil
                    return request
                }, waits: { report.waits($0, $1) }, progress: { report.progress($1) })
            try? folder.remove(name + ".part.ranges")
            try folder.rename(name + ".part", to: folder, as: name, replacing: true)
            return done
        } catch {
            // Should nobody try again, what was reserved for it is of no use to anybody.
            try? partial.releaseReservedSpace()
            throw error
        }
    }

    /// The folder that is to hold a file, and what the file is called in it.
    private static func place(of path: String) throws -> (folder: Directory, name: String) {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (try Directory.open("."), path) }
        let folder = slash == path.startIndex ? "/" : String(path[..<slash])
        return (try Directory.open(folder), String(path[path.utf8.index(after: slash)...]))
    }
}

/// Shows how the files come along.
final class FetchProgress: Sendable {
    private let printer: Mutex<ProgressPrinter>

    init(_ console: Console) { printer = Mutex(ProgressPrinter(console)) }

    func expect(_ count: Int) { printer.withLock { $0.expect(count) } }
    func clear() { printer.withLock { $0.clear() } }

    func begin(_ name: String) -> Report {
        let report = Report(self, name)
        report.change { _ in }
        return report
    }

    /// One file, told of as if it were a product.
    final class Report: Sendable {
        private let progress: FetchProgress
        private let status: Mutex<DownloadStatus>
        private let meter = Mutex(RateMeter())
        private let start = ContinuousClock.now

        fileprivate init(_ progress: FetchProgress, _ name: String) {
            self.progress = progress
            status = Mutex(
                DownloadStatus(
                    operation: OperationID(), action: .install, productIdentifier: name, store: "",
                    activity: .connecting))
        }

        fileprivate func change(_ body: (inout DownloadStatus) -> Void) {
            let changed = status.withLock { status in
                body(&status)
                return status
            }
            progress.printer.withLock { $0.update(changed) }
        }

        func progress(_ now: TransferProgress) {
            let (seconds, rest) = (ContinuousClock.now - start).components
            let rate = meter.withLock { meter in
                meter.add(bytes: now.received, at: Double(seconds) + Double(rest) / 1e18)
                return meter.rate
            }
            change { status in
                status.state = .downloading
                status.activity = .transferring
                status.setProgress(received: now.received, expected: now.expected)
                status.setRate(rate)
            }
        }

        func waits(_ error: StoreError, _ wait: Duration) {
            meter.withLock { $0 = RateMeter() }
            change { status in
                status.activity = .waiting
                status.setRate(nil)
                status.reason = error.message
                status.attempt += 1
            }
        }

        func end(_ error: ErrorReport?) {
            change { status in
                status.state = error == nil ? .finished : .failed
                status.activity = nil
                status.setRate(nil)
                status.error = error
            }
        }
    }
}
