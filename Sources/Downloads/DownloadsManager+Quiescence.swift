/// Whether anything is about to happen without an order, for scenarios that move the clock.
extension DownloadsManager {
    /// Returns whether no download does anything before time passes or an order comes.
    ///
    /// - Parameter isWaiting: Returns whether a wait is in progress on the clock: that of a product's download before its
    ///   next attempt or for bytes of its transfer, or one of another name.
    public func isAtRest(_ isWaiting: @Sendable (_ name: String) -> Bool) -> Bool {
        resumption == nil && changesInProgress == 0 && environment.circuitBreaker.isQuiescent(isWaiting)
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
