package import StoreModel

/// Prints the progress of downloads on standard error.
///
/// On a terminal, bars are redrawn in place; elsewhere plain lines are printed; with `--quiet` nothing is printed.
package struct ProgressPrinter {
    /// The minimum interval between two redraws of the progress bars, in seconds.
    private static let redrawInterval = 0.1
    /// The minimum interval between two progress lines of one download where bars can't be redrawn, in seconds.
    private static let plainLineInterval = 10.0

    private let output: TerminalOutput
    private let quiet: Bool
    private let start = ContinuousClock.now
    private var display = ProgressDisplay()
    /// The number of progress lines on the terminal that the next redraw replaces.
    private var drawnLines = 0
    private var lastRedraw = -Double.infinity
    private var lastLines: [OperationID: Double] = [:]

    package init(_ console: Console) {
        output = console.errors
        quiet = console.quiet
        display.isColored = output.isColored
        if !quiet { display.messages = console.messages }
    }

    /// Sets the total number of downloads that the command waits for.
    package mutating func expect(_ count: Int) { display.expected = count }

    package mutating func update(_ status: DownloadStatus) {
        if quiet { return }
        let passed = ContinuousClock.now - start
        let now = passed.seconds
        let change = display.update(status)
        if output.canRedraw {
            guard change != .progress || now - lastRedraw >= Self.redrawInterval else { return }
            lastRedraw = now
            draw()
        } else {
            printPlainLine(status, change, at: now)
        }
    }

    /// Erases the progress bars on the terminal, so that other output can follow.
    package mutating func clear() {
        if drawnLines > 0 { output.write(erasure) }
        drawnLines = 0
    }

    private mutating func draw() {
        let (width, height) = output.size
        // Some terminals wrap a line of exactly their width.
        let lines = display.text(width: max(10, width - 1), height: height)
        output.write(erasure + lines.map { $0 + "\n" }.joined())
        drawnLines = lines.count
    }

    /// The escape sequence that moves the cursor to the first drawn line and clears the screen from there (ECMA-48).
    private var erasure: String { drawnLines > 0 ? "\u{1B}[\(drawnLines)F\u{1B}[J" : "" }

    private mutating func printPlainLine(_ status: DownloadStatus, _ change: ProgressDisplay.Change, at now: Double) {
        guard let line = display.line(status.operation) else { return }
        let name = status.productIdentifier.displayable
        switch change {
        case .progress:
            guard line.isTransferring, now - lastLines[status.operation, default: now] >= Self.plainLineInterval else {
                return
            }
            let percent = status.fraction.map { AmountFormat.percent($0) + ", " } ?? ""
            output.write("\(name): \(percent)\(line.amounts.joined(separator: ", "))\n")
        case .appeared, .state, .ended:
            // Between two attempts, a download is queued for a moment, which is no news.
            if status.activity == .queued, status.attempt > 1 { return }
            let size = line.isTransferring ? status.bytesExpected : nil
            let shown = size.map { ", " + AmountFormat.bytes($0, display.messages) } ?? ""
            output.write("\(name): \(line.activity)\(shown)\n")
        }
        lastLines[status.operation] = now
    }
}
