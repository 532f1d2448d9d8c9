import Synchronization

/// The order to make one transfer: the request, its range, and whether it was cancelled.
///
/// The caller and the engine's thread share it.
final class TransferJob: Sendable {
    let request: TransferRequest
    /// The offset in the requested file of the first byte to transfer.
    let offset: Int
    /// The offset in the requested file after the last byte to transfer; `nil` is the end of the file.
    let end: Int?
    /// The strong entity tag that the file must still have for its range to be sent; `nil` sends no `If-Range`.
    let ifRange: String?
    /// The size of libcurl's receive buffer for the transfer, and of the pieces in which its bytes are written, in bytes.
    let bufferSize: Int
    /// Whether the transfer was cancelled.
    ///
    /// It is set before the command to cancel is enqueued, because that command may arrive before the one to start.
    let isCancelled = Atomic(false)

    /// The time at which the transfer was requested, from which the time limit for the complete transfer counts.
    let createdAt = ContinuousClock.now

    /// Whether the same download had another transfer running when this transfer was created.
    let isAdditionalConnection: Bool
    /// The key of the host whose number of concurrent transfers is limited.
    ///
    /// It has the form of ``HostStatistics/name(of:)``.
    let host: String

    /// The number of the download that the transfer belongs to.
    ///
    /// Transfers of parts of one file share it; all other transfers have a unique one.
    let number: Int
    private static let numbers = Atomic(0)
    static func nextNumber() -> Int { numbers.add(1, ordering: .relaxed).newValue }

    /// Whether the transfer requests a range of the file and not the complete file.
    var requestsRange: Bool { offset > 0 || end != nil }

    init(
        _ request: TransferRequest, offset: Int = 0, end: Int? = nil, ifRange: String? = nil,
        bufferSize: Int = 64 << 10, number: Int = nextNumber(), isAdditionalConnection: Bool = false
    ) {
        self.isAdditionalConnection = isAdditionalConnection
        self.number = number
        self.request = request
        host = HostStatistics.name(of: request.url)
        self.offset = offset
        self.end = end
        self.ifRange = ifRange
        self.bufferSize = bufferSize
    }
}
