import FoundationEssentials
import StoreCCurl
import StoreSystem

/// The libcurl easy handle of one transfer, with the memory that must live as long as the handle.
///
/// Used on the engine's thread only.
final class EasyHandle {
    let raw: UnsafeMutableRawPointer
    private var headerList: UnsafeMutablePointer<curl_slist>?
    private let errorBuffer = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

    init?() {
        guard let raw = ccurl_easy_init() else { return nil }
        self.raw = raw
        errorBuffer.pointee = 0
        ccurl_set_error_buffer(raw, errorBuffer)
    }

    deinit {
        ccurl_easy_cleanup(raw)
        ccurl_slist_free_all(headerList)
        errorBuffer.deallocate()
    }

    /// libcurl's description of the transfer's failure; empty where it has none.
    var detail: String { String(cString: errorBuffer) }

    /// The URL of the transfer after the redirects so far; `nil` where libcurl has none.
    var effectiveURL: String? { ccurl_get_text(raw, CURLINFO_EFFECTIVE_URL).map { String(cString: $0) } }

    var redirectCount: Int { ccurl_get_long(raw, CURLINFO_REDIRECT_COUNT) }

    /// Whether the transfer needed no new connection, so that the response arrived on a reused one.
    var isConnectionReused: Bool { ccurl_get_long(raw, CURLINFO_NUM_CONNECTS) == 0 }

    /// Whether the transfer shares its connection with others (HTTP/2); `false` as long as it has no response.
    var isMultiplexed: Bool { ccurl_get_long(raw, CURLINFO_HTTP_VERSION) >= Int(CURL_HTTP_VERSION_2_0) }

    /// The `errno` of the transfer's last connection attempt that failed; 0 where none did.
    var systemErrorNumber: Int32 { Int32(truncatingIfNeeded: ccurl_get_long(raw, CURLINFO_OS_ERRNO)) }

    /// Sets the options of the libcurl handle for a transfer.
    ///
    /// The request was validated before, so a failure here means a lack of memory.
    ///
    /// - Returns: the first result that is not `CURLE_OK`, if there is one.
    func prepare(_ job: TransferJob, _ configuration: TransferConfiguration) -> CURLcode {
        let request = job.request
        var results: [CURLcode] = []
        func set(_ option: CURLoption, _ value: Int) { results.append(ccurl_set_long(raw, option, value)) }
        func set(_ option: CURLoption, _ value: String) { results.append(ccurl_set_text(raw, option, value)) }

        set(CURLOPT_URL, request.url.absoluteString)
        // Signals and threads don't mix; libcurl resolves names on threads of its own.
        set(CURLOPT_NOSIGNAL, 1)
        // Cancelling must not wait for a running name resolution; its thread ends by itself.
        set(CURLOPT_QUICK_EXIT, 1)
        set(CURLOPT_USERAGENT, configuration.userAgent)
        set(CURLOPT_BUFFERSIZE, job.bufferSize)
        set(CURLOPT_TCP_KEEPALIVE, 1)
        // Never HTTP/2 without TLS, which is broken in libcurl 7.88.
        set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        // Waits for a connection that is being opened and may serve this transfer, too. Without TLS none is multiplexed.
        if request.url.scheme?.lowercased() == "https" { set(CURLOPT_PIPEWAIT, 1) }
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        if let certificates = configuration.certificates { set(CURLOPT_CAINFO, certificates) }
        if let proxy = configuration.proxy { set(CURLOPT_PROXY, proxy) }
        if let hosts = configuration.noProxy { set(CURLOPT_NOPROXY, hosts) }

        set(CURLOPT_PROTOCOLS_STR, "http,https")
        if request.followsRedirects {
            set(CURLOPT_FOLLOWLOCATION, 1)
            set(CURLOPT_MAXREDIRS, TransferRequest.redirectLimit)
            set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https")
        }
        // 0 means libcurl's own limit of 300 s; the only way to express no limit is a very long one.
        set(CURLOPT_CONNECTTIMEOUT_MS, request.timeouts.connect?.inMilliseconds ?? Int(Int32.max))

        setMethod(of: request, &results)
        if job.requestsRange { set(CURLOPT_RANGE, "\(job.offset)-" + (job.end.map { "\($0 - 1)" } ?? "")) }
        setHeaders(of: job, &results)
        return results.first { $0 != CURLE_OK } ?? CURLE_OK
    }

    private func setMethod(of request: TransferRequest, _ results: inout [CURLcode]) {
        if let body = request.body {
            let result = body.withUnsafeBytes {
                ccurl_set_body(raw, $0.baseAddress ?? UnsafeRawPointer(raw), body.count)
            }
            results.append(result)
        }
        switch request.method {
        case "GET" where request.body == nil: break
        case "HEAD": results.append(ccurl_set_long(raw, CURLOPT_NOBODY, 1))
        default: results.append(ccurl_set_text(raw, CURLOPT_CUSTOMREQUEST, request.method))
        }
    }

    private func setHeaders(of job: TransferJob, _ results: inout [CURLcode]) {
        let request = job.request
        var lines: [String] = []
        // libcurl writes a field without a value for a semicolon; a colon would remove the field.
        for field in request.headers {
            lines.append(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
        }
        if job.requestsRange, let tag = job.ifRange { lines.append("If-Range: \(tag)") }
        if request.body != nil {
            // Neither libcurl's default content type, nor a delay for `100 Continue`.
            if request.headers["content-type"] == nil { lines.append("Content-Type:") }
            lines.append("Expect:")
        }
        for line in lines {
            guard let longer = ccurl_slist_append(headerList, line) else { return results.append(CURLE_OUT_OF_MEMORY) }
            headerList = longer
        }
        if headerList != nil { results.append(ccurl_set_headers(raw, headerList)) }
    }

    /// Restricts the redirects that the transfer follows from now on to `https` URLs.
    func allowOnlyTLSFromNowOn() { ccurl_set_text(raw, CURLOPT_REDIR_PROTOCOLS_STR, "https") }

    /// Continues a paused transfer; libcurl delivers the bytes that it held back before this call returns.
    ///
    /// An error that a sink throws meanwhile is returned and, unlike at other times, does not end the transfer.
    func resume() -> CURLcode { ccurl_easy_pause(raw, CURLPAUSE_CONT) }
}

extension Duration {
    var inMilliseconds: Int {
        let (seconds, rest) = components
        guard seconds < Int64(Int32.max) / 1000 else { return Int(Int32.max) }
        return Int(clamping: min(max(seconds * 1000 + rest / 1_000_000_000_000_000, 1), Int64(Int32.max)))
    }
}
