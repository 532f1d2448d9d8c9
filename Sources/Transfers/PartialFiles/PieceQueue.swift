/// The received pieces of one file that wait to be written and hashed, with the memory for the next piece.
///
/// The next piece reuses the memory of a finished one: with new memory for each piece, malloc would hold more of it the longer
/// a download takes.
struct PieceQueue {
    /// Bytes of the file that were received in one piece.
    struct Piece {
        let bytes: [UInt8]
        /// The offset of the first of the bytes in the file.
        let offset: Int
    }

    /// The functions and tasks that wait for pieces to be finished.
    struct Waiting {
        /// The functions to call once when there is room for more pieces.
        var onRoom: [@Sendable () -> Void] = []
        /// The tasks that wait until no piece is left.
        var flushing: [CheckedContinuation<Void, Never>] = []

        /// Calls the waiting functions, and resumes the waiting tasks.
        func call() {
            for action in onRoom { action() }
            for continuation in flushing { continuation.resume() }
        }
    }

    var waiting = Waiting()
    /// The number of bytes that are not completely written and hashed yet.
    private(set) var size = 0
    /// The number of pieces that are not completely written and hashed yet.
    private(set) var count = 0
    // Few, so that an array is as fast as any queue.
    private var unwritten: [Piece] = []
    private var unhashed: [Piece] = []
    /// The array of a finished piece, for the next one; only one is kept, as a slow disk may have many pieces finish at once.
    private var unusedBuffer: [UInt8]?

    /// Returns an empty array for the next piece, with the memory of an earlier one if there is any.
    mutating func takeBuffer() -> [UInt8] {
        guard var buffer = unusedBuffer.take() else { return [] }
        buffer.removeAll(keepingCapacity: true)
        return buffer
    }

    mutating func add(_ piece: Piece) {
        size += piece.bytes.count
        count += 1
        unwritten.append(piece)
    }

    /// Removes and returns the oldest piece that is not written; to be called once for each call of ``add(_:)``.
    mutating func nextToWrite() -> Piece { unwritten.removeFirst() }

    /// Adds a piece that is written to those that have to be hashed.
    mutating func addToHash(_ piece: Piece) { unhashed.append(piece) }

    /// Removes and returns the oldest piece that has to be hashed; to be called once for each call of ``addToHash(_:)``.
    mutating func nextToHash() -> Piece { unhashed.removeFirst() }

    /// Records that a piece is written and hashed, or will not be.
    ///
    /// - Parameter capacity: the number of bytes that may wait; there is room again for more when half of them do.
    /// - Returns: the functions and tasks that need not wait any more, to be called once the caller has released the piece.
    mutating func didFinish(_ piece: Piece, capacity: Int) -> Waiting {
        size -= piece.bytes.count
        count -= 1
        if unusedBuffer == nil { unusedBuffer = piece.bytes }
        var finished = Waiting()
        if size <= capacity / 2 { swap(&finished.onRoom, &waiting.onRoom) }
        if count == 0 { swap(&finished.flushing, &waiting.flushing) }
        return finished
    }

    /// Frees the memory that is kept for the next piece.
    mutating func removeUnusedBuffer() { unusedBuffer = nil }
}
