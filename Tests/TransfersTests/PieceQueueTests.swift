import Testing

@testable import StoreTransfers

@Suite struct PieceQueueTests {
    private func piece(_ byte: UInt8, count: Int = 10) -> PieceQueue.Piece {
        PieceQueue.Piece(bytes: [UInt8](repeating: byte, count: count), offset: Int(byte) * count)
    }

    @Test func `pieces are written and hashed in the order in which they were added`() {
        var queue = PieceQueue()
        for byte in 0..<3 as Range<UInt8> { queue.add(piece(byte)) }
        #expect(queue.count == 3 && queue.size == 30)
        let first = queue.nextToWrite()
        queue.addToHash(first)
        let second = queue.nextToWrite()
        queue.addToHash(second)
        #expect([first, second, queue.nextToHash(), queue.nextToHash()].map(\.offset) == [0, 10, 0, 10])
        _ = queue.didFinish(first, capacity: 100)
        #expect(queue.count == 2 && queue.size == 20 && queue.nextToWrite().offset == 20)
    }

    @Test func `a new piece gets the memory of a finished one`() {
        var queue = PieceQueue()
        #expect(queue.takeBuffer().capacity == 0)
        queue.add(piece(1, count: 1000))
        let address = queue.finishNext()
        var buffer = queue.takeBuffer()
        #expect(buffer.isEmpty && buffer.capacity >= 1000)
        buffer.append(2)
        #expect(buffer.address == address)
        #expect(queue.takeBuffer().capacity == 0, "there was one")
        queue.add(piece(3))
        _ = queue.finishNext()
        queue.removeUnusedBuffer()
        #expect(queue.takeBuffer().capacity == 0)
    }

    @Test func `the memory of one piece is kept`() {
        var queue = PieceQueue()
        for byte in 0..<3 as Range<UInt8> { queue.add(piece(byte)) }
        for _ in 0..<3 { _ = queue.finishNext() }
        #expect([queue.takeBuffer(), queue.takeBuffer()].map { $0.capacity > 0 } == [true, false])
    }

    @Test func `those that wait are returned when half of the capacity is free, or nothing is left`() {
        var queue = PieceQueue()
        for byte in 0..<4 as Range<UInt8> { queue.add(piece(byte)) }
        queue.waiting.onRoom.append {}
        let pieces = (0..<4).map { _ in queue.nextToWrite() }
        #expect(queue.didFinish(pieces[0], capacity: 40).onRoom.isEmpty)
        #expect(queue.didFinish(pieces[1], capacity: 40).onRoom.count == 1)
        #expect(queue.didFinish(pieces[2], capacity: 40).onRoom.isEmpty, "each is called once")
    }

    @Test func `a task that waits for the disk is returned with the last piece`() async {
        var queue = PieceQueue()
        let pieces = [piece(0), piece(1)]
        for piece in pieces { queue.add(piece) }
        await withCheckedContinuation { continuation in
            queue.waiting.flushing.append(continuation)
            #expect(queue.didFinish(pieces[0], capacity: 100).flushing.isEmpty)
            queue.didFinish(pieces[1], capacity: 100).call()
        }
        #expect(queue.count == 0 && queue.size == 0)
    }
}

extension PieceQueue {
    /// Finishes the next piece, and returns the address of its bytes.
    fileprivate mutating func finishNext() -> UnsafeRawPointer? {
        let piece = nextToWrite()
        let address = piece.bytes.address
        _ = didFinish(piece, capacity: 100)
        return address
    }
}

extension [UInt8] {
    fileprivate var address: UnsafeRawPointer? { withUnsafeBytes { $0.baseAddress } }
}
