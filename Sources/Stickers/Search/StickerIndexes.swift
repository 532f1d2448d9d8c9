/// The search index of all sticker packs: a few indexes of several packs each, of which each is more than twice as large as the next.
///
/// A new pack gets an index of its own, which is merged with the next larger one when that is at most twice as large. So a
/// pack's terms are found once, and are copied as often as the number of stickers doubles; and a search looks its terms
/// up in few indexes.
struct StickerIndexes: Sendable {
    private(set) var parts: [StickerIndex] = []

    /// Returns the index of exactly these packs, in which those that are in this one are not read again.
    func updated(to packs: [KnownStickerPack]) -> StickerIndexes {
        var updated = self
        let numbers = Set(packs.map(\.number))
        for part in updated.parts.indices { updated.parts[part].removePacks { numbers.contains($0) } }
        let known = Set(updated.parts.flatMap(\.packs).map(\.number))
        let new = packs.filter { !known.contains($0.number) }
        if !new.isEmpty { updated.parts.append(StickerIndex(new)) }
        updated.compact()
        return updated
    }

    /// Merges indexes of similar sizes, and rebuilds those of which more than half was removed.
    private mutating func compact() {
        for (number, part) in parts.enumerated() where part.remainingCount * 2 < part.stickerCount {
            parts[number] = StickerIndex(merging: part, with: StickerIndex([]))
        }
        parts.removeAll { $0.packs.allSatisfy(\.isRemoved) }
        // A large index may have become a small one, and one of several new packs may be the largest.
        parts.sort { $0.stickerCount > $1.stickerCount }
        while let next = parts.indices.dropFirst().last(where: isSimilar) {
            let last = parts.remove(at: next)
            parts[next - 1] = StickerIndex(merging: parts[next - 1], with: last)
        }
    }

    /// Returns whether an index is at least half as large as the one before it.
    private func isSimilar(_ next: Int) -> Bool { parts[next - 1].stickerCount <= parts[next].stickerCount * 2 }
}
