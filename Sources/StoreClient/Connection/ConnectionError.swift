import StoreSystem

/// The error of a request to the daemon that got no complete response, with the reason.
struct ConnectionError: Error {
    enum Reason {
        /// The request failed because the daemon did not receive it.
        case notSent
        /// The connection broke after the request was sent; the daemon may have processed it.
        case interrupted
        /// The request failed because the daemon sent nothing within the time limit.
        case timedOut
        /// The request failed because the received bytes are not an HTTP response.
        case malformed
    }

    let reason: Reason
    let message: String

    init(_ reason: Reason, _ message: String) {
        self.reason = reason
        self.message = message
    }

    init(_ reason: Reason, _ errno: Errno) { self.init(reason, errno.description) }
}
