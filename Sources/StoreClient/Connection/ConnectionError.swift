import StoreSystem

/// The reason for which a request got no complete response.
struct ConnectionError: Error {
    enum Reason {
        /// The daemon did not receive the request.
        case notSent
        /// The connection broke; the daemon may have processed the request.
        case interrupted
        /// The daemon sent nothing for too long.
        case timedOut
        /// The bytes are not an HTTP response.
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
