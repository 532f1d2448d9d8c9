package import StoreMessages
package import StoreModel

/// The progress of one download, formatted as a line of text.
package struct ProgressLine {
    package var status: DownloadStatus

    private let messages: Messages

    package init(_ status: DownloadStatus, _ messages: Messages = .of(.english)) {
        self.status = status
        self.messages = messages
    }

    /// The download's name for display.
    var name: String { status.productIdentifier.displayable }

    /// The number of elements of ``amountColumns``.
    static let amountCount = 3

    /// The texts for the download's bytes received, rate and remaining time; a text is empty if its amount is unknown.
    var amountColumns: [String] {
        [
            AmountFormat.bytes(status.bytesReceived, of: status.bytesExpected, messages),
            status.rate.map { AmountFormat.rate(Double($0), messages) } ?? "",
            status.secondsLeft.map {
                messages.text("{time} left", ["time": AmountFormat.time(Double($0), messages)])
            } ?? "",
        ]
    }

    /// The texts for the download's bytes received, rate and remaining time; those that are unknown are omitted.
    package var amounts: [String] { amountColumns.filter { !$0.isEmpty } }

    /// Text for what the download does at present, with the reason for a wait and the number of the attempt.
    package var activity: String {
        switch status.state {
        case .finished: return messages.text("done")
        case .cancelled: return messages.text("cancelled")
        case .failed: return messages.text("failed")
        case .initializing, .downloading, .downloaded: break
        }
        if status.activity == .paused {
            // Only the user can resume a paused download, so the line contains the command.
            let reason = status.reason.map { messages.translation(of: $0) } ?? messages.text("paused")
            return messages.text(
                "{reason}; resume with 'storectl resume {product}'",
                ["reason": reason.displayable, "product": status.productIdentifier.displayable])
        }
        let text = status.activityAndReason(messages).displayable
        guard status.attempt > 1 else { return text }
        return messages.text("{activity} (attempt {number})", ["activity": text, "number": "\(status.attempt)"])
    }

    /// Returns the text for what the download does at present, without its name if the text would be wider than `width`.
    ///
    /// The line begins with the name, which would be truncated here.
    private func activity(fitting width: Int) -> String {
        guard status.activity == .paused, activity.columns > width else { return activity }
        return messages.text("paused; resume with 'storectl resume ID'")
    }

    package var isTransferring: Bool { status.state == .downloading && status.activity == .transferring }

    /// Returns the download's progress as a line of at most `width` columns.
    ///
    /// It has name, bar and amounts during the transfer, else name and activity.
    package func text(width: Int) -> String { text(width: width, columns: ProgressColumns([self], width: width)) }

    /// Returns the download's progress as a line of at most `width` columns, aligned with other lines.
    ///
    /// - Parameter isColored: whether the bar, and what a download waits for, are coloured.
    func text(width: Int, columns: ProgressColumns, isColored: Bool = false) -> String {
        let plain = plainText(width: width, columns: columns)
        guard isColored else { return plain }
        if isTransferring {
            guard columns.bar > 0, let fraction = status.fraction else { return plain }
            return plain.styled(AmountFormat.bar(fraction, width: columns.bar), .success)
        }
        let shown = activity(fitting: width - columns.name - ProgressColumns.gap.count)
        return status.activity == .waiting || status.activity == .paused ? plain.styled(shown, .warning) : plain
    }

    private func plainText(width: Int, columns: ProgressColumns) -> String {
        let gap = ProgressColumns.gap
        let start = name.cut(to: columns.name).padded(to: columns.name)
        guard isTransferring else {
            return (start + gap + activity(fitting: width - columns.name - gap.count)).cut(to: width)
        }
        let amounts = columns.aligned(amountColumns)
        guard columns.hasFractions else { return (start + gap + amounts).cut(to: width) }
        // A download of unknown size has spaces in place of the bar.
        let bar = status.fraction.map { AmountFormat.bar($0, width: columns.bar) } ?? ""
        let percent = status.fraction.map(AmountFormat.percent) ?? ""
        let middle =
            (columns.bar == 0 ? "" : bar.padded(to: columns.bar) + gap)
            + percent.padded(to: ProgressColumns.percent, right: true)
        return (start + gap + middle + gap + amounts).cut(to: width)
    }
}

extension String {
    /// Returns the text with the last occurrence of a part of it in a style; unchanged if the part was truncated.
    fileprivate func styled(_ part: String, _ style: TextStyle) -> String {
        guard let range = ranges(of: part).last else { return self }
        return self[..<range.lowerBound] + style.applied(to: part) + self[range.upperBound...]
    }
}
