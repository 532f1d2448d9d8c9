/// The bandwidth limits of a transfer engine, shared by all its transfers.
///
/// They limit response bodies; the overhead of HTTP and TLS is not counted.
public struct BandwidthLimits: Sendable, Hashable {
    /// The bandwidth limit of all transfers together, in bytes per second; `nil` is unlimited.
    public var total: Int?
    /// The percentage of ``total`` that each bandwidth class of transfers gets (``TransferRequest/bandwidthClass``).
    ///
    /// Bandwidth that a class does not use is divided among the others in proportion. A class that is not listed gets
    /// what the listed ones leave of 100 percent, and at least one percent.
    public var shares: [String: Int]

    /// Creates bandwidth limits for all transfers; without arguments, the bandwidth is unlimited.
    public init(total: Int? = nil, shares: [String: Int] = [:]) {
        self.total = total
        self.shares = shares
    }
}
