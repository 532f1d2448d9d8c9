import StoreSystem

/// The reason why a request to the daemon got no complete response.
struct ConnectionError: Error {
    enum Reason {
        /// The daemon did not receive the request.
        case notSent
        /// The connection broke after the request was sent; the daemon may have processed it.
        case interrupted
        /// The daemon sent nothing within the time limit.
        case timedOut
        /// The received bytes are not an HTTP response.
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
