import Synchronization

/// The rate limit of one download, which its connections share and which can be changed while it runs.
public final class TransferRate: Sendable {
    /// The download's rate limit in bytes per second; 0 is unlimited.
    private let value: Atomic<Int>

    /// Creates the rate limit of one download.
    ///
    /// - Parameter bytesPerSecond: the limit in bytes per second; less than 1 counts as 1, and `nil` is unlimited.
    public init(_ bytesPerSecond: Int? = nil) { value = Atomic(Self.value(of: bytesPerSecond)) }

    /// The download's rate limit in bytes per second; `nil` is unlimited.
    public var bytesPerSecond: Int? {
        let value = self.value.load(ordering: .relaxed)
        return value == 0 ? nil : value
    }

    /// Changes the download's rate limit in bytes per second; less than 1 counts as 1, and `nil` is unlimited.
    ///
    /// A transfer that is paused for the old limit stays paused as long as that required.
    /// ``Transferring/setRate(_:of:)`` also lets it check the new one.
    public func set(_ bytesPerSecond: Int?) { value.store(Self.value(of: bytesPerSecond), ordering: .relaxed) }

    private static func value(of bytesPerSecond: Int?) -> Int { bytesPerSecond.map { max(1, $0) } ?? 0 }
}
