/// The destination of one transfer's bytes.
///
/// Sinks are created, used and released on the engine's thread, so they need no lock.
///
/// Order of calls: ``begin(_:)`` at most once, ``receive(_:)`` any number of times, ``end(_:)`` exactly once.
protocol BodySink: AnyObject {
    /// Called when the headers of the last response are complete. Throwing ends the transfer with that error.
    func begin(_ response: TransferResponse) throws

    /// Called with bytes of the body. Returns `false` where there is no room; the transfer then pauses, and the same bytes
    /// are delivered again after it is resumed.
    func receive(_ bytes: UnsafeRawBufferPointer) throws -> Bool

    /// Called when the transfer has ended, successfully or with an error; resumes the caller.
    func end(_ failure: (any Error)?)
}
