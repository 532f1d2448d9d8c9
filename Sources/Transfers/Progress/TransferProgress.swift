/// The progress of a download of a file or a range, in absolute numbers of bytes.
public struct TransferProgress: Sendable, Hashable {
    /// The number of bytes of the download that have been received, including those of earlier attempts.
    public let received: Int
    /// The number of bytes of the complete file or range to download; `nil` where it is not known.
    public let expected: Int?
    /// The number of bytes that were there when this attempt of the download began; 0 once the download starts over.
    public let resumedFrom: Int

    /// Creates a report of a download's progress from numbers of bytes.
    public init(received: Int, expected: Int?, resumedFrom: Int) {
        self.received = received
        self.expected = expected
        self.resumedFrom = resumedFrom
    }
}
