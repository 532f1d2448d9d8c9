import FoundationEssentials
import StoreCCurl
import StoreModel
import StoreSystem

/// A running transfer: its libcurl handle with the callbacks, the receiver of its bytes (sink), and its deadlines.
///
/// Used on the engine's thread only.
final class ActiveTransfer {
    let job: TransferJob
    let handle: EasyHandle
    private let sink: any BodySink
    private let rateLimiting: RateLimitedTransfers
    private var reader: ResponseHeaderParser
    private var deadlines: TransferDeadlines
    private var addressCheck: AddressCheck
    /// The error that a callback of libcurl met; libcurl itself reports only that a callback failed.
    private var failure: (any Error)?
    private var hasBegun = false
    /// The number of redirects that were received.
    private var redirects = 0
    /// The time at which the transfer was created, to be handed to libcurl.
    let startedAt = ContinuousClock.now
    /// The HTTP response of the transfer after all redirects; `nil` until its headers are complete.
    private(set) var response: TransferResponse?
    /// Whether the transfer's next deadline may have changed since the event loop last computed it.
    var deadlinesChanged = true
    /// The time of the withheld progress report by which the event loop last computed the transfer's next deadline.
    private var withheldReport: ContinuousClock.Instant?

    init(
        _ job: TransferJob, handle: EasyHandle, sink: any BodySink, rateLimiting: RateLimitedTransfers,
        addressCheck: AddressCheck
    ) {
        self.job = job
        self.handle = handle
        self.sink = sink
        self.rateLimiting = rateLimiting
        reader = ResponseHeaderParser(followsRedirects: job.request.followsRedirects)
        deadlines = TransferDeadlines(job.request.timeouts, requestedAt: job.createdAt, at: .now)
        self.addressCheck = addressCheck
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
            ccurl_set_resolver_start(
                handle.raw,
                { _, _, context in
                    ActiveTransfer.from(context).deadlines.connectionWillBeOpened()
                    return 0
                }, context),
            ccurl_set_open_socket(
                handle.raw, { context, _, to in ActiveTransfer.from(context).openSocket(to) }, context),
            ccurl_set_prerequest(
                handle.raw,
                { context, address, _, port, _ in ActiveTransfer.from(context).requestWillBeSent(to: address, port) },
                context),
        ]
        return results.first { $0 != CURLE_OK } ?? CURLE_OK
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> ActiveTransfer {
        Unmanaged<ActiveTransfer>.fromOpaque(context!).takeUnretainedValue()
    }

    // MARK: Callbacks of libcurl

    /// Called by libcurl to open a socket for a new connection; -1 makes it try the host's next address.
    private func openSocket(_ target: UnsafeMutablePointer<curl_sockaddr>?) -> curl_socket_t {
        guard let target else { return CURL_SOCKET_BAD }
        deadlines.connectionWillBeOpened()
        if let address = InternetAddress(socketAddress: ccurl_address(target)),
            !addressCheck.connectionWillBeOpened(to: address)
        {
            return CURL_SOCKET_BAD
        }
        return InternetSocket.open(
            family: target.pointee.family, type: target.pointee.socktype, protocol: target.pointee.protocol)
    }

    /// Called by libcurl just before it sends the request, also on a reused connection and after a redirect.
    private func requestWillBeSent(to host: UnsafeMutablePointer<CChar>?, _ port: Int32) -> Int32 {
        let address = host.flatMap { InternetAddress(String(cString: $0), port: UInt16(exactly: port) ?? 0) }
        guard addressCheck.allows(currentURL), address.map(addressCheck.allows) ?? true else {
            failure = StoreError.localAddress(currentURL, address)
            return CURL_PREREQFUNC_ABORT
        }
        addressCheck.requestWillBeSent(to: address)
        deadlines.requestWasSent(at: .now)
        deadlinesChanged = true
        return CURL_PREREQFUNC_OK
    }

    /// The key of the host that the transfer is connected to, after redirects.
    var host: String { response == nil ? job.host : HostStatistics.name(of: currentURL) }

    /// The URL after the redirects so far.
    private var currentURL: URL { handle.effectiveURL.flatMap { URL(string: $0) } ?? job.request.url }

    private func header(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        switch reader.read(UnsafeRawBufferPointer(start: bytes, count: count)) {
        case .more:
            return count
        case .redirect:
            // libcurl itself would follow https to http where the first URL was http.
            if handle.effectiveURL?.lowercased().hasPrefix("https:") ?? false { handle.allowOnlyTLSFromNowOn() }
            redirects += 1
            deadlines.redirected(at: .now)
            deadlinesChanged = true
            addressCheck.redirected()
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
        let response = TransferResponse(
            status: reader.status, headers: reader.headers, effectiveURL: currentURL,
            isFromLocalHost: addressCheck.isFirstLocal)
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
                let time = sink.withheldReport
                if time != withheldReport { (withheldReport, deadlinesChanged) = (time, true) }
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

    /// Whether the transfer has a connection, or has one opened.
    var isConnected: Bool { !deadlines.isQueued }

    /// Returns the time limit of the transfer that has passed; `nil` where none has.
    ///
    /// Progress that was withheld until now is reported.
    ///
    /// - Parameter othersAreConnected: whether another transfer has a connection, or has one opened.
    func expire(at now: ContinuousClock.Instant, othersAreConnected: Bool) -> TransferDeadlines.Expiry? {
        sink.reportWithheld(at: now)
        // libcurl does not report that it follows a redirect, only how many it has followed.
        if deadlines.isRedirecting, handle.redirectCount >= redirects { deadlines.redirectWasFollowed(at: now) }
        return deadlines.expiry(at: now, othersAreConnected: othersAreConnected)
    }

    /// The time of the next call to ``expire(at:othersAreConnected:)``; `nil` where none is needed.
    var nextDeadline: ContinuousClock.Instant? { [deadlines.next, sink.withheldReport].compactMap { $0 }.min() }

    /// Ends the transfer with libcurl's result, or with the error of one of its callbacks, which comes first.
    func end(_ result: CURLcode) {
        if let failure {
            sink.end(failure)
        } else if result == CURLE_OK {
            sink.end(nil)
        } else if result == CURLE_COULDNT_CONNECT, let refusedAddress = addressCheck.onlyRefusedAddress {
            sink.end(StoreError.localAddress(currentURL, refusedAddress))
        } else {
            sink.end(StoreError.curl(result, handle, job.request, through: { addressCheck.proxy }))
        }
    }

    /// Ends the transfer with an error that is not libcurl's, such as a cancellation or a passed deadline.
    func end(throwing error: any Error) { sink.end(error) }
}
