import StoreArchives
import StoreModel
import StoreTestSupport

extension FuzzTarget {
    /// Unpacks one entry as the entry table of a malicious store describes it: the hash of its bytes in the archive is right,
    /// whatever the bytes are.
    @Sendable static func selectedEntry(_ bytes: [UInt8]) throws {
        var choices = Choices(bytes)
        let method: EntryTable.Method = choices.flag() ? .deflate : .stored
        let lie = choices.pick(EntryLie.allCases)
        let (number, mask) = (choices.number(below: 65_536), UInt8(1 + choices.number(below: 255)))
        let plain = Array(choices.rest)
        var data = method == .deflate ? ZipForge.deflated(plain) : plain
        var size = plain.count
        switch lie {
        case .none, .otherBytes: break
        case .damaged: if !data.isEmpty { data[number % data.count] ^= mask }
        case .size: size = number
        case .data: (data, size) = (plain, number)
        }
        let entry = EntryTable.Entry(
            path: "a", method: method, offset: 7, compressedSize: data.count, size: size,
            sha256: SHA256Digest(of: plain), compressedSHA256: SHA256Digest(of: data))
        if lie == .otherBytes, !data.isEmpty { data[number % data.count] ^= mask }
        let file = try Workspace.file([UInt8](repeating: 0, count: 7) + data)
        try Workspace.withFolder { folder in
            let outcome = refusal {
                try Unpacker().unpack([SelectedEntry(path: "a", entry: entry)], of: file, into: folder)
            }
            let written = Array(try folder.read("a"))
            require(written.count <= size, "\(written.count) bytes of \(size)")
            if outcome.code == nil {
                requireSame(SHA256Digest(of: written), entry.sha256, "hash of the file")
                requireSame(written.count, size, "size of the file")
            }
            if lie == .none { requireSame(outcome.code, nil, "result of an honest entry") }
            if lie == .otherBytes, !data.isEmpty {
                require(outcome.code != nil && written.isEmpty, "unverified bytes are used")
            }
        }
    }
}

/// What is wrong with an entry of an entry table, or with the bytes that belong to it.
private enum EntryLie: CaseIterable {
    /// Nothing.
    case none
    /// The bytes in the archive are not a stream of the stated contents, which their hash hides.
    case damaged
    /// The stated size of the contents is another one.
    case size
    /// The bytes in the archive are any bytes.
    case data
    /// The bytes are not those of the hash.
    case otherBytes
}
