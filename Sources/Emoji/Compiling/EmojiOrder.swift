import StoreModel

/// The emoji of Unicode with their order, categories and English names, read from its file `emoji-test.txt`.
public struct EmojiOrder: Sendable, Hashable {
    /// One line of the file.
    public struct Entry: Sendable, Hashable {
        /// The code points.
        public let sequence: EmojiSequence
        /// Whether the line has the form of the emoji that programs should write (`fully-qualified` or `component`).
        ///
        /// Other lines are the same emoji without some of its variation selectors.
        public let isPreferred: Bool
        /// The short English name.
        public let name: String
    }

    /// The emoji of one subgroup of a category.
    public struct Subgroup: Sendable, Hashable {
        /// The name of the category, such as "Smileys & Emotion".
        public let group: String
        /// The name of the subgroup, such as "face-smiling".
        public let name: String
        /// The emoji in order.
        public fileprivate(set) var entries: [Entry]
    }

    /// The subgroups in order.
    public private(set) var subgroups: [Subgroup] = []

    /// All entries in order.
    public var entries: [Entry] { subgroups.flatMap(\.entries) }

    /// Reads the text of a file `emoji-test.txt` (Unicode Technical Standard 51).
    ///
    /// - Parameter file: the name of the file, for errors.
    /// - Throws: `emoji.source` with the line and what was expected.
    public init(testFile text: String, file: String) throws {
        var group = ""
        let statuses = ["fully-qualified", "minimally-qualified", "unqualified", "component"]
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            func mistake(_ expected: String) -> StoreError {
                StoreError(
                    .emojiSourceInvalid,
                    [
                        "file": .untrusted(file), "line": index + 1, "found": .untrusted(line.trimmed),
                        "expected": expected,
                    ])
            }
            if let name = line.value(after: "# group:") {
                group = name
            } else if let name = line.value(after: "# subgroup:") {
                subgroups.append(Subgroup(group: group, name: name, entries: []))
            } else if !line.hasPrefix("#"), !line.trimmed.isEmpty {
                let parts = line.split(separator: ";", maxSplits: 1)
                let rest = parts.count == 2 ? parts[1].split(separator: "#", maxSplits: 1) : []
                guard let status = rest.first?.trimmed, statuses.contains(status) else {
                    throw mistake("code points, ';', and one of \(statuses.joined(separator: ", "))")
                }
                guard let sequence = EmojiSequence(hexadecimal: parts[0].trimmed) else {
                    throw mistake("code points in hexadecimal")
                }
                guard !subgroups.isEmpty else { throw mistake("a line '# subgroup:' before the first emoji") }
                // The comment is the emoji, the version in which it was added, and its name.
                let comment = rest.count == 2 ? rest[1].split(separator: " ", maxSplits: 2) : []
                subgroups[subgroups.count - 1].entries.append(
                    Entry(
                        sequence: sequence, isPreferred: status == statuses[0] || status == statuses[3],
                        name: comment.count == 3 ? comment[2].trimmed : ""))
            }
        }
        guard !subgroups.isEmpty else {
            throw StoreError(
                .emojiSourceInvalid,
                [
                    "file": .untrusted(file), "line": 1, "found": "no emoji",
                    "expected": "the emoji of Unicode's file emoji-test.txt",
                ])
        }
    }
}

extension StringProtocol {
    fileprivate func value(after prefix: String) -> String? {
        hasPrefix(prefix) ? dropFirst(prefix.count).trimmed : nil
    }
}
