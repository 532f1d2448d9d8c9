import FoundationEssentials
public import StoreLibrary
public import StoreModel
import StoreSystem

/// A store in the making: a folder with what its publisher added, and beneath `public` what is served.
///
/// Every call waits for the disk, and for another one that works on the same store: make it on a thread that may
/// wait. A call that is interrupted, at whatever moment, leaves the store as it was before or as it is after.
public struct Storehouse: Sendable {
    /// The folder that was given.
    public let path: String
    /// The folder that is to be served to clients, and nothing beside it.
    public var publicPath: String { path + "/" + StoreLayout.published }
    let kinds: ContentKinds
    let root: Directory

    /// Opens a store.
    ///
    /// - Parameter kinds: whose rules packs are held to; packs of other kinds are taken as they are.
    /// - Throws: `publish.no-store`.
    public init(path: String, kinds: ContentKinds = ContentKinds([])) throws {
        let missing = PublishingError(.noStore, "'\(path)' is no store. Make one with 'storehouse init \(path)'.")
        do {
            root = try Directory.open(path)
        } catch {
            guard error.code == .fileMissing else { throw error }
            throw missing
        }
        guard try root.status(of: StoreLayout.state)?.kind == .file else { throw missing }
        self.path = path
        self.kinds = kinds
    }

    /// Makes an empty store out of a folder, which is made where it is missing. One that is a store already stays
    /// as it is.
    ///
    /// - Returns: whether it is new.
    /// - Throws: `publish.not-empty` where the folder holds something else.
    public static func create(at path: String, name: LocalizedText? = nil) throws -> Bool {
        let root = try Directory.create(path, mode: 0o755)
        let lock = try Lock(root)
        defer { lock.release() }
        if try root.status(of: StoreLayout.state) != nil { return false }
        // What an interrupted beginning may have left is ours.
        let ours: Set = [StoreLayout.lock, StoreLayout.published, StoreLayout.state + ".new"]
        if let other = try root.entries().map(\.name).sorted().first(where: { !ours.contains($0) }) {
            throw PublishingError(
                .notEmpty, "'\(path)' holds '\(other)' and is not made a store. Name a new or an empty folder.")
        }
        // Before the state, so that a web server finds its folder in whatever is a store.
        _ = try root.createDirectory(StoreLayout.published, mode: 0o755)
        try write(PublishingState(name: name), to: root)
        return true
    }

    /// Sets what a product costs, for clients from the next publication on.
    ///
    /// - Throws: `publish.no-product`.
    public func setPrice(_ price: Price, of productIdentifier: String) throws {
        try change { try $0.setPrice(price, of: productIdentifier) }
    }

    /// Withdraws a product: from the next publication on it is told of, but no longer offered. Whoever has it keeps
    /// it. Adding it again offers it again.
    ///
    /// - Throws: `publish.no-product`.
    public func withdraw(_ productIdentifier: String) throws {
        try change { try $0.withdraw(productIdentifier) }
    }

    // MARK: The state

    func state() throws -> PublishingState {
        let data = try root.read(StoreLayout.state, limit: 1 << 30)
        guard let state: PublishingState = try? JSON.decode(from: data), state.format == 1 else {
            throw PublishingError(
                .storeDamaged,
                "'\(path)/\(StoreLayout.state)' can't be read: it is damaged, or of a newer storehouse. Restore it from"
                    + " a copy, or use that one.")
        }
        return state
    }

    static func write(_ state: PublishingState, to root: Directory) throws {
        try root.replace(StoreLayout.state, with: JSON.encode(state, pretty: true), mode: 0o600)
    }

    /// Changes the state while nobody else does; nothing is written where nothing changed.
    func change<Result>(_ body: (inout PublishingState) throws -> Result) throws -> Result {
        try locked {
            var state = try state()
            let before = try JSON.encode(state)
            let result = try body(&state)
            // Versions that are equal may be written differently, so it is the written form that counts.
            if try JSON.encode(state) != before { try Self.write(state, to: root) }
            return result
        }
    }

    func locked<Result>(_ body: () throws -> Result) throws -> Result {
        let lock = try Lock(root)
        defer { lock.release() }
        return try body()
    }

    /// One tool at a time works on a store; the next one waits. The system lets go of it when the process ends,
    /// however that comes about.
    private struct Lock {
        private let file: OpenFile

        init(_ root: Directory) throws {
            file = try root.openOrCreateFile(StoreLayout.lock)
            do {
                try file.lock()
            } catch {
                throw PublishingError(.storeDamaged, "'\(file.path)' can't be locked: \(error.message)")
            }
        }

        func release() { file.unlock() }
    }
}
