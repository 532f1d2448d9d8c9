/// A source of event numbers, from blocks that are reserved on disk before one of their numbers is used.
///
/// A reserved block is never reserved again, so that no number is used twice, even after a SIGKILL. A new block is
/// reserved as soon as half of the current one is used, so that publishing almost never finds it exhausted.
///
/// The last number of a block is never assigned. It is the cursor of a subscriber that begins with the next block, and
/// so differs from that of a subscriber that received the last event of the exhausted block: events may have been
/// published after that one which never got a number.
struct EventSequence: Sendable {
    /// The number of event numbers in a block that is reserved at once.
    let blockSize: Int
    private var next: UInt64
    /// The last number of the current block, which is not assigned.
    private var end: UInt64
    private var isReserving = false

    init(firstBlock: Range<UInt64>, blockSize: Int) {
        self.blockSize = blockSize
        next = firstBlock.lowerBound
        end = firstBlock.upperBound - 1
    }

    /// The last event number that was assigned; before the first one, the number before it.
    var last: UInt64 { next - 1 }

    /// Returns the next event number, or `nil` while the current block is exhausted.
    mutating func allocate() -> UInt64? {
        guard next < end else { return nil }
        defer { next += 1 }
        return next
    }

    /// Returns whether the caller must reserve a block of event numbers now and pass it to ``endReservation(_:)``.
    mutating func beginReservation() -> Bool {
        guard end - next < UInt64(blockSize / 2), !isReserving else { return false }
        isReserving = true
        return true
    }

    /// Replaces the current block of event numbers by a newly reserved one.
    ///
    /// Numbers left of the previous block are skipped, because numbers need only increase.
    ///
    /// - Parameter block: The block, or `nil` if the reservation failed.
    mutating func endReservation(_ block: Range<UInt64>?) {
        isReserving = false
        guard let block else { return }
        next = block.lowerBound
        end = block.upperBound - 1
    }
}
