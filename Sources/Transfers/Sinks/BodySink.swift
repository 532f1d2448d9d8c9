/// What becomes of the bytes of one transfer. Made, used and let go on the thread that moves the bytes, so that it
/// needs no lock of its own.
///
/// Order of calls: ``begin(_:)`` at most once, ``receive(_:)`` any number of times, ``end(_:)`` exactly once.
protocol BodySink: AnyObject {
    /// The headers of the last answer are here. Throwing ends the transfer with that error.
    func begin(_ response: TransferResponse) throws

    /// Some bytes of the body. `false` where there is no room: they come again after the transfer is resumed.
    func receive(_ bytes: UnsafeRawBufferPointer) throws -> Bool

    /// The transfer is over, well or with an error. Whoever waits for it is told here.
    func end(_ failure: (any Error)?)
}
