package import StoreMessages
package import StoreModel

/// The text that shows all downloads of a command: a line for each running download, and a summary if several run.
///
/// The type has no input or output of its own; ``ProgressPrinter`` prints the lines.
package struct ProgressDisplay {
    private var lines: [OperationID: ProgressLine] = [:]
    /// The operation identifiers of the running downloads, in the order of their first status report.
    private var running: [OperationID] = []
    /// The number of ended downloads by how they ended.
    private var endings: [DownloadState: Int] = [:]
    private var receivedByEndedDownloads = 0
    /// The total number of downloads that the command waits for; 0 if unknown.
    package var expected = 0
    /// Whether the bars, and what downloads wait for, are coloured.
    package var isColored = false

    /// The texts in the user's language.
    package var messages = Messages.of(.english)

    /// The effect of a download's status report on the progress display.
    package enum Change { case appeared, state, progress, ended }

    /// Updates the progress display with a new status of a download, and returns what changed.
    @discardableResult
    package mutating func update(_ status: DownloadStatus) -> Change {
        let id = status.operation
        let previous = lines[id]
        if previous?.status.state.isEnd == true { return .progress }
        if previous == nil { running.append(id) }
        lines[id] = ProgressLine(status, messages)
        if status.state.isEnd {
            running.removeAll { $0 == id }
            endings[status.state, default: 0] += 1
            receivedByEndedDownloads += status.bytesReceived
        }
        if status.state.isEnd { return .ended }
        guard let previous else { return .appeared }
        let isSameState =
            previous.status.state == status.state && previous.status.activity == status.activity
            && previous.status.attempt == status.attempt
        return isSameState ? .progress : .state
    }

    private var ended: Int { endings.values.reduce(0, +) }

    package func line(_ id: OperationID) -> ProgressLine? { lines[id] }

    private var received: Int {
        running.reduce(receivedByEndedDownloads) { $0 + (lines[$1]?.status.bytesReceived ?? 0) }
    }

    /// Returns the progress of the downloads as at most `height` lines of at most `width` columns.
    ///
    /// If more downloads run than fit, the summary represents the others.
    package func text(width: Int, height: Int) -> [String] {
        let total = max(expected, running.count + ended)
        let room = max(1, height - 1)
        var shown = running.compactMap { lines[$0] }
        if total == 1 {
            return shown.map {
                $0.text(width: width, columns: ProgressColumns([$0], width: width), isColored: isColored)
            }
        }
        // Transferring downloads are more informative than queued ones.
        shown = shown.filter(\.isTransferring) + shown.filter { !$0.isTransferring }
        shown = Array(shown.prefix(room - 1))
        let columns = ProgressColumns(shown, width: width)
        return shown.map { $0.text(width: width, columns: columns, isColored: isColored) }
            + [summary(total: total).cut(to: width)]
    }

    private func summary(total: Int) -> String {
        var counts = [
            messages.text(
                "{finished} of {total} done", ["finished": "\(endings[.finished] ?? 0)", "total": "\(total)"])
        ]
        if let count = endings[.cancelled] {
            counts.append(messages.text(count, one: "{count} cancelled", other: "{count} cancelled"))
        }
        if let count = endings[.failed] {
            counts.append(messages.text(count, one: "{count} failed", other: "{count} failed"))
        }
        var parts = [counts.joined(separator: ", ")]
        let expectations = running.compactMap { lines[$0]?.status.bytesExpected }
        let isComplete = ended + running.count == total && expectations.count == running.count
        let whole = isComplete ? (expectations + [receivedByEndedDownloads]).checkedSum : nil
        parts.append(AmountFormat.bytes(received, of: whole, messages))
        let rate = running.compactMap { lines[$0]?.status.rate }.reduce(0, +)
        if rate > 0 { parts.append(AmountFormat.rate(Double(rate), messages)) }
        if let whole, whole > received, rate > 0 {
            let time = AmountFormat.time(Double(whole - received) / Double(rate), messages)
            parts.append(messages.text("{time} left", ["time": time]))
        }
        return parts.joined(separator: "  ")
    }
}
