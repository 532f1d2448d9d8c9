package import StoreMessages
package import StoreModel

/// The text that shows all downloads of a command: a line for each running download, and a summary if several run.
///
/// The type has no input or output of its own; ``ProgressPrinter`` prints the lines.
package struct ProgressDisplay {
    private var lines: [OperationID: ProgressLine] = [:]
    /// The operation identifiers of the running downloads, in the order of their first status report.
    private var running: [OperationID] = []
    /// The operation identifiers of the downloads that transfer at present, in the order in which they began to.
    private var transferring: [OperationID] = []
    /// The sums of the sizes and rates of the running downloads.
    ///
    /// They are updated with each status, because there may be thousands of downloads to add up at each redraw.
    private var sums = Sums()
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
        let line = ProgressLine(status, messages)
        lines[id] = line
        if previous == nil { running.append(id) }
        if let previous { sums.subtract(previous.status) }
        if line.isTransferring != (previous?.isTransferring ?? false) {
            if line.isTransferring { transferring.append(id) } else { transferring.removeAll { $0 == id } }
        }
        if status.state.isEnd {
            if let index = running.firstIndex(of: id) { running.remove(at: index) }
            endings[status.state, default: 0] += 1
            receivedByEndedDownloads += status.bytesReceived
            return .ended
        }
        sums.add(status)
        guard let previous else { return .appeared }
        let isSameState =
            previous.status.state == status.state && previous.status.activity == status.activity
            && previous.status.attempt == status.attempt
        return isSameState ? .progress : .state
    }

    private var ended: Int { endings.values.reduce(0, +) }

    package func line(_ id: OperationID) -> ProgressLine? { lines[id] }

    private var received: Int { receivedByEndedDownloads + sums.received }

    /// Returns the progress of the downloads as at most `height` lines of at most `width` columns.
    ///
    /// If more downloads run than fit, the summary represents the others.
    package func text(width: Int, height: Int) -> [String] {
        let total = max(expected, running.count + ended)
        let room = max(1, height - 1)
        if total == 1 {
            return running.compactMap { lines[$0] }.map {
                $0.text(width: width, columns: ProgressColumns([$0], width: width), isColored: isColored)
            }
        }
        let shown = shownLines(room - 1)
        let columns = ProgressColumns(shown, width: width)
        return shown.map { $0.text(width: width, columns: columns, isColored: isColored) }
            + [summary(total: total).cut(to: width)]
    }

    /// Returns the lines of at most `limit` running downloads.
    ///
    /// Transferring downloads come first, because they are more informative than queued ones.
    private func shownLines(_ limit: Int) -> [ProgressLine] {
        var shown = transferring.prefix(limit).compactMap { lines[$0] }
        for id in running {
            guard shown.count < limit else { break }
            if let line = lines[id], !line.isTransferring { shown.append(line) }
        }
        return shown
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
        let isComplete = ended + running.count == total && sums.sizes == running.count
        let whole = isComplete ? Int(exactly: sums.expected + Int128(receivedByEndedDownloads)) : nil
        parts.append(AmountFormat.bytes(received, of: whole, messages))
        let rate = sums.rate
        if rate > 0 { parts.append(AmountFormat.rate(Double(rate), messages)) }
        if let whole, whole > received, rate > 0 {
            let time = AmountFormat.time(Double(whole - received) / Double(rate), messages)
            parts.append(messages.text("{time} left", ["time": time]))
        }
        return parts.joined(separator: "  ")
    }
}

/// The sums of the bytes and rates of downloads, from which the status of a download can be subtracted again.
private struct Sums {
    private(set) var received = 0
    private(set) var rate = 0
    /// The number of downloads whose size is known.
    private(set) var sizes = 0
    /// The sum of the known sizes in bytes, which are those that stores state, and may exceed an `Int` together.
    private(set) var expected: Int128 = 0

    mutating func add(_ status: DownloadStatus) {
        received += status.bytesReceived
        rate += status.rate ?? 0
        guard let size = status.bytesExpected else { return }
        sizes += 1
        expected += Int128(size)
    }

    mutating func subtract(_ status: DownloadStatus) {
        received -= status.bytesReceived
        rate -= status.rate ?? 0
        guard let size = status.bytesExpected else { return }
        sizes -= 1
        expected -= Int128(size)
    }
}
