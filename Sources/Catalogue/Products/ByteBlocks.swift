/// A list of byte strings in a few large blocks of memory, instead of an allocation for each.
///
/// Blocks are never moved, so that a list of tens of megabytes needs no more while it grows, and lists that are joined
/// share them.
struct ByteBlocks: Sendable, Hashable {
    /// The size of the first block, in bytes; each further one is twice as large, up to ``largestBlock``.
    private static let smallestBlock = 4 << 10
    private static let largestBlock = 256 << 10

    private struct Position: Sendable, Hashable {
        var block: UInt32
        var offset: UInt32
        var count: UInt32
    }

    private var blocks: [[UInt8]] = []
    private var positions: [Position] = []
    /// The number of bytes that the last block may still take; it is full where it came from another list.
    private var free = 0

    /// The number of byte strings in the list.
    var count: Int { positions.count }

    /// The byte string at a position of the list, which shares the block's memory.
    subscript(index: Int) -> ArraySlice<UInt8> {
        let position = positions[index]
        let start = Int(position.offset)
        return blocks[Int(position.block)][start..<start + Int(position.count)]
    }

    mutating func reserveCapacity(_ count: Int) { positions.reserveCapacity(count) }

    /// Appends a copy of a byte string to the list.
    mutating func append(_ bytes: some Collection<UInt8>) {
        let count = bytes.count
        if count > free || blocks.isEmpty {
            let next = min(Self.largestBlock, Self.smallestBlock << min(blocks.count, 10))
            let capacity = max(next, count)
            var block: [UInt8] = []
            block.reserveCapacity(capacity)
            blocks.append(block)
            free = capacity
        }
        let last = blocks.count - 1
        positions.append(
            Position(block: UInt32(last), offset: UInt32(blocks[last].count), count: UInt32(count)))
        blocks[last] += bytes
        free -= count
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
        guard free > 0, let last = blocks.last else { return }
        // A copy has no more capacity than it needs.
        blocks[blocks.count - 1] = last.withUnsafeBufferPointer { Array($0) }
        free = 0
    }
}
