package import StoreModel

/// One download as a line of a terminal.
package struct ProgressLine {
    package var status: DownloadStatus

    package init(_ status: DownloadStatus) { self.status = status }

    /// Bytes, rate and time left, as far as they are known.
    package var figures: [String] {
        var figures = [Amounts.bytes(status.bytesReceived, of: status.bytesExpected)]
        if let rate = status.rate { figures.append(Amounts.rate(Double(rate))) }
        if let timeLeft = status.secondsLeft { figures.append(Amounts.time(Double(timeLeft)) + " left") }
        return figures
    }

    /// What it is busy with, in a word or a few.
    package var activity: String {
        switch status.state {
        case .finished: return "done"
        case .cancelled: return "cancelled"
        case .failed: return "failed"
        case .initializing, .downloading, .downloaded: break
        }
        if status.activity == .paused {
            // Nobody but a person makes it go on, who has to know how.
            return
                "\(visible(status.reason ?? "paused")); 'storectl resume \(visible(status.productIdentifier))' goes on"
        }
        let word = status.activity?.rawValue ?? status.state.rawValue.lowercased()
        let reason = status.reason.map { ": " + visible($0) } ?? ""
        return status.attempt > 1 ? "\(word)\(reason) (attempt \(status.attempt))" : word + reason
    }

    package var isTransferring: Bool { status.state == .downloading && status.activity == .transferring }

    /// The line in at most `width` columns: name, bar and figures while bytes come, name and activity before and
    /// after. The name gives way before the figures do, the bar before the name.
    package func text(width: Int) -> String {
        let right = isTransferring ? figures.joined(separator: "  ") : activity
        let name = visible(status.productIdentifier)
        let nameWidth = min(max(name.columns, 12), max(12, width / 3))
        let start = name.cut(to: nameWidth).padded(to: nameWidth)
        guard isTransferring, let fraction = status.fraction else { return "\(start)  \(right)".cut(to: width) }
        let percent = Amounts.percent(fraction).padded(to: 4, right: true)
        let barWidth = min(30, width - nameWidth - right.columns - 4 - 6)
        let bar = barWidth >= 6 ? Amounts.bar(fraction, width: barWidth) + "  " : ""
        return "\(start)  \(bar)\(percent)  \(right)".cut(to: width)
    }
}
