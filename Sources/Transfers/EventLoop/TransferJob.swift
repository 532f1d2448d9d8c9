import Synchronization

/// One transfer, as its caller and the engine's thread both know it.
final class TransferJob: Sendable {
    let request: TransferRequest
    /// The offset of the first requested byte of the file.
    let offset: Int
    /// The end of the requested bytes; `nil` is the end of the file.
    let end: Int?
    /// The strong entity tag that the file must still have.
    let ifRange: String?
    /// The size of libcurl's receive buffer in bytes.
    let bufferSize: Int
    /// Set before the command to cancel is enqueued, because that one may arrive before the command to start.
    let isCancelled = Atomic(false)

    /// Whether another transfer of the same file is running.
    let isAdditionalConnection: Bool
    /// The host whose concurrency is limited; `nil` for a unix socket.
    let host: String?

    /// The number of the download: transfers of parts of one file have the same, all others a unique one.
    let number: Int
    private static let numbers = Atomic(0)
    static func nextNumber() -> Int { numbers.add(1, ordering: .relaxed).newValue }

    /// Whether a range is requested and not the complete file.
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
