import Synchronization

/// The rate limit of one download, which its connections share and which can be changed while it runs.
public final class TransferRate: Sendable {
    /// 0 is unlimited.
    private let value: Atomic<Int>

    /// Creates a limit.
    ///
    /// - Parameter bytesPerSecond: at least 1; `nil` is unlimited.
    public init(_ bytesPerSecond: Int? = nil) { value = Atomic(Self.value(of: bytesPerSecond)) }

    /// The limit in bytes per second; `nil` is unlimited.
    public var bytesPerSecond: Int? {
        let value = self.value.load(ordering: .relaxed)
        return value == 0 ? nil : value
    }

    /// Changes the limit for transfers that begin later.
    ///
    /// ``Transferring/setRate(_:of:)`` also applies it to running ones.
    public func set(_ bytesPerSecond: Int?) { value.store(Self.value(of: bytesPerSecond), ordering: .relaxed) }

    private static func value(of bytesPerSecond: Int?) -> Int { bytesPerSecond.map { max(1, $0) } ?? 0 }
}
