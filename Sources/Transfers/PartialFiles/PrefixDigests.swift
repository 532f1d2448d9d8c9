import StoreModel

/// The SHA-256 of a growing file's first bytes, at several sizes of the file.
///
/// By them another process finds how much of the file is intact: after a power cut, a file may have its length without
/// its content.
struct PrefixDigests: Sendable, Hashable {
    /// The first bytes of a file, and their SHA-256.
    struct Prefix: Sendable, Hashable {
        /// The number of bytes.
        let size: Int
        let sha256: SHA256Digest
    }

    /// The recorded prefixes; each is longer than the one before it.
    private(set) var prefixes: [Prefix] = []
    /// The smallest distance, in bytes, between two recorded prefixes other than the last.
    private var distance = 8 << 20

    /// The maximum number of prefixes, so that a record takes a few kilobytes whatever the size of the file.
    static let limit = 32

    /// The number of bytes of the longest prefix; 0 where there is none.
    var size: Int { prefixes.last?.size ?? 0 }

    /// Records the SHA-256 of the file as it is now; a file that has not grown is ignored.
    mutating func append(size: Int, sha256: SHA256Digest) {
        guard size > self.size else { return }
        // The last prefix is replaced unless it is far enough from the one before it.
        if let last = prefixes.last, last.size - (prefixes.dropLast().last?.size ?? 0) < distance {
            prefixes.removeLast()
        }
        prefixes.append(Prefix(size: size, sha256: sha256))
        while prefixes.count > Self.limit { thin() }
    }

    /// Doubles the distance and keeps only prefixes that are as far from each other, and the last.
    private mutating func thin() {
        distance *= 2
        var kept: [Prefix] = []
        for prefix in prefixes.dropLast() where prefix.size - (kept.last?.size ?? 0) >= distance {
            kept.append(prefix)
        }
        prefixes = kept + prefixes.suffix(1)
    }

    /// Forgets the prefixes that are longer than `size` bytes.
    mutating func truncate(to size: Int) { prefixes.removeAll { $0.size > size } }
}

// The format of prefixes in a `PartialFileRecord`: `1048576:6e1f… 2097152:03ac… .`, sizes in ascending order. The dot
// marks the end.

extension PrefixDigests {
    /// Parses prefixes in the format of a ``PartialFileRecord``; `nil` where the text is not valid or lacks the final
    /// dot.
    init?(text: some StringProtocol) {
        guard let dot = text.firstIndex(of: ".") else { return nil }
        for word in text[..<dot].split(separator: " ") {
            let parts = word.split(separator: ":")
            guard parts.count == 2, let size = Int(parts[0]), size > self.size,
                let sha256 = SHA256Digest(hex: String(parts[1]))
            else { return nil }
            prefixes.append(Prefix(size: size, sha256: sha256))
        }
    }

    /// The prefixes in the format of a ``PartialFileRecord``, with the final dot.
    var text: String { prefixes.map { "\($0.size):\($0.sha256.hex) " }.joined() + "." }
}
