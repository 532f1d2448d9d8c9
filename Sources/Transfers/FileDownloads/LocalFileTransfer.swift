import FoundationEssentials
import StoreModel
import StoreSystem
import Synchronization

/// A transfer from a `file` URL, which reads a local file and passes its bytes to a receiver (sink).
///
/// It does not use libcurl, which would read the complete file in one call and block all other transfers meanwhile.
struct LocalFileTransfer {
    private let job: TransferJob
    private let sink: any BodySink

    init(_ job: TransferJob, _ sink: any BodySink) {
        self.job = job
        self.sink = sink
    }

    /// Reads the local file and passes its bytes to the receiver (sink); blocks meanwhile.
    ///
    /// The sink is ended, with an error where reading fails.
    func run() {
        do {
            try copy()
            sink.end(nil)
        } catch {
            sink.end(error)
        }
    }

    private func copy() throws {
        // Before the sink discards bytes or reserves space for a file that is no longer wanted.
        try checkCancellation()
        guard let file = try open() else { return try sink.begin(response(404, [:])) }
        let status = try file.status()
        guard status.kind == .file else { throw StoreError.badRequest(job.request.url, "it is not a file") }
        var offset = job.offset
        if job.requestsRange, offset >= status.size {
            return try sink.begin(response(416, ["Content-Range": "bytes */\(status.size)"]))
        }
        let end = min(job.end ?? status.size, status.size)
        var headers: TransferHeaders = ["Content-Length": "\(end - offset)"]
        if job.requestsRange { headers["Content-Range"] = "bytes \(offset)-\(end - 1)/\(status.size)" }
        try sink.begin(response(job.requestsRange ? 206 : 200, headers))

        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
        defer { buffer.deallocate() }
        // Not past the announced end, even if the file grows while it is read.
        while offset < end {
            try checkCancellation()
            let room = UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(buffer.count, end - offset)])
            let count = try file.read(into: room, at: offset)
            if count == 0 { throw StoreError.transfer(.transferFileShrank, job.request.url, isTransient: true) }
            offset += count
            _ = try sink.receive(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
    }

    private func checkCancellation() throws {
        if job.isCancelled.load(ordering: .acquiring) { throw CancellationError() }
    }

    /// Opens the local file of the `file` URL; `nil` where it does not exist.
    ///
    /// - Throws: `transfer.unreachable` where it can't be opened.
    private func open() throws -> OpenFile? {
        let path = job.request.url.path(percentEncoded: false)
        do {
            return try OpenFile.open(path)
        } catch {
            if error.errno == .noSuchFileOrDirectory || error.errno == .notDirectory { return nil }
            let isDenied = error.errno == .permissionDenied || error.errno == .notPermitted
            throw StoreError.transfer(
                isDenied ? .transferFileDenied : .transferFileUnreadable, job.request.url,
                ["reason": error.errno?.description ?? error.message])
        }
    }

    private func response(_ status: Int, _ headers: TransferHeaders) -> TransferResponse {
        TransferResponse(status: status, headers: headers, effectiveURL: job.request.url)
    }
}
