/// The progress of a download, in absolute numbers.
public struct TransferProgress: Sendable, Hashable {
    /// The bytes of the file that have been received, including those of earlier attempts.
    public let received: Int
    /// The size of the complete file in bytes; `nil` where it is not known.
    public let expected: Int?
    /// The number of bytes that were there when this attempt began; falls to 0 where the download starts over.
    public let resumedFrom: Int

    /// Creates a progress report.
    public init(received: Int, expected: Int?, resumedFrom: Int) {
        self.received = received
        self.expected = expected
        self.resumedFrom = resumedFrom
    }
}
