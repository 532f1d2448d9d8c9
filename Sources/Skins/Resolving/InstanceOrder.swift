/// A theme file of a skin that was read, with its content.
///
/// It is a class because a document has many arrays, which would be retained one by one for each use.
final class LocatedDocument {
    let file: SkinFile
    let document: ThemeDocument

    init(file: SkinFile, document: ThemeDocument) {
        self.file = file
        self.document = document
    }
}

/// The place of a class or an instance in the theme files of a skin.
struct LocatedDefinition {
    /// The index of the theme file among those that were read.
    let document: Int
    /// The index of the definition among the classes or the instances of the theme file.
    let index: Int
}

/// The instances in the theme files of a skin, ordered by their identifiers, and grouped by them.
struct InstanceOrder {
    /// The definitions of each identifier in order of increasing precedence; the identifiers are in byte order.
    let groups: [ArraySlice<LocatedDefinition>]

    /// An instance with the beginning of its identifier, which nearly always decides the order.
    private struct Entry {
        /// The first 16 bytes of the identifier as big-endian numbers, filled with zeros.
        let (first, second): (UInt64, UInt64)
        /// The number of the instance in order of increasing precedence.
        let number: Int
    }

    /// Orders instances.
    ///
    /// - Parameters:
    ///   - instances: the instances in order of increasing precedence.
    ///   - documents: the theme files that contain them.
    init(_ instances: [LocatedDefinition], in documents: [LocatedDocument]) {
        func identifier(_ number: Int) -> String {
            documents[instances[number].document].document.instances[instances[number].index].identifier
        }
        var entries: [Entry] = []
        entries.reserveCapacity(instances.count)
        for number in instances.indices {
            let (first, second) = identifier(number).leadingNumbers
            entries.append(Entry(first: first, second: second, number: number))
        }
        // Identifiers contain no zero byte, so those with equal beginnings and less than 16 bytes are equal.
        func isEqual(_ a: Entry, _ b: Entry) -> Bool {
            a.first == b.first && a.second == b.second
                && (a.second & 0xFF == 0 || identifier(a.number).utf8.elementsEqual(identifier(b.number).utf8))
        }
        entries.sort { a, b in
            if a.first != b.first { return a.first < b.first }
            if a.second != b.second { return a.second < b.second }
            if a.second & 0xFF != 0 {
                let (one, other) = (identifier(a.number), identifier(b.number))
                if !one.utf8.elementsEqual(other.utf8) { return one.isBefore(other) }
            }
            return a.number < b.number
        }
        let ordered = entries.map { instances[$0.number] }
        var groups: [ArraySlice<LocatedDefinition>] = []
        groups.reserveCapacity(ordered.count)
        var start = 0
        for next in entries.indices.dropFirst() where !isEqual(entries[start], entries[next]) {
            groups.append(ordered[start..<next])
            start = next
        }
        if start < ordered.count { groups.append(ordered[start...]) }
        self.groups = groups
    }
}

extension String {
    /// The first 16 bytes of the text as two big-endian numbers, filled with zeros if it is shorter.
    fileprivate var leadingNumbers: (UInt64, UInt64) {
        var text = self
        return text.withUTF8 { bytes in
            var numbers: (UInt64, UInt64) = (0, 0)
            withUnsafeMutableBytes(of: &numbers) { $0.copyBytes(from: bytes.prefix(16)) }
            return (UInt64(bigEndian: numbers.0), UInt64(bigEndian: numbers.1))
        }
    }
}
