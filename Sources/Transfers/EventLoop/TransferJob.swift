import Synchronization

/// One transfer: what to request, as its caller and the engine's thread both know it.
final class TransferJob: Sendable {
    let request: TransferRequest
    /// The offset in the file of the first byte to request.
    let offset: Int
    /// The offset after the last byte to request; `nil` is the end of the file.
    let end: Int?
    /// The strong entity tag that the file must still have for its range to be sent; `nil` sends no `If-Range`.
    let ifRange: String?
    /// The size of libcurl's receive buffer in bytes.
    let bufferSize: Int
    /// Whether the transfer was cancelled.
    ///
    /// It is set before the command to cancel is enqueued, because that command may arrive before the one to start.
    let isCancelled = Atomic(false)

    /// Whether the same download had another transfer running when this one was created.
    let isAdditionalConnection: Bool
    /// The key of the host whose concurrency is limited, as ``HostStatistics/name(of:)`` forms it; `nil` for a unix
    /// socket.
    let host: String?

    /// The number of the download: transfers of parts of one file share it, all other transfers have a unique one.
    let number: Int
    private static let numbers = Atomic(0)
    static func nextNumber() -> Int { numbers.add(1, ordering: .relaxed).newValue }

    /// Whether a range of the file is requested and not the complete file.
    var requestsRange: Bool { offset > 0 || end != nil }

    init(
        _ request: TransferRequest, offset: Int = 0, end: Int? = nil, ifRange: String? = nil,
        bufferSize: Int = 64 << 10, number: Int = nextNumber(), isAdditionalConnection: Bool = false
    ) {
        self.isAdditionalConnection = isAdditionalConnection
        self.number = number
        self.request = request
        host = request.unixSocketPath == nil ? HostStatistics.name(of: request.url) : nil
        self.offset = offset
        self.end = end
        self.ifRange = ifRange
        self.bufferSize = bufferSize
    }
}
