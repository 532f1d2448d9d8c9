import Files
import FoundationEssentials
import Glibc
import StoreModel
import Synchronization
import Terminal
import Transfers

/// Files that are fetched side by side, each into `NAME.part` and, once it is whole, to its name.
struct FetchBatch: Sendable {
    let engine: TransferEngine
    let retry: RetryPolicy
    let parallel: Int
    let console: Console

    struct File: Sendable {
        var request: TransferRequest
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
            report.end(nil)
        } catch {
            result.error = ErrorReport(error)
            report.end(result.error)
        }
        return result
    }

    private func bring(_ file: File, _ report: FetchProgress.Report) async throws -> Downloaded {
        let (partPath, notePath) = (file.path + ".part", file.path + ".part.ranges")
        let part = try Self.open(partPath)
        let note = try Self.open(notePath)
        // Without a hash nothing proves that what is there belongs to the file that the server has now.
        let isProvable = file.expected.sha256 != nil
        let partial = isProvable ? try await PartialFile.resuming(part, note: note) : PartialFile(part, note: note)
        if !isProvable { try partial.restart() }
        let done = try await engine.download(
            file.request, into: partial, expecting: file.expected, retry: retry, waits: { report.waits($0, $1) },
            progress: { report.progress($0) })
        unlink(notePath)
        guard rename(partPath, file.path) == 0 else {
            throw FileError(.fileFailed, "'\(file.path)' can't be written: \(String(cString: strerror(errno))).")
        }
        return done
    }

    private static func open(_ path: String) throws -> OpenFile {
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o644)
        guard descriptor >= 0 else {
            throw FileError(.fileFailed, "'\(path)' can't be written: \(String(cString: strerror(errno))).")
        }
        return OpenFile(descriptor: descriptor, path: path)
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

        func waits(_ error: TransferError, _ wait: Duration) {
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
