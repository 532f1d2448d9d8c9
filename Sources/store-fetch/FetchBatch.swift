import FoundationEssentials
import StoreModel
import StoreSystem
import StoreTerminal
import StoreTransfers
import Synchronization

/// Downloads files in parallel, each into `NAME.part`, which is renamed to `NAME` once it is complete and verified.
struct FetchBatch: Sendable {
    let engine: TransferEngine
    let retry: RetryPolicy
    let parallel: Int
    /// Whether to wait until each file is on the disk before it gets its name.
    let isDurable: Bool
    let console: Console

    struct File: Sendable {
        var request: TransferRequest
        /// Additional URLs of the same file, in the order in which they are tried.
        var mirrors: [URL] = []
        var path: String
        var expected: ExpectedContent
    }

    /// The outcome of the download of one file: an element of `results` in the JSON output.
    struct Result: Sendable, Encodable {
        var url: String
        var path: String
        var size: Int?
        var sha256: SHA256Digest?
        /// The number of bytes used that an earlier run had left in `NAME.part`; `nil` where the download failed.
        var resumedFrom: Int?
        /// The URL that delivered the file: the requested one or a mirror.
        ///
        /// `nil` where all bytes were there already, or the download failed.
        var source: String?
        var error: ErrorReport?
        /// The file with the bytes that a later run can continue with; `nil` where there are none.
        var partial: PartialResult?
    }

    /// The bytes of a download that failed, which are kept for a later run.
    struct PartialResult: Sendable, Encodable {
        var path: String
        var size: Int
        /// Whether the same command continues with the bytes; otherwise it needs the option `--sha256`.
        var isResumable: Bool
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
            for _ in 0..<min(parallel, files.count) { add() }
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
            try Task.checkCancellation()
            let target = try await FetchTarget.open(file.path)
            do {
                let done = try await download(file, to: target.partial, report)
                try target.deliver(done, isDurable: isDurable)
                result.size = done.size
                result.sha256 = done.sha256
                result.resumedFrom = done.resumedFrom
                result.source = done.source?.absoluteString
            } catch {
                let kept = target.abandon()
                if kept > 0 { result.partial = partialResult(of: file, target.partial, size: kept) }
                throw error
            }
            report.end(nil)
        } catch {
            result.error = ErrorReport(Self.clarify(error))
            report.end(result.error)
        }
        return result
    }

    /// Returns the error of a download in the form in which it is reported.
    private static func clarify(_ error: any Error) -> any Error {
        if error is CancellationError { return StoreError(.commandInterrupted) }
        // Of all transfers, only those of this program have a limit that the user sets directly.
        guard let error = error as? StoreError, error.code == .transferTooLong else { return error }
        let (url, limit) = (error["url"], error["limit"])
        return StoreError(.transferOverMaximumSize, ["url": url, "limit": limit])
    }

    private func partialResult(of file: File, _ partial: PartialFile, size: Int) -> PartialResult {
        let urls = [file.request.url] + file.mirrors
        return PartialResult(
            path: file.path + ".part", size: size,
            isResumable: file.expected.sha256 != nil || urls.contains { partial.entityTag(for: $0) != nil })
    }

    private func download(
        _ file: File, to partial: PartialFile, _ report: FetchProgress.Report
    ) async throws -> DownloadedFile {
        try await engine.download(
            from: MirrorList(file.request.url, mirrors: file.mirrors), into: partial, expecting: file.expected,
            retry: retry,
            request: { url in
                var request = file.request
                request.url = url
                // Without a hash, only the entity tag proves that the existing bytes belong to the file that the server
                // has now.
                if file.expected.sha256 == nil { request.ifRange = partial.entityTag(for: url) }
                return request
            }, waits: { error, _ in report.retryScheduled(after: error) },
            progress: { report.update($1) })
    }
}

/// Prints the progress of parallel downloads through a ``ProgressPrinter``.
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

    /// Passes on the progress of one file's download in the form of a download's status.
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

        func update(_ now: TransferProgress) {
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

        func retryScheduled(after error: StoreError) {
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
                status.state = error == nil ? .finished : error?.code == .interrupted ? .cancelled : .failed
                status.activity = nil
                status.setRate(nil)
                status.error = error
            }
        }
    }
}
