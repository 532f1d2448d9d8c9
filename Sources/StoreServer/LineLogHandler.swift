import FoundationEssentials
import Logging
import StoreModel
import StoreSystem

/// A log handler that writes one line per message to standard error: time, level, message, and metadata as `key=value`.
struct LineLogHandler: LogHandler {
    /// The minimum level of the messages that are logged, shared by all loggers.
    let level: SharedLogLevel
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?

    init(level: SharedLogLevel) {
        self.level = level
    }

    var logLevel: Logger.Level {
        get { level.value }
        set { level.value = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { $1 }
        let line = Self.line(time: Date(), level: event.level, message: "\(event.message)", metadata: all)
        // One call for the whole line, so that the lines of several threads are not interleaved.
        try? FileDescriptor.standardError.writeAll(line + "\n")
    }

    /// Returns the log line of a message, without its line break.
    ///
    /// Metadata is in the order of its keys; control characters are escaped.
    static func line(
        time: Date, level: Logger.Level, message: String, metadata: Logger.Metadata
    ) -> String {
        var line = time.representable.formatted(.iso8601) + " \(level.rawValue) " + escaped(message)
        for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
            let text = "\(value)"
            let needsQuotes = text.isEmpty || text.contains { $0 == " " || $0 == "\"" || $0 == "=" }
            let plain =
                needsQuotes
                ? "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\\"") + "\""
                : text
            line += " \(key)=" + escaped(plain)
        }
        return line
    }

    private static func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else { return text }
        return text.unicodeScalars.reduce(into: "") { result, scalar in
            if scalar == "\n" {
                result += "\\n"
            } else if scalar.value < 0x20 || scalar.value == 0x7F {
                result += "\\u{" + String(scalar.value, radix: 16) + "}"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
    }
}
