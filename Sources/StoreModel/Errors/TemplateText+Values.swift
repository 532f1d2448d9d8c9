extension TemplateText {
    /// The number of letters in the text outside of its placeholders.
    package var letterCount: Int {
        segments.reduce(0) { count, segment in
            guard case .literal(let literal) = segment else { return count }
            return count + literal.count(where: \.isLetter)
        }
    }

    /// Returns the values with which the placeholders make the text to a finished one; `nil` if none do.
    ///
    /// Each value ends where the text after its placeholder occurs first, so that the time grows only with the length
    /// of the finished text, which may come from a store.
    package func values(in finished: String) -> [String: String]? {
        var rest = finished.utf8[...]
        var values: [String: String] = [:]
        var open: String?
        /// Assigns the text before `end` to the placeholder that was read last; returns whether that is possible.
        func close(at end: String.Index) -> Bool {
            guard let name = open else { return end == rest.startIndex }
            let value = String(rest[..<end]) ?? ""
            guard values[name] == nil || values[name] == value else { return false }
            values[name] = value
            open = nil
            return true
        }
        for (index, segment) in segments.enumerated() {
            switch segment {
            case .placeholder(let name):
                guard open == nil else { return nil }
                open = name
            case .literal(let literal):
                let literal = literal.utf8
                let range: Range<String.Index>?
                if index == segments.count - 1 {
                    guard rest.count >= literal.count, rest.suffix(literal.count).elementsEqual(literal) else {
                        return nil
                    }
                    range = rest.index(rest.endIndex, offsetBy: -literal.count)..<rest.endIndex
                } else {
                    range = rest.firstRange(of: literal)
                }
                guard let range, close(at: range.lowerBound) else { return nil }
                rest = rest[range.upperBound...]
            }
        }
        return close(at: rest.endIndex) ? values : nil
    }
}
