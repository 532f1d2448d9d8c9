import FoundationEssentials
import StoreCCurl
import StoreModel
import StoreSystem

extension StoreError {
    /// Returns the error of a transfer for a result of libcurl that is not `CURLE_OK`.
    ///
    /// - Parameters:
    ///   - handle: the handle of the failed transfer, which knows the details.
    ///   - request: the request of the failed transfer.
    ///   - proxy: returns the proxy to which a connection was to be opened last; `nil` if it was to another host.
    static func curl(
        _ result: CURLcode, _ handle: EasyHandle, _ request: TransferRequest, through proxy: () -> ProxyAddresses.Proxy?
    ) -> StoreError {
        let url = request.url
        let detail = handle.detail
        // libcurl's text may quote a URL; only one with an @ can contain a user or password.
        let reason = detail.isEmpty || detail.contains("@") ? String(cString: ccurl_easy_strerror(result)) : detail
        switch result {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
            return transfer(
                result == CURLE_COULDNT_RESOLVE_HOST ? .transferHostUnknown : .transferProxyUnknown, url,
                // libcurl does not tell an unknown name from an unreachable resolver.
                isTransient: true, lacksNetwork: !NetworkRoutes.leadOut)
        case CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED, CURLE_PROXY:
            return connectFailed(request, Errno(rawValue: handle.systemErrorNumber), reason, through: proxy())
        case CURLE_OPERATION_TIMEDOUT:
            return transfer(.transferTimedOut, url, ["reason": reason], isTransient: true)
        case CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING, CURLE_HTTP2, CURLE_HTTP2_STREAM:
            return transfer(.transferConnectionBroke, url, ["reason": reason], isTransient: true)
        case CURLE_SSL_CONNECT_ERROR:
            // Also the result of a connection that breaks during the handshake.
            return transfer(.transferTLSFailed, url, ["reason": reason], isTransient: true)
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_CIPHER, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED,
            CURLE_SSL_CRL_BADFILE, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_CLIENTCERT,
            CURLE_USE_SSL_FAILED:
            return transfer(.transferCertificateInvalid, url, ["reason": reason])
        case CURLE_TOO_MANY_REDIRECTS:
            return transfer(.transferTooManyRedirects, url, ["limit": TransferRequest.redirectLimit])
        case CURLE_UNSUPPORTED_PROTOCOL where handle.redirectCount > 0:
            return transfer(.transferRedirectRefused, url)
        case CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING, CURLE_UNSUPPORTED_PROTOCOL:
            // Bytes that an earlier response left on the connection are taken for this response; a new connection helps.
            return badResponse(url, reason, isTransient: handle.isConnectionReused)
        case CURLE_URL_MALFORMAT:
            return badRequest(url, reason)
        default:
            return transfer(.transferFailed, url, ["reason": reason])
        }
    }

    private static func connectFailed(
        _ request: TransferRequest, _ number: Errno, _ reason: String, through proxy: ProxyAddresses.Proxy?
    ) -> StoreError {
        let reason = number.rawValue == 0 ? reason : number.description
        let lacksNetwork = number == .networkUnreachable || number == .networkDown
        if let proxy {
            return transfer(
                .transferProxyFailed, request.url,
                ["reason": reason, "proxy": .untrusted(proxy.text), "origin": proxy.origin], isTransient: true,
                lacksNetwork: lacksNetwork)
        }
        return transfer(
            .transferConnectFailed, request.url, ["reason": reason], isTransient: true, lacksNetwork: lacksNetwork)
    }
}
