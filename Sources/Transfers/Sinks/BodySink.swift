/// The receiver of the response of one transfer: its headers, the bytes of its body, and its end.
///
/// Order of calls: ``begin(_:)`` at most once, ``receive(_:)`` any number of times, ``end(_:)`` exactly once. A sink of
/// libcurl's transfers is created, used and released on the engine's thread, that of a local file on the thread that
/// reads it, or that cancels it while it waits, so that sinks need no lock.
protocol BodySink: AnyObject {
    /// Called when the headers of the transfer's last response, after redirects, are complete.
    ///
    /// - Throws: an error that ends the transfer.
    func begin(_ response: TransferResponse) throws

    /// Called with bytes of the response's body; returns `false` where there is no room for them.
    ///
    /// The transfer then pauses, and the same bytes are delivered again after it is resumed.
    ///
    /// - Throws: an error that ends the transfer.
    func receive(_ bytes: UnsafeRawBufferPointer) throws -> Bool

    /// The time from which progress that was withheld may be reported; `nil` where none was.
    var withheldReport: ContinuousClock.Instant? { get }

    /// Called at ``withheldReport`` or later, on the engine's thread; reports what was withheld.
    func reportWithheld(at now: ContinuousClock.Instant)

    /// Called when the transfer has ended; resumes the caller that waits for it.
    ///
    /// - Parameter failure: the reason of a failure; `nil` where the transfer succeeded.
    func end(_ failure: (any Error)?)
}

extension BodySink {
    // Only FileSink withholds reports.
    var withheldReport: ContinuousClock.Instant? { nil }
    func reportWithheld(at now: ContinuousClock.Instant) {}
}
