import FoundationEssentials

extension TransferResponse {
    /// The time for which the server asks not to be contacted (`Retry-After`), from now; `nil` where it does not ask.
    ///
    /// See RFC 9110, 10.2.3.
    ///
    /// ``RetryPolicy/longestDelay`` and the engine's limits per host bound how long it is honoured.
    public var retryAfter: Duration? { retryAfter(now: Date()) }

    /// Returns the time that the response's `Retry-After` names, as a number of seconds or a date.
    ///
    /// `nil` where it is neither, or missing.
    ///
    /// A date that has passed is 0 s.
    ///
    /// - Parameter now: the current time, from which a date is counted.
    func retryAfter(now: Date) -> Duration? {
        guard let value = headers["retry-after"] else { return nil }
        if let seconds = Int(value) { return seconds >= 0 ? .seconds(min(seconds, 1 << 31)) : nil }
        return HTTPDate.parse(value).map { .seconds(max(0, $0.timeIntervalSince(now))) }
    }
}
