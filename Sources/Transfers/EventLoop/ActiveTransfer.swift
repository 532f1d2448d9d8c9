import FoundationEssentials
import StoreCCurl
import StoreModel

/// A running transfer: its libcurl handle with the callbacks, the receiver of its bytes (sink), and its deadlines.
///
/// Used on the engine's thread only.
final class ActiveTransfer {
    let job: TransferJob
    let handle: EasyHandle
    private let sink: any BodySink
    private let rateLimiting: RateLimitedTransfers
    private var reader: ResponseHeaderParser
    private(set) var deadlines: TransferDeadlines
    /// The error that a callback of libcurl met; libcurl itself reports only that a callback failed.
    private var failure: (any Error)?
    private var hasBegun = false
    /// The time at which the transfer was created, to be handed to libcurl.
    let startedAt = ContinuousClock.now
    /// The HTTP response of the transfer after all redirects; `nil` until its headers are complete.
    private(set) var response: TransferResponse?
    /// Whether the transfer's next deadline may have changed since the event loop last computed it.
    var deadlinesChanged = true

    init(_ job: TransferJob, handle: EasyHandle, sink: any BodySink, rateLimiting: RateLimitedTransfers) {
        self.job = job
        self.handle = handle
        self.sink = sink
        self.rateLimiting = rateLimiting
        reader = ResponseHeaderParser(followsRedirects: job.request.followsRedirects)
        deadlines = TransferDeadlines(job.request.timeouts, at: .now)
    }

    /// Sets the options and callbacks of the transfer's libcurl handle.
    ///
    /// The context of the callbacks is not retained: the loop keeps this object until the handle is removed from
    /// libcurl.
    ///
    /// - Returns: the first result that is not `CURLE_OK`, if there is one.
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

    // MARK: Callbacks of libcurl

    /// Called by libcurl just before it sends the request on a new or reused connection.
    private func sent() {
        deadlines.requestWasSent(at: .now)
        deadlinesChanged = true
    }

    private func header(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        switch reader.read(UnsafeRawBufferPointer(start: bytes, count: count)) {
        case .more:
            return count
        case .redirect:
            // libcurl itself would follow https to http where the first URL was http.
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
            failure = StoreError.badResponse(job.request.url, "its headers are too long")
            return ccurl_write_error()
        }
    }

    private func begin() throws {
        if hasBegun { return }
        hasBegun = true
        deadlines.responseDidBegin(at: .now)
        deadlinesChanged = true
        let url = handle.effectiveURL.flatMap { URL(string: $0) } ?? job.request.url
        let response = TransferResponse(status: reader.status, headers: reader.headers, effectiveURL: url)
        self.response = response
        try sink.begin(response)
    }

    private func body(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        do {
            try begin()
            guard rateLimiting.mayReceive(job) else {
                deadlines.paused()
                return ccurl_write_pause()
            }
            if try sink.receive(UnsafeRawBufferPointer(start: bytes, count: count)) {
                deadlines.received(count)
                rateLimiting.received(job, count)
                return count
            }
            deadlines.paused()
            return ccurl_write_pause()
        } catch {
            failure = error
            return ccurl_write_error()
        }
    }

    // MARK: Calls of the loop

    func resume() -> CURLcode {
        deadlines.resumed(at: .now)
        deadlinesChanged = true
        return handle.resume()
    }

    /// Returns the error of the transfer's deadline that has passed; `nil` where none has.
    func expire(at now: ContinuousClock.Instant) -> StoreError? {
        deadlines.expiry(at: now).map { .timeout(job.request.url, $0) }
    }

    /// Ends the transfer with libcurl's result, or with the error of one of its callbacks, which comes first.
    func end(_ result: CURLcode) {
        if let failure {
            sink.end(failure)
        } else if result == CURLE_OK {
            sink.end(nil)
        } else {
            sink.end(StoreError.curl(result, handle, job.request))
        }
    }

    /// Ends the transfer with an error that is not libcurl's, such as a cancellation or a passed deadline.
    func end(throwing error: any Error) { sink.end(error) }
}
