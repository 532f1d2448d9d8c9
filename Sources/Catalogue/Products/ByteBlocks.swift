import StoreSystem

/// A list of byte strings in a few large blocks of memory or in files, instead of an allocation for each.
///
/// Blocks are never moved, so that a list of tens of megabytes needs no more while it grows, and lists that are joined
/// share them.
struct ByteBlocks: Sendable, Hashable {
    /// The size of the first block, in bytes; each further one is twice as large, up to ``largestBlock``.
    private static let smallestBlock = 4 << 10
    private static let largestBlock = 256 << 10

    private struct Position: Sendable {
        var block: UInt32
        var offset: UInt32
        var count: UInt32
    }

    private var blocks: [FileBytes] = []
    private var positions: [Position] = []
    /// The number of bytes that the last block may still take; it is full where it came from another list or is a file.
    private var free = 0

    /// The number of byte strings in the list.
    var count: Int { positions.count }

    init() {}

    /// Creates an empty list, to which ``append(at:)`` adds parts of a file of at most ``largestFile``.
    init(_ file: FileBytes) { blocks = [file] }

    /// The maximum size of a file in bytes, for offsets of 32 bits.
    static let largestFile = Int(UInt32.max)

    /// Calls `body` with the bytes of the string at a position of the list, which are valid until it returns.
    func withBytes<Value>(at index: Int, _ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        let position = positions[index]
        let start = Int(position.offset)
        let range = start..<start + Int(position.count)
        return blocks[Int(position.block)].withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    mutating func reserveCapacity(_ count: Int) { positions.reserveCapacity(count) }

    /// Appends a copy of a byte string to the list.
    mutating func append(_ bytes: some Collection<UInt8>) {
        let count = bytes.count
        var block = takeLast(for: count)
        positions.append(
            Position(block: UInt32(blocks.count), offset: UInt32(block.count), count: UInt32(count)))
        block += bytes
        blocks.append(.memory(block))
        free -= count
    }

    /// Removes the last block from the list if it has room for a number of bytes, and returns it, or else a new one.
    private mutating func takeLast(for count: Int) -> [UInt8] {
        if count <= free, case .memory(let last)? = blocks.last {
            // Removed, so that the block has one reference, and appending to it copies nothing.
            blocks.removeLast()
            return last
        }
        free = max(min(Self.largestBlock, Self.smallestBlock << min(blocks.count, 10)), count)
        var block: [UInt8] = []
        block.reserveCapacity(free)
        return block
    }

    /// Appends a part of the file that the list was created with.
    mutating func append(at range: Range<Int>) {
        positions.append(Position(block: 0, offset: UInt32(range.lowerBound), count: UInt32(range.count)))
    }

    /// Appends the byte strings at some positions of another list, whose blocks are shared.
    mutating func append(_ other: ByteBlocks, at indices: some Sequence<Int>) {
        let first = UInt32(blocks.count)
        blocks += other.blocks
        free = 0
        for index in indices {
            var position = other.positions[index]
            position.block += first
            positions.append(position)
        }
    }

    /// Returns the memory that the last block has in reserve.
    mutating func trim() {
        guard free > 0, case .memory(let last)? = blocks.last else { return }
        // A copy has no more capacity than it needs.
        blocks[blocks.count - 1] = .memory(last.withUnsafeBufferPointer { Array($0) })
        free = 0
    }

    /// Lists are equal if they have the same byte strings, wherever these are.
    static func == (a: ByteBlocks, b: ByteBlocks) -> Bool {
        a.count == b.count
            && (0..<a.count).allSatisfy { index in
                a.withBytes(at: index) { bytes in b.withBytes(at: index) { bytes.elementsEqual($0) } }
            }
    }

    func hash(into hasher: inout Hasher) {
        for index in 0..<count { withBytes(at: index) { hasher.combine(bytes: $0) } }
    }
}
