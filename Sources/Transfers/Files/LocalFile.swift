import FoundationEssentials
import StoreModel
import StoreSystem
import Synchronization

/// A transfer whose URL is a file of this machine. It is read here and not by libcurl, which would read all of it in
/// one go and hold up every other transfer meanwhile.
struct LocalFile {
    private let job: TransferJob
    private let sink: any BodySink

    init(_ job: TransferJob, _ sink: any BodySink) {
        self.job = job
        self.sink = sink
    }

    func run() {
        do {
            try copy()
            sink.end(nil)
        } catch {
            sink.end(error)
        }
    }

    private func copy() throws {
        guard let file = try open() else { return try sink.begin(response(404, [:])) }
        let status = try file.status()
        guard status.kind == .file else { throw TransferError.badRequest(job.request.url, "it is not a file") }
        var offset = job.offset
        if job.asksForPart, offset >= status.size {
            return try sink.begin(response(416, ["Content-Range": "bytes */\(status.size)"]))
        }
        let end = min(job.end ?? status.size, status.size)
        var headers: TransferHeaders = ["Content-Length": "\(end - offset)"]
        if job.asksForPart { headers["Content-Range"] = "bytes \(offset)-\(end - 1)/\(status.size)" }
        try sink.begin(response(job.asksForPart ? 206 : 200, headers))

        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
        defer { buffer.deallocate() }
        // Not past the end it had: what grows while it is read is not the file that was announced.
        while offset < end {
            if job.isCancelled.load(ordering: .acquiring) { throw CancellationError() }
            let room = UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(buffer.count, end - offset)])
            let count = try file.read(into: room, at: offset)
            if count == 0 { throw TransferError.interruptedFile(job.request.url) }
            offset += count
            _ = try sink.receive(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
    }

    /// `nil` where there is none of that name.
    private func open() throws -> OpenFile? {
        let path = job.request.url.path(percentEncoded: false)
        do {
            return try OpenFile.open(path)
        } catch {
            if error.errno == .noSuchFileOrDirectory || error.errno == .notDirectory { return nil }
            throw TransferError.unreadableFile(job.request.url, error.errno?.description ?? error.message)
        }
    }

    private func response(_ status: Int, _ headers: TransferHeaders) -> TransferResponse {
        TransferResponse(status: status, headers: headers, effectiveURL: job.request.url)
    }
}

extension TransferError {
    fileprivate static func unreadableFile(_ url: URL, _ reason: String) -> TransferError {
        TransferError(.transferUnreachable, "'\(url.forMessages)' can't be read: \(reason). Check its permissions.")
    }

    fileprivate static func interruptedFile(_ url: URL) -> TransferError {
        TransferError(
            .transferInterrupted, "'\(url.forMessages)' became shorter while it was read. Try again.", isTransient: true
        )
    }
}
