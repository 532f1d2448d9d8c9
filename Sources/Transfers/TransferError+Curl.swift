import FoundationEssentials
import StoreCCurl
import StoreModel
import StoreSystem

extension TransferError {
    /// What a result of libcurl means to a caller.
    ///
    /// - Parameter handle: of the transfer that failed, for the particulars.
    init(_ result: CURLcode, _ handle: EasyHandle, _ request: TransferRequest) {
        let detail = handle.detail
        let address = "'\(request.url.forMessages)'"
        // The error buffer may quote an address; what holds a user or password has an @ in it.
        let words = detail.isEmpty || detail.contains("@") ? String(cString: curl_easy_strerror(result)) : detail
        switch result {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
            let who = result == CURLE_COULDNT_RESOLVE_HOST ? "the host's name" : "the proxy's name"
            self.init(
                .transferUnreachable, "\(address) can't be reached: \(who) is not known. Check address and network.",
                // libcurl does not tell a name that nobody has from a resolver that nobody can ask.
                isTransient: true, lacksNetwork: !NetworkRoutes.leadOut)
        case CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED, CURLE_PROXY:
            let number = Errno(rawValue: handle.systemErrorNumber)
            let reason = number.rawValue == 0 ? words : number.description
            let place = request.unixSocketPath.map { " over '\($0)'" } ?? ""
            self.init(
                .transferUnreachable, "\(address) can't be reached\(place): \(reason). Check address and network.",
                isTransient: true, lacksNetwork: number == .networkUnreachable || number == .networkDown)
        case CURLE_OPERATION_TIMEDOUT:
            self.init(.transferTimeout, "\(address): \(words). Try again later.", isTransient: true)
        case CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING, CURLE_HTTP2, CURLE_HTTP2_STREAM:
            self.init(
                .transferInterrupted, "\(address): the connection broke (\(words)). Try again.", isTransient: true)
        case CURLE_SSL_CONNECT_ERROR:
            // Also what a connection that breaks during the handshake looks like.
            self.init(
                .transferTLS, "\(address): no secure connection (\(words)). Check address and network.",
                isTransient: true)
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_CIPHER, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED,
            CURLE_SSL_CRL_BADFILE, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_CLIENTCERT,
            CURLE_USE_SSL_FAILED:
            self.init(
                .transferTLS,
                "\(address): the other end did not prove who it is (\(words)). Check the address, the clock and the "
                    + "machine's certificates.")
        case CURLE_TOO_MANY_REDIRECTS:
            self.init(
                .transferRedirects,
                "\(address) leads on more than \(TransferRequest.redirectLimit) times, and is not followed.")
        case CURLE_UNSUPPORTED_PROTOCOL where handle.redirectCount > 0:
            self.init(
                .transferRedirects,
                "\(address) leads to an address that is less safe or of another protocol, "
                    + "and is not followed.")
        case CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING, CURLE_UNSUPPORTED_PROTOCOL:
            // What an earlier answer left on the connection is taken for this one's beginning; a new connection helps.
            self = .badAnswer(request.url, words, isTransient: handle.reusedConnection)
        case CURLE_URL_MALFORMAT:
            self = .badRequest(request.url, words)
        default:
            self.init(.transferInterrupted, "\(address): \(words).")
        }
    }
}
