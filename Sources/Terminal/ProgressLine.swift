package import StoreModel

/// The progress of one download, formatted as a line of text.
package struct ProgressLine {
    package var status: DownloadStatus

    package init(_ status: DownloadStatus) { self.status = status }

    /// The texts for the download's bytes received, rate and remaining time; those that are unknown are omitted.
    package var amounts: [String] {
        var amounts = [AmountFormat.bytes(status.bytesReceived, of: status.bytesExpected)]
        if let rate = status.rate { amounts.append(AmountFormat.rate(Double(rate))) }
        if let timeLeft = status.secondsLeft { amounts.append(AmountFormat.time(Double(timeLeft)) + " left") }
        return amounts
    }

    /// Text for what the download does at present, with the reason for a wait and the number of the attempt.
    package var activity: String {
        switch status.state {
        case .finished: return "done"
        case .cancelled: return "cancelled"
        case .failed: return "failed"
        case .initializing, .downloading, .downloaded: break
        }
        if status.activity == .paused {
            // Only the user can resume a paused download, so the line contains the command.
            return "\((status.reason ?? "paused").displayable); resume with "
                + "'storectl resume \(status.productIdentifier.displayable)'"
        }
        let word = status.activity?.rawValue ?? status.state.rawValue.lowercased()
        let reason = status.reason.map { ": " + $0.displayable } ?? ""
        return status.attempt > 1 ? "\(word)\(reason) (attempt \(status.attempt))" : word + reason
    }

    package var isTransferring: Bool { status.state == .downloading && status.activity == .transferring }

    /// Returns the download's progress as a line of at most `width` columns.
    ///
    /// It has name, bar and amounts during the transfer, else name and activity.
    ///
    /// If space is short, the bar is left out first, then the name is truncated.
    package func text(width: Int) -> String {
        let right = isTransferring ? amounts.joined(separator: "  ") : activity
        let name = status.productIdentifier.displayable
        let nameWidth = min(max(name.columns, 12), max(12, width / 3))
        let start = name.cut(to: nameWidth).padded(to: nameWidth)
        guard isTransferring, let fraction = status.fraction else { return "\(start)  \(right)".cut(to: width) }
        let percent = AmountFormat.percent(fraction).padded(to: 4, right: true)
        let barWidth = min(30, width - nameWidth - right.columns - 4 - 6)
        let bar = barWidth >= 6 ? AmountFormat.bar(fraction, width: barWidth) + "  " : ""
        return "\(start)  \(bar)\(percent)  \(right)".cut(to: width)
    }
}
