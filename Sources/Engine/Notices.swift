import FoundationEssentials
import Logging
import StoreModel
import StoreSystem
import Synchronization

/// Messages about events that the user should know of, such as the loss of the database, also after a restart.
///
/// A daemon exits when it is idle, so that a warning of the process alone would hardly be seen.
final class Notices: Sendable {
    private struct Notice: Codable {
        var time: Date
        var text: String
    }

    private static let file = "notices.json"
    /// The time for which a message is shown.
    private static let lifetime: TimeInterval = 30 * 86_400
    /// The maximum number of messages; the oldest are dropped.
    private static let limit = 20

    private let directory: Directory
    private let clock: TimeSource
    private let log: Logger
    private let notices: Mutex<[Notice]>

    /// Reads the messages of earlier processes from the data directory; a file that can't be read has none.
    init(directory: Directory, clock: TimeSource, log: Logger) {
        self.directory = directory
        self.clock = clock
        self.log = log
        let data = try? directory.status(of: Self.file) == nil ? nil : directory.read(Self.file)
        notices = Mutex(data.flatMap { try? JSON.decode([Notice].self, from: $0) } ?? [])
    }

    /// Logs a message, and keeps it for later processes.
    func add(_ text: String) {
        log.warning("\(text)")
        let notice = Notice(time: clock.date(), text: text)
        let all = notices.withLock { notices in
            notices = (current(notices) + [notice]).suffix(Self.limit)
            return notices
        }
        do {
            try directory.replace(Self.file, with: JSON.encode(all))
        } catch {
            log.warning("could not keep the message: \(ErrorReport(error).message)")
        }
    }

    /// The messages that are not too old, each with its date.
    var texts: [String] {
        notices.withLock { current($0) }.map { "\($0.text) (\($0.time.localFormatted("%Y-%m-%d")))" }
    }

    private func current(_ notices: [Notice]) -> [Notice] {
        let oldest = clock.date().addingTimeInterval(-Self.lifetime)
        return notices.filter { $0.time > oldest }
    }
}
