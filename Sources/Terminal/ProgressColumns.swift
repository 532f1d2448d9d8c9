/// The widths of the columns that the progress lines of several downloads share, so that their bars are aligned.
struct ProgressColumns {
    /// The width of the column with the downloads' names.
    let name: Int
    /// The width of the progress bars, brackets included; 0 if there is no space for bars.
    let bar: Int
    /// Whether any of the lines has a bar or a percentage.
    let hasFractions: Bool
    private let amounts: [Int]

    /// The gap between two columns.
    static let gap = "  "
    /// The width of a percentage, such as ` 99%`.
    static let percent = 4

    /// Computes the widths of the columns for lines of at most `width` columns.
    ///
    /// If space is short, the bars are left out first, then the names are truncated.
    init(_ lines: [ProgressLine], width: Int) {
        let transferring = lines.filter(\.isTransferring)
        let longestName = lines.map { $0.name.columns }.max() ?? 0
        let name = min(max(longestName, 12), max(12, width / 3))
        let amounts = (0..<ProgressLine.amountCount).map { index in
            transferring.map { $0.amountColumns[index].columns }.max() ?? 0
        }
        let gap = Self.gap.count
        // Between name and bar, bar and percentage, and before each amount.
        let rest = amounts.reduce(0) { $0 + ($1 == 0 ? 0 : $1 + gap) } + Self.percent + 2 * gap
        let room = min(30, width - name - rest)
        hasFractions = transferring.contains { $0.status.fraction != nil }
        bar = room >= 6 ? room : 0
        (self.name, self.amounts) = (name, amounts)
    }

    /// Returns the amounts of a line, aligned to the right in their columns; columns that no line has are left out.
    func aligned(_ texts: [String]) -> String {
        zip(texts, amounts).filter { $1 > 0 }.map { $0.padded(to: $1, right: true) }.joined(separator: Self.gap)
    }
}
