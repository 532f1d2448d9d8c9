import FoundationEssentials
import StoreCCurl

/// A transfer that runs: its handle, its sink, its deadlines, and what libcurl calls back. Belongs to the engine's
/// thread.
final class ActiveTransfer {
    let job: TransferJob
    let handle: EasyHandle
    private let sink: any BodySink
    private let pacing: Pacing
    private var reader: ResponseReader
    private(set) var deadlines: Deadlines
    /// Why we stopped it ourselves; libcurl then only says that a callback failed.
    private var failure: (any Error)?
    private var hasBegun = false
    /// When it came to libcurl.
    let begunAt = ContinuousClock.now
    /// The last answer, once its headers are here.
    private(set) var response: TransferResponse?
    /// Set when a deadline may be nearer than was last seen.
    var deadlinesChanged = true

    init(_ job: TransferJob, handle: EasyHandle, sink: any BodySink, pacing: Pacing) {
        self.job = job
        self.handle = handle
        self.sink = sink
        self.pacing = pacing
        reader = ResponseReader(followsRedirects: job.request.followsRedirects)
        deadlines = Deadlines(job.request.timeouts, at: .now)
    }

    /// The context is not retained: the loop keeps this object until the handle is out of libcurl's hands.
    func prepare(_ configuration: TransferConfiguration) -> CURLcode {
        let context = Unmanaged.passUnretained(self).toOpaque()
        let results = [
            handle.prepare(job, configuration),
            ccurl_set_header(handle.raw, { ActiveTransfer.from($3).header($0, $1 * $2) }, context),
            ccurl_set_write(handle.raw, { ActiveTransfer.from($3).body($0, $1 * $2) }, context),
            ccurl_set_prerequest(
                handle.raw,
                { context, _, _, _, _ in
                    ActiveTransfer.from(context).sent()
                    return CURL_PREREQFUNC_OK
                }, context),
        ]
        return results.first { $0 != CURLE_OK } ?? CURLE_OK
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> ActiveTransfer {
        Unmanaged<ActiveTransfer>.fromOpaque(context!).takeUnretainedValue()
    }

    // MARK: What libcurl calls

    /// Just before the request is sent on a connection, new or used before.
    private func sent() {
        deadlines.sent(at: .now)
        deadlinesChanged = true
    }

    private func header(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        switch reader.read(UnsafeRawBufferPointer(start: bytes, count: count)) {
        case .more:
            return count
        case .redirect:
            // libcurl would allow https to http where the first address was http.
            if handle.effectiveURL?.lowercased().hasPrefix("https:") ?? false { handle.allowOnlyTLSFromNowOn() }
            deadlines.redirected()
            return count
        case .complete:
            do {
                try begin()
                return count
            } catch {
                failure = error
                return ccurl_write_error()
            }
        case nil:
            failure = TransferError.badAnswer(job.request.url, "its headers have no end")
            return ccurl_write_error()
        }
    }

    private func begin() throws {
        if hasBegun { return }
        hasBegun = true
        deadlines.answered(at: .now)
        deadlinesChanged = true
        let url = handle.effectiveURL.flatMap { URL(string: $0) } ?? job.request.url
        let response = TransferResponse(status: reader.status, headers: reader.headers, effectiveURL: url)
        self.response = response
        try sink.begin(response)
    }

    private func body(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        do {
            try begin()
            guard pacing.mayReceive(job) else {
                deadlines.paused()
                return ccurl_write_pause()
            }
            if try sink.receive(UnsafeRawBufferPointer(start: bytes, count: count)) {
                deadlines.received(count)
                pacing.received(job, count)
                return count
            }
            deadlines.paused()
            return ccurl_write_pause()
        } catch {
            failure = error
            return ccurl_write_error()
        }
    }

    // MARK: What the loop calls

    func resume() -> CURLcode {
        deadlines.resumed(at: .now)
        deadlinesChanged = true
        return handle.resume()
    }

    /// The error of a deadline that has passed.
    func expire(at now: ContinuousClock.Instant) -> TransferError? {
        deadlines.expiry(at: now).map { .timeout(job.request.url, $0) }
    }

    /// libcurl is done with it.
    func end(_ result: CURLcode) {
        if let failure {
            sink.end(failure)
        } else if result == CURLE_OK {
            sink.end(nil)
        } else {
            sink.end(TransferError(result, handle, job.request))
        }
    }

    /// It is stopped from our side.
    func end(throwing error: any Error) { sink.end(error) }
}
