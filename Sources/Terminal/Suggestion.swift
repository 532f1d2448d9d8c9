import StoreModel

/// A namespace for finding the word, or the identifier, that a mistyped one means.
package enum Suggestion {
    /// The length up to which words are compared, because the time grows with the product of two lengths.
    private static let maximumLength = 200

    /// The length from which the beginning of a single candidate means that candidate.
    private static let minimumPrefixLength = 3

    /// Returns the candidate that is most similar to a word; `nil` if none is similar.
    ///
    /// The beginning of a single candidate means that one: `stat` is one letter from `start`, but begins `status`.
    package static func best(for word: String, among candidates: [String]) -> String? {
        if word.count >= minimumPrefixLength {
            let continued = Set(candidates.filter { $0.lowercased().hasPrefix(word.lowercased()) })
            if continued.count == 1 { return continued.first }
        }
        var best: (candidate: String, distance: Int)?
        for candidate in candidates {
            guard let distance = distance(word, candidate) else { continue }
            if best.map({ (distance, candidate) < ($0.distance, $0.candidate) }) ?? true {
                best = (candidate, distance)
            }
        }
        return best?.candidate
    }

    /// Returns the hint that names a word which may be meant, in English.
    package static func hint(naming word: String) -> String {
        EnglishText.filled("did you mean '{word}'?", ["word": word])
    }

    /// Returns the identifier that is most similar to a typed one; `nil` if none is similar.
    ///
    /// The parts between dots are compared one by one: `org.example.dogs` has most characters in common with
    /// `org.example.cats`, and is not similar. Text without a dot may be the last part of an identifier.
    package static func bestIdentifier(for typed: String, among known: [String]) -> String? {
        let parts = typed.split(separator: ".").map(String.init)
        var best: (identifier: String, distance: Int)?
        for identifier in known {
            var candidate = identifier.split(separator: ".").map(String.init)
            if parts.count == 1, let last = candidate.last { candidate = [last] }
            guard let distance = distance(parts, candidate) else { continue }
            if best.map({ (distance, identifier) < ($0.distance, $0.identifier) }) ?? true {
                best = (identifier, distance)
            }
        }
        return best?.identifier
    }

    /// Returns in how many characters two identifiers differ; `nil` if one of their parts is not similar.
    private static func distance(_ a: [String], _ b: [String]) -> Int? {
        guard a.count == b.count else { return nil }
        var sum = 0
        for (a, b) in zip(a, b) {
            guard let distance = distance(a, b) else { return nil }
            sum += distance
        }
        return sum
    }

    /// Returns the number of characters in which two words differ, without case; `nil` if they are not similar.
    ///
    /// As in Cargo, up to a third of the characters of the longer word may differ.
    static func distance(_ a: String, _ b: String) -> Int? {
        if a == b { return 0 }
        let (a, b) = (Array(a.lowercased()), Array(b.lowercased()))
        let longest = max(a.count, b.count)
        guard longest <= maximumLength, abs(a.count - b.count) <= longest / 3 else { return nil }
        let distance = edits(a, b)
        return distance <= longest / 3 ? distance : nil
    }

    /// Returns the number of characters to insert, delete, replace or swap with the next one to get from `a` to `b`.
    ///
    /// This is the optimal string alignment distance, computed row by row of its matrix.
    static func edits(_ a: [Character], _ b: [Character]) -> Int {
        var (beforeLast, last) = ([Int](), Array(0...b.count))
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, beforeLast[j - 1] + 1) }
                row.append(cost)
            }
            (beforeLast, last) = (last, row)
        }
        return last[b.count]
    }
}
