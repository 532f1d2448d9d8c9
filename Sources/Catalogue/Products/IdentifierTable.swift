/// A hash table from the identifiers of products to their positions in a list, without copies of the identifiers.
///
/// It takes about 12 bytes for each product; a dictionary takes about 100.
struct IdentifierTable: Sendable, Hashable {
    /// Positions increased by one, 0 where the slot is free; at least twice as many as positions, a power of two.
    ///
    /// The slot of an identifier follows from its hash; where that is taken, the next free one is used.
    private var slots: [UInt32] = []
    private var count = 0

    /// Returns the position of an identifier in the list that the table is about; `nil` if it has none.
    func position(of identifier: String, in list: ProductItems) -> Int? {
        guard !slots.isEmpty, let slot = slot(of: identifier, in: list), slots[slot] > 0 else { return nil }
        return Int(slots[slot]) - 1
    }

    /// Adds the next position of the list, that of a product which is about to be appended.
    mutating func append(_ identifier: String, to list: ProductItems) {
        reserveCapacity(count + 1, in: list)
        if let slot = slot(of: identifier, in: list) { slots[slot] = UInt32(count + 1) }
        count += 1
    }

    /// Makes room for a number of positions.
    mutating func reserveCapacity(_ capacity: Int, in list: ProductItems) {
        guard capacity * 2 > slots.count else { return }
        var size = 16
        while size < capacity * 2 { size *= 2 }
        slots = [UInt32](repeating: 0, count: size)
        for position in 0..<count {
            if let slot = slot(of: list.identifier(at: position), in: list) { slots[slot] = UInt32(position + 1) }
        }
    }

    /// Returns the slot that has the position of an identifier, or else the free one that it would get.
    private func slot(of identifier: String, in list: ProductItems) -> Int? {
        let start = identifier.hashValue & (slots.count - 1)
        for distance in slots.indices {
            let slot = (start + distance) & (slots.count - 1)
            if slots[slot] == 0 || list.identifier(at: Int(slots[slot]) - 1) == identifier { return slot }
        }
        return nil
    }
}
