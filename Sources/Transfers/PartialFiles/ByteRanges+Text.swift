// The format of ranges in a `PartialFileRecord`: `0-1048576 4194304-5242880 .`, half-open ranges. The dot marks the end of
// the record; bytes after it are left over from a longer one.

extension ByteRanges {
    /// Parses the ranges in the text of a ``PartialFileRecord``, such as `0-1048576 4194304-5242880 .`.
    ///
    /// `nil` where the text is not valid or lacks the final dot.
    init?(text: String) {
        guard let dot = text.firstIndex(of: ".") else { return nil }
        self.init()
        for word in text[..<dot].split(separator: " ") {
            let ends = word.split(separator: "-").map { Int($0) }
            guard ends.count == 2, let from = ends[0], let to = ends[1], from < to else { return nil }
            insert(from..<to)
        }
    }

    /// The ranges as text for a ``PartialFileRecord``, with a final dot: `0-1048576 4194304-5242880 .`.
    var text: String { ranges.map { "\($0.lowerBound)-\($0.upperBound) " }.joined() + "." }
}
