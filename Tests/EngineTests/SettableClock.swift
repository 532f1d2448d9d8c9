import FoundationEssentials
import StoreModel
import Synchronization

/// A clock whose time of day tests set; delays are those of the system.
final class SettableClock: Sendable {
    private let current: Mutex<Date>

    init(_ date: Date = Date()) { current = Mutex(date) }

    var date: Date {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }

    var source: TimeSource {
        TimeSource(
            date: { [self] in date }, now: TimeSource.system.now, sleep: TimeSource.system.sleep,
            jitter: TimeSource.system.jitter)
    }
}
