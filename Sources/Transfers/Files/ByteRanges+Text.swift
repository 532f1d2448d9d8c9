// Ranges as they are noted beside a file that has holes: `0-1048576 4194304-5242880 .`, each without its end. The dot
// tells that nothing of the note is missing; what lies behind it is left of a longer note before.

extension ByteRanges {
    /// `nil` where this is no note, or not all of it.
    init?(text: String) {
        guard let dot = text.firstIndex(of: ".") else { return nil }
        self.init()
        for word in text[..<dot].split(separator: " ") {
            let ends = word.split(separator: "-").map { Int($0) }
            guard ends.count == 2, let from = ends[0], let to = ends[1], from < to else { return nil }
            insert(from..<to)
        }
    }

    var text: String { ranges.map { "\($0.lowerBound)-\($0.upperBound) " }.joined() + "." }
}
