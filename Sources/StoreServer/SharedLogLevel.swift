import Logging
import StoreSettings
import Synchronization

/// The minimum level of the messages that all loggers of a daemon write; it can change while they are in use.
final class SharedLogLevel: Sendable {
    private let level: Mutex<Logger.Level>

    init(_ level: Logger.Level) { self.level = Mutex(level) }

    var value: Logger.Level {
        get { level.withLock { $0 } }
        set { level.withLock { $0 = newValue } }
    }
}

extension SharedLogLevel {
    convenience init(_ settings: Settings) {
        self.init(.info)
        apply(settings)
    }

    /// Sets the minimum level of log messages to that of the settings.
    func apply(_ settings: Settings) {
        // The setting accepts only the names of levels.
        value = Logger.Level(rawValue: settings.logLevel) ?? .info
    }
}
