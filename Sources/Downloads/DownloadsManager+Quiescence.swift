/// The part of the downloads manager that tells tests whether anything is about to happen without an order.
///
/// Tests with a simulated clock need it to know when to move the clock.
extension DownloadsManager {
    /// Returns whether no download does anything before time passes or an order comes.
    ///
    /// Tests that move a simulated clock wait for this.
    ///
    /// - Parameter isWaiting: returns whether a wait with a name is in progress on the clock. The name is the
    ///   identifier of the product for a download that waits for its next attempt or for bytes of its transfer; other
    ///   waits have other names.
    public func isQuiescent(_ isWaiting: @Sendable (_ name: String) -> Bool) -> Bool {
        resumption == nil && changesInProgress == 0 && endsInProgress == 0
            && environment.circuitBreaker.isQuiescent(isWaiting)
            && entries.allSatisfy { identifier, entry in
                let number = entry.task.number
                return switch entry.task.pendingEvent {
                case .none: false
                case .time: isWaiting(identifier)
                case .slot: environment.slots.isWaiting(number)
                case .network: environment.circuitBreaker.isWaiting(number)
                case .otherDownloads: entry.awaitedOperation.map { self.entry(of: $0) != nil } ?? false
                case .order: true
                }
            }
    }
}
