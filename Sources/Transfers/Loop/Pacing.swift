import StoreModel
import Synchronization

/// Which transfers wait until bytes may come again. Belongs to the engine's thread.
final class Pacing {
    var pacer = Pacer()
    private let total: ReceivedBytes
    private var waiting: [ObjectIdentifier: ContinuousClock.Instant] = [:]

    /// - Parameter total: where what came is counted.
    init(_ total: ReceivedBytes) { self.total = total }

    /// When the next may go on; `nil` where none waits.
    var next: ContinuousClock.Instant? { waiting.values.min() }

    func began(_ job: TransferJob) {
        pacer.began(job.number, of: job.request.bandwidthClass, rate: job.request.rate?.bytesPerSecond, at: .now)
    }

    func ended(_ job: TransferJob) {
        waiting[ObjectIdentifier(job)] = nil
        pacer.ended(job.number, of: job.request.bandwidthClass, at: .now)
    }

    /// Whether bytes of a transfer may come; else it is to pause until ``due(at:)`` names it.
    func mayReceive(_ job: TransferJob) -> Bool {
        guard job.request.unixSocketPath == nil else { return true }
        let now = ContinuousClock.now
        pacer.setRate(job.request.rate?.bytesPerSecond, of: job.number, at: now)
        guard let wait = pacer.wait(job.number, of: job.request.bandwidthClass, at: now) else { return true }
        waiting[ObjectIdentifier(job)] = now + wait
        return false
    }

    func received(_ job: TransferJob, _ count: Int) {
        total.count.add(count, ordering: .relaxed)
        pacer.received(job.number, of: job.request.bandwidthClass, count)
    }

    /// All that wait, to be told anew how long: the limits have changed.
    func all() -> [ObjectIdentifier] {
        defer { waiting = [:] }
        return Array(waiting.keys)
    }

    /// Those that may go on, who have waited longest first.
    func due(at now: ContinuousClock.Instant) -> [ObjectIdentifier] {
        let due = waiting.filter { $0.value <= now }.sorted { $0.value < $1.value }.map(\.key)
        for id in due { waiting[id] = nil }
        return due
    }
}

/// How many bytes have come through an engine, whatever became of them.
final class ReceivedBytes: Sendable {
    let count = Atomic(0)
}
