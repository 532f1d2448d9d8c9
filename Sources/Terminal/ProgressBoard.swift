package import StoreModel

/// All downloads that a command waits for: those that run as a line each, and a summary where there are several.
/// A pure value; ``ProgressPrinter`` puts it on the terminal.
package struct ProgressBoard {
    private var lines: [OperationID: ProgressLine] = [:]
    /// Those that run, in the order in which they were first seen.
    private var running: [OperationID] = []
    private var ended = 0
    private var receivedByEnded = 0
    /// How many downloads the command expects in all, where it knows.
    package var expected = 0

    /// What became of a report.
    package enum Change { case appeared, state, progress, ended }

    /// Takes a report.
    @discardableResult
    package mutating func update(_ status: DownloadStatus) -> Change {
        let id = status.operation
        let before = lines[id]
        if before?.status.state.isEnd == true { return .progress }
        if before == nil { running.append(id) }
        lines[id] = ProgressLine(status)
        if status.state.isEnd {
            running.removeAll { $0 == id }
            ended += 1
            receivedByEnded += status.bytesReceived
        }
        if status.state.isEnd { return .ended }
        guard let before else { return .appeared }
        let same =
            before.status.state == status.state && before.status.activity == status.activity
            && before.status.attempt == status.attempt
        return same ? .progress : .state
    }

    package func line(_ id: OperationID) -> ProgressLine? { lines[id] }

    private var received: Int {
        running.reduce(receivedByEnded) { $0 + (lines[$1]?.status.bytesReceived ?? 0) }
    }

    /// The lines to show, none longer than `width` columns and no more than `height`: where more run than the screen
    /// has lines, the summary stands for the rest.
    package func text(width: Int, height: Int) -> [String] {
        let total = max(expected, running.count + ended)
        let room = max(1, height - 1)
        var shown = running.compactMap { lines[$0] }
        if total == 1 { return shown.map { $0.text(width: width) } }
        // Those that bytes come for say more than those that wait for their turn.
        shown = shown.filter(\.isTransferring) + shown.filter { !$0.isTransferring }
        return shown.prefix(room - 1).map { $0.text(width: width) } + [summary(total: total).cut(to: width)]
    }

    private func summary(total: Int) -> String {
        var parts = ["\(ended) of \(total) done"]
        let expectations = running.compactMap { lines[$0]?.status.bytesExpected }
        let isComplete = ended + running.count == total && expectations.count == running.count
        let whole = isComplete ? receivedByEnded + expectations.reduce(0, +) : nil
        parts.append(Amounts.bytes(received, of: whole))
        let rate = running.compactMap { lines[$0]?.status.rate }.reduce(0, +)
        if rate > 0 { parts.append(Amounts.rate(Double(rate))) }
        if let whole, whole > received, rate > 0 {
            parts.append(Amounts.time(Double(whole - received) / Double(rate)) + " left")
        }
        return parts.joined(separator: "  ")
    }
}
