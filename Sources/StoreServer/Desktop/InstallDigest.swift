import StoreModel

/// The installations and updates that ended and are reported by one notification.
///
/// A value without input and output. The notification is due once nothing has ended for a moment and no download runs,
/// or after a while. It stays the same one while it is shown: what ends later is added to it.
struct InstallDigest {
    /// The end of an installation or update.
    struct Item: Sendable {
        let event: Event
        let status: DownloadStatus
        var hasFailed: Bool { status.state == .failed }
    }

    /// The time without a further end after which the notification is due.
    static let pause = Duration.seconds(1)
    /// The time after which the notification is due although downloads run.
    static let maximumWait = Duration.seconds(60)
    /// The maximum number of ends that are kept; earlier ones are only counted.
    static let maximumItems = 100

    /// The ends that were reported, or are due: those of the notification that is shown, in their order.
    private(set) var reported: [Item] = []
    /// The ends that were not reported yet, in their order.
    private(set) var pending: [Item] = []
    /// The number of ends that were reported and are no longer kept.
    private(set) var omitted = 0
    private var firstAt: ContinuousClock.Instant?
    private var lastAt: ContinuousClock.Instant?

    /// Adds an event, if it is the end of an installation or update that was not cancelled.
    ///
    /// - Returns: whether it was added.
    mutating func add(_ event: Event, now: ContinuousClock.Instant) -> Bool {
        guard case .download(let status) = event.happening, status.state == .finished || status.state == .failed,
            status.action == .install || status.action == .update
        else { return false }
        pending.append(Item(event: event, status: status))
        firstAt = firstAt ?? now
        lastAt = now
        return true
    }

    /// Whether there are ends that were not reported.
    var isEmpty: Bool { pending.isEmpty }

    /// Returns whether the notification is due.
    ///
    /// - Parameter isBusy: whether a download runs.
    func isDue(isBusy: Bool, now: ContinuousClock.Instant) -> Bool {
        guard let firstAt, let lastAt, pending.count < Self.maximumItems else { return !pending.isEmpty }
        return (!isBusy && now - lastAt >= Self.pause) || now - firstAt >= Self.maximumWait
    }

    /// Adds the pending ends to those of the notification that is shown.
    ///
    /// - Parameter needsReport: whether an end has to be reported.
    /// - Returns: whether the notification has to be shown, again or for the first time.
    mutating func report(where needsReport: (Item) -> Bool) -> Bool {
        let new = pending.filter(needsReport)
        (pending, firstAt, lastAt) = ([], nil, nil)
        guard !new.isEmpty else { return false }
        // Only the newest end of each product counts.
        let newest = Dictionary(new.enumerated().map { ($1.status.productIdentifier, $0) }) { $1 }
        reported.removeAll { newest[$0.status.productIdentifier] != nil }
        for (index, item) in new.enumerated() where newest[item.status.productIdentifier] == index {
            reported.append(item)
        }
        let excess = reported.count - Self.maximumItems
        if excess > 0 {
            omitted += reported.prefix(excess).count { !$0.hasFailed }
            reported.removeFirst(excess)
        }
        return true
    }

    /// The products that the notification names, or more: those that failed, if any did.
    var shownProducts: [String] {
        let failed = reported.filter(\.hasFailed)
        return (failed.isEmpty ? reported : failed).map(\.status.productIdentifier)
    }

    /// Begins a new notification, because the one that was shown is closed.
    mutating func forgetReported() {
        reported = []
        omitted = 0
    }
}
