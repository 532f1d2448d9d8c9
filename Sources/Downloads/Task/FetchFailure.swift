import StoreModel
import StoreTransfers

/// A failed attempt to fetch a download's archive, as far as the decision about another attempt depends on it.
struct FetchFailure: Sendable {
    /// The error with which the download fails if there is no other attempt.
    var error: ErrorReport
    /// Whether another attempt may succeed.
    var isTransient: Bool
    /// Whether another attempt may succeed only when a host can be reached.
    ///
    /// Such a failure does not count towards the limit of attempts.
    var lacksNetwork = false
    /// Whether no connection to the server could be made, as while it restarts; attempts are then limited by time.
    var isUnreachable = false
    /// Whether the server answered, with a status that is an error.
    var hasResponse = false
    /// The time for which the server asked not to be contacted; `nil` if it did not ask.
    var retryAfter: Duration?
}

extension FetchFailure {
    /// Creates the description of a failed attempt from the error of its transfer.
    ///
    /// - Parameters:
    ///   - error: the error of the transfer.
    ///   - report: the error with which the download fails if there is no other attempt.
    ///   - hasHosts: whether the archive comes from hosts, and not from a local file.
    init(_ error: StoreError, report: ErrorReport, hasHosts: Bool) {
        self.init(
            error: report, isTransient: error.isTransient, lacksNetwork: error.lacksNetwork && hasHosts,
            isUnreachable: error.code == .transferUnreachable && hasHosts, hasResponse: error.httpStatus != nil,
            retryAfter: error.retryAfter)
    }
}
