import StoreModel
import StoreSystem

/// The ranges of a partly downloaded file that are on the disk, kept in step with the file's ``PartialFileRecord``.
///
/// At every moment the record names only bytes that were written to the file, so that a process that is killed leaves a
/// record by which another one continues.
struct WrittenRanges {
    private(set) var ranges: ByteRanges
    /// The current content of the partly downloaded file's record; `nil` where it is not known.
    private var recorded: PartialFileRecord.Content?
    /// The origin to record in place of the ranges; `nil` where a hash verifies the complete file, or no tag is known.
    private(set) var origin: ContentOrigin?
    /// The SHA-256 of the file's first bytes, recorded with ``origin``.
    private(set) var digests = PrefixDigests()
    private let record: PartialFileRecord?

    /// Creates an empty set of written ranges, for a partly downloaded file whose content is ignored.
    ///
    /// - Parameter recordIsAbsent: whether the record is known not to exist, so that it need not be removed before the first write.
    init(_ record: PartialFileRecord?, recordIsAbsent: Bool = false) {
        ranges = ByteRanges()
        recorded = recordIsAbsent ? .contiguous : nil
        self.record = record
    }

    /// Creates the written ranges of a file that an earlier process left, from the file's record or size.
    ///
    /// - Throws: ``StoreError`` where one of the two can't be read.
    init(reading record: PartialFileRecord?, of file: OpenFile) throws(StoreError) {
        let content = if let record { try record.read() } else { PartialFileRecord.Content.contiguous }
        switch content {
        case .contiguous: ranges = ByteRanges(0..<(try file.status().size))
        case .ranges(let recorded):
            // Neither file is synced, so after a power cut the record may name bytes beyond the end of the file.
            let size = try file.status().size
            ranges = recorded.end > size ? recorded.subtracting(ByteRanges(size..<recorded.end)) : recorded
        case .origin(let recorded, let prefixes):
            ranges = ByteRanges(0..<prefixes.size)
            (origin, digests) = (recorded, prefixes)
        }
        recorded = content
        self.record = record
    }

    /// Writes bytes to the partly downloaded file at an offset, and updates its record where that is needed.
    mutating func write(_ bytes: [UInt8], at offset: Int, to file: OpenFile) throws(StoreError) {
        // Before bytes are written behind a gap, the gap is recorded; after they are written, they are.
        try updateRecord(before: ByteRanges(offset..<offset + bytes.count))
        try file.write(bytes, at: offset)
        ranges.insert(offset..<offset + bytes.count)
        try updateRecord()
    }

    /// Reduces the written ranges to `present`, and updates the record, before other bytes are removed from the file.
    mutating func reduce(to present: ByteRanges) throws(StoreError) {
        ranges = present
        digests.truncate(to: present.end(ofRunAt: 0))
        try updateRecord()
    }

    /// Reduces the ranges to the first `size` bytes, because no more of the recorded ones are intact.
    mutating func truncate(to size: Int) {
        ranges = ByteRanges(0..<size)
        digests.truncate(to: size)
    }

    /// Sets the origin of the bytes from now on, and updates the record.
    ///
    /// - Parameter origin: `nil` where the hash of the complete file verifies them, or no tag is known.
    mutating func setOrigin(_ origin: ContentOrigin?) throws(StoreError) {
        if origin != self.origin { digests = PrefixDigests() }
        self.origin = origin
        try updateRecord()
    }

    /// Records the SHA-256 of the file's first `size` bytes, if the origin of the bytes is recorded.
    mutating func didHash(_ size: Int, _ sha256: () -> SHA256Digest) throws(StoreError) {
        guard origin != nil, record != nil else { return }
        digests.append(size: size, sha256: sha256())
        try updateRecord()
    }

    /// Forgets all ranges and the origin, before the partial file is truncated to nothing and its record is cleared.
    mutating func reset() {
        (ranges, recorded, origin, digests) = (ByteRanges(), .contiguous, nil, PrefixDigests())
    }

    private func isContiguous(_ ranges: ByteRanges) -> Bool {
        ranges.ranges.isEmpty || (ranges.ranges.count == 1 && ranges.ranges[0].lowerBound == 0)
    }

    private mutating func updateRecord(before next: ByteRanges = ByteRanges()) throws(StoreError) {
        guard let record else { return }
        let content: PartialFileRecord.Content
        if let origin {
            content = .origin(origin, digests)
        } else {
            var future = ranges
            for range in next.ranges { future.insert(range) }
            let isContiguous = isContiguous(future)
            // The file's length tells that contiguous bytes are present.
            if isContiguous, !next.ranges.isEmpty { return }
            content = isContiguous ? .contiguous : .ranges(ranges)
        }
        guard content != recorded else { return }
        try record.write(content)
        recorded = content
    }
}
