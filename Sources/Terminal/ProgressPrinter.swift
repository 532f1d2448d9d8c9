package import StoreModel

/// Shows on standard error how downloads come along: as bars that are drawn again in place on a terminal, as plain
/// lines elsewhere, and not at all with `--quiet`.
package struct ProgressPrinter {
    /// The least time between two drawings, and between two plain lines of one download, in seconds.
    private static let drawing = 0.1
    private static let plainLines = 10.0

    private let screen: Screen
    private let quiet: Bool
    private let start = ContinuousClock.now
    private var board = ProgressBoard()
    /// How many lines stand on the terminal and are to be drawn over.
    private var drawn = 0
    private var lastDrawing = -Double.infinity
    private var lastLines: [OperationID: Double] = [:]

    package init(_ console: Console) {
        screen = console.errors
        quiet = console.quiet
    }

    /// Says how many downloads are waited for.
    package mutating func expect(_ count: Int) { board.expected = count }

    package mutating func update(_ status: DownloadStatus) {
        if quiet { return }
        let passed = ContinuousClock.now - start
        let now = passed.seconds
        let change = board.update(status)
        if screen.canRedraw {
            guard change != .progress || now - lastDrawing >= Self.drawing else { return }
            lastDrawing = now
            draw()
        } else {
            say(status, change, at: now)
        }
    }

    /// Takes the bars away, so that other output can follow.
    package mutating func clear() {
        if drawn > 0 { screen.write(erasure) }
        drawn = 0
    }

    private mutating func draw() {
        let (width, height) = screen.size
        // A line as wide as the screen would make some terminals wrap.
        let lines = board.text(width: max(10, width - 1), height: height)
        screen.write(erasure + lines.map { $0 + "\n" }.joined())
        drawn = lines.count
    }

    /// To the first of the drawn lines, and everything from there on cleared (ECMA-48: CPL, ED).
    private var erasure: String { drawn > 0 ? "\u{1B}[\(drawn)F\u{1B}[J" : "" }

    private mutating func say(_ status: DownloadStatus, _ change: ProgressBoard.Change, at now: Double) {
        guard let line = board.line(status.operation) else { return }
        let name = visible(status.productIdentifier)
        switch change {
        case .progress:
            guard line.isTransferring, now - lastLines[status.operation, default: now] >= Self.plainLines else {
                return
            }
            let percent = status.fraction.map { Amounts.percent($0) + ", " } ?? ""
            screen.write("\(name): \(percent)\(line.figures.joined(separator: ", "))\n")
        case .appeared, .state, .ended:
            let size = line.isTransferring ? status.bytesExpected.map { ", " + Amounts.bytes($0) } ?? "" : ""
            screen.write("\(name): \(line.activity)\(size)\n")
        }
        lastLines[status.operation] = now
    }
}
