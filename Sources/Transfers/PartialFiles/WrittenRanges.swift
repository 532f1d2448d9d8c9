import StoreModel
import StoreSystem

/// The ranges of a partly downloaded file that are on the disk, kept in step with the file's ``PartialFileRecord``.
///
/// At every moment the record names only bytes that are in the file, so that a process that is killed leaves a record
/// which can be trusted.
struct WrittenRanges {
    private(set) var ranges: ByteRanges
    /// The current content of the partly downloaded file's record; `nil` where it is not known.
    private var recorded: PartialFileRecord.Content?
    /// The entity tag of the server's file, to be recorded with the ranges; `nil` records none.
    private(set) var tag: String?
    private let record: PartialFileRecord?

    /// Creates an empty set of written ranges, for a partly downloaded file whose content is ignored.
    init(_ record: PartialFileRecord?) {
        ranges = ByteRanges()
        self.record = record
    }

    /// Creates the written ranges of a file that an earlier process left, from the file's record or size.
    ///
    /// - Throws: ``StoreError`` where one of the two can't be read.
    init(reading record: PartialFileRecord?, of file: OpenFile) throws(StoreError) {
        let content = if let record { try record.read() } else { PartialFileRecord.Content() }
        ranges = if let ranges = content.ranges { ranges } else { ByteRanges(0..<(try file.status().size)) }
        recorded = content
        tag = content.tag
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
        try updateRecord()
    }

    /// Reduces the written ranges to a file of `size` bytes, which turned out to be shorter than recorded.
    mutating func truncate(to size: Int) { ranges = ByteRanges(0..<size) }

    /// Sets the entity tag of the server's file that the bytes belong to from now on, and updates the record.
    mutating func setTag(_ tag: String?) throws(StoreError) {
        self.tag = tag
        try updateRecord()
    }

    /// Forgets all written ranges and the entity tag.
    ///
    /// Called before the partly downloaded file is emptied and its record is cleared.
    mutating func reset() { (ranges, recorded, tag) = (ByteRanges(), .init(), nil) }

    private func isContiguous(_ ranges: ByteRanges) -> Bool {
        ranges.ranges.isEmpty || (ranges.ranges.count == 1 && ranges.ranges[0].lowerBound == 0)
    }

    private mutating func updateRecord(before next: ByteRanges = ByteRanges()) throws(StoreError) {
        guard let record else { return }
        var future = ranges
        for range in next.ranges { future.insert(range) }
        let isContiguous = isContiguous(future)
        // The file's length tells that contiguous bytes are present.
        if isContiguous, !next.ranges.isEmpty { return }
        let content = PartialFileRecord.Content(ranges: isContiguous ? nil : ranges, tag: tag)
        guard content != recorded else { return }
        if content == .init() { try record.clear() } else { try record.write(content) }
        recorded = content
    }
}

extension OpenFile {
    func write(_ bytes: [UInt8], at offset: Int) throws(StoreError) {
        let failure = bytes.withUnsafeBytes { bytes -> StoreError? in
            do throws(StoreError) { try write(bytes, at: offset) } catch { return error }
            return nil
        }
        if let failure { throw failure }
    }
}
