import StoreSystem

/// Why a request got no whole answer.
struct ConnectionError: Error {
    enum Reason {
        /// Nobody heard it.
        case unheard
        /// The connection broke; it may have been heard.
        case interrupted
        /// Nothing comes any more.
        case silent
        /// What comes is no answer.
        case malformed
    }

    let reason: Reason
    /// A sentence.
    let message: String

    init(_ reason: Reason, _ message: String) {
        self.reason = reason
        self.message = message
    }

    init(_ reason: Reason, _ errno: Errno) {
        self.init(reason, "\(errno).")
    }
}
