import StoreModel
import StoreSystem

/// The ranges of a partial file that are written, kept in step with its ``PartialFileRecord``.
///
/// At every moment the record names only bytes that are in the file, so that a process that is killed leaves a record
/// which can be trusted.
struct WrittenRanges {
    private(set) var ranges: ByteRanges
    /// The current content of the record; `nil` where it is not known.
    private var recorded: PartialFileRecord.Content?
    /// The entity tag to record with the ranges; `nil` records none.
    private(set) var tag: String?
    private let record: PartialFileRecord?

    /// Creates the ranges of a partial file whose content is ignored: none.
    init(_ record: PartialFileRecord?) {
        ranges = ByteRanges()
        self.record = record
    }

    /// Creates the ranges of a partial file that an earlier process left, from the record or the size of the file.
    ///
    /// - Throws: ``StoreError`` where one of the two can't be read.
    init(reading record: PartialFileRecord?, of file: OpenFile) throws(StoreError) {
        let content = if let record { try record.read() } else { PartialFileRecord.Content() }
        ranges = if let ranges = content.ranges { ranges } else { ByteRanges(0..<(try file.status().size)) }
        recorded = content
        tag = content.tag
        self.record = record
    }

    /// Writes bytes to the partial file at an offset, and updates the record where it is needed.
    mutating func write(_ bytes: [UInt8], at offset: Int, to file: OpenFile) throws(StoreError) {
        // Before bytes are written behind a gap, the gap is recorded; after they are written, they are.
        try updateRecord(before: ByteRanges(offset..<offset + bytes.count))
        try file.write(bytes, at: offset)
        ranges.insert(offset..<offset + bytes.count)
        try updateRecord()
    }

    /// Reduces the ranges to `present`, and updates the record, before other bytes are removed from the file.
    mutating func reduce(to present: ByteRanges) throws(StoreError) {
        ranges = present
        try updateRecord()
    }

    /// Reduces the ranges to a file of `size` bytes, which turned out to be shorter than recorded.
    mutating func truncate(to size: Int) { ranges = ByteRanges(0..<size) }

    /// Sets the entity tag that the bytes have from now on, and updates the record.
    mutating func setTag(_ tag: String?) throws(StoreError) {
        self.tag = tag
        try updateRecord()
    }

    /// Forgets all ranges and the entity tag, before the partial file is truncated to nothing and its record is
    /// cleared.
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
