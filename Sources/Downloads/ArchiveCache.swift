import FoundationEssentials
import StoreModel
import StoreSystem
import Synchronization

/// Archives of packs that were installed, kept under their SHA-256, so that the same file need not come again: for a pack
/// that was uninstalled, or for another store that has it too.
///
/// It is a cache in every respect. Anybody may remove what is in it at any time; a file is believed for its content,
/// which is hashed before it is used, and never for its name; nothing fails because of it. All together have no more
/// bytes than the limit, at no moment; the one that was not used for longest goes first.
final class ArchiveCache: Sendable {
    private struct Kept {
        var size: Int
        var usedAt: Date
    }
    private struct State {
        var limit: Int
        /// By name; `nil` while nobody has looked.
        var kept: [String: Kept]?
    }
    private let folder: Directory
    private let state: Mutex<State>
    /// What changes the folder happens here, one after another.
    private let changes = BlockingWork(label: "downloads.archives")
    private let reading = BlockingWork(label: "downloads.archives.reading", concurrent: true)

    /// - Parameter limit: in bytes; 0 keeps none, and uses none.
    init(_ folder: Directory, limit: Int) {
        self.folder = folder
        state = Mutex(State(limit: limit))
    }

    /// Holds from now on; what is over the limit goes.
    func setLimit(_ limit: Int) async {
        state.withLock { $0.limit = limit }
        try? await changes.run { [self] in evict(to: limit) }
    }

    // MARK: Using

    /// An archive that is kept, opened and proved; `nil` where there is none.
    ///
    /// - Parameter size: in bytes, where it is known.
    /// - Throws: `CancellationError` only.
    func open(_ sha256: SHA256Digest, size: Int?) async throws -> (file: OpenFile, size: Int)? {
        guard state.withLock({ $0.limit }) > 0 else { return nil }
        let name = sha256.hex
        let opened = try? await reading.run { [folder] in
            let file = try folder.openFile(name)
            return (file: file, status: try file.status())
        }
        guard let opened else { return nil }
        let (file, status) = opened
        guard status.kind == .file, size ?? status.size == status.size,
            try await digest(of: file, size: status.size) == sha256
        else {
            try? await changes.run { [self] in remove(name) }
            return nil
        }
        let now = Date()
        try? file.setModified(now)
        state.withLock { $0.kept?[name]?.usedAt = now }
        return (file, status.size)
    }

    /// `nil` where it can't be read.
    private func digest(of file: OpenFile, size: Int) async throws -> SHA256Digest? {
        var (hasher, offset) = (SHA256Hasher(), 0)
        while offset < size {
            try Task.checkCancellation()
            // In steps, so that a cancelled task does not read gigabytes to the end.
            let (before, from) = (hasher, offset)
            let step = try? await reading.run { try Self.hash(file, from: from, upTo: 64 << 20, into: before) }
            guard let step, step.offset > offset else { return nil }
            (hasher, offset) = step
        }
        return hasher.finalize()
    }

    private static func hash(
        _ file: OpenFile, from start: Int, upTo count: Int, into hasher: SHA256Hasher
    ) throws -> (hasher: SHA256Hasher, offset: Int) {
        var (hasher, offset) = (hasher, start)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
        defer { buffer.deallocate() }
        while offset < start + count {
            let got = try file.read(into: buffer, at: offset)
            if got == 0 { break }
            hasher.update(UnsafeRawBufferPointer(rebasing: buffer[..<got]))
            offset += got
        }
        return (hasher, offset)
    }

    // MARK: Keeping

    /// Moves an archive in whose hash is known, in one step.
    ///
    /// - Parameter name: of the file, in `other`.
    func keep(_ name: String, in other: Directory, as sha256: SHA256Digest, size: Int) async {
        let limit = state.withLock { $0.limit }
        guard size <= limit, size > 0 else { return }
        try? await changes.run { [self] in
            evict(to: limit - size)
            try other.rename(name, to: folder, as: sha256.hex, replacing: true)
            state.withLock { $0.kept?[sha256.hex] = Kept(size: size, usedAt: Date()) }
        }
    }

    /// How many there are, and their bytes.
    func total() async -> (count: Int, size: Int) {
        let all = (try? await changes.run { [self] in kept() }) ?? [:]
        return (all.count, all.values.reduce(0) { $0 + $1.size })
    }

    /// Gives space back to whoever needs it more.
    func free(_ bytes: Int) async {
        try? await changes.run { [self] in
            let total = kept().values.reduce(0) { $0 + $1.size }
            evict(to: max(0, total - min(bytes, total)))
        }
    }

    // MARK: Changes, one at a time

    private func evict(to limit: Int) {
        let kept = kept()
        var total = kept.values.reduce(0) { $0 + $1.size }
        guard total > limit else { return }
        for (name, one) in kept.sorted(by: { $0.value.usedAt < $1.value.usedAt }) where total > limit {
            remove(name)
            total -= one.size
        }
    }

    private func remove(_ name: String) {
        try? folder.removeTree(name)
        state.withLock { $0.kept?[name] = nil }
    }

    /// What is there, as far as is known: what somebody else removed meanwhile is still counted, and what is not called
    /// by a hash is not ours.
    private func kept() -> [String: Kept] {
        if let kept = state.withLock({ $0.kept }) { return kept }
        var found: [String: Kept] = [:]
        for entry in (try? folder.entries()) ?? [] where SHA256Digest(hex: entry.name)?.hex == entry.name {
            guard let status = try? folder.status(of: entry.name) else { continue }
            found[entry.name] = Kept(size: status.size, usedAt: status.modifiedAt)
        }
        state.withLock { $0.kept = found }
        return found
    }
}
