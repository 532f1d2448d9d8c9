import FoundationEssentials
public import StoreLibrary
public import StoreModel
import StoreSystem

/// A store on the publisher's disk: the added packs, and the directory `public`, which is served to clients.
///
/// ```swift
/// _ = try Storehouse.create(at: "/srv/example", name: "Example")
/// let store = try Storehouse(path: "/srv/example")
/// let results = try store.add(["/home/me/cups.stickers"], time: PublicationTime.now())
/// for result in results {
///     if case .failure(let error) = result.result { print("error: \(error.message)") }
/// }
/// let published = try store.publish()
/// print("\(published.products) products are served from \(store.publicPath)")
/// ```
///
/// Methods block: they wait for the disk, and for other processes that work on the same store. After an interrupted
/// call the store is in the state before the call or the state after it.
public struct Storehouse: Sendable {
    /// The path of the publisher's store directory.
    public let path: String
    /// The path of the publisher's directory that a web server serves to clients.
    public var publicPath: String { path + "/" + StoreLayout.published }
    let kinds: ContentKinds
    let root: Directory

    /// Opens a publisher's store in a directory.
    ///
    /// - Parameters:
    ///   - path: the path of the store's directory.
    ///   - kinds: the kinds of content whose rules packs must satisfy; packs of other kinds are not checked.
    /// - Throws: `publish.no-store`.
    public init(path: String, kinds: ContentKinds = ContentKinds([])) throws {
        let missing = StoreError(.storeNotFound, ["path": .path(path)])
        do {
            root = try Directory.open(path)
        } catch {
            guard error.code == .fileMissing || error.errno == .notDirectory else { throw error }
            throw missing
        }
        guard try root.status(of: StoreLayout.state)?.kind == .file else { throw missing }
        self.path = path
        self.kinds = kinds
    }

    /// Creates an empty publisher's store in a new or empty directory; `false` if the directory is a store already.
    ///
    /// - Parameters:
    ///   - path: the path of the store's directory, which is created if it is missing.
    ///   - name: the store's name for display.
    ///   - prepare: called when the directory was found to be new or empty; if it throws, the store is not created.
    /// - Throws: `publish.not-empty` if the directory contains other files; an error of `prepare`.
    public static func create(
        at path: String, name: LocalizedText? = nil, prepare: () throws -> Void = {}
    ) throws -> Bool {
        func state() throws -> PublishingState {
            try prepare()
            return PublishingState(name: name)
        }
        return try create(at: path, state())
    }

    /// Creates a directory with a state, which is made after the directory was found to be new or empty.
    static func create(at path: String, _ state: @autoclosure () throws -> PublishingState) throws -> Bool {
        let root: Directory
        do {
            root = try Directory.create(path, mode: 0o755)
        } catch {
            guard error.errno == .notDirectory else { throw error }
            throw StoreError(.storePathNotDirectory, ["path": .path(path)])
        }
        let lock = try Lock(root)
        defer { lock.release() }
        if try root.status(of: StoreLayout.state) != nil { return false }
        // Files that an interrupted call may have left.
        let ours: Set = [StoreLayout.lock, StoreLayout.published, StoreLayout.state + ".new", StoreLayout.keys]
        if let other = try root.entries().map(\.name).sorted().first(where: { !ours.contains($0) }) {
            throw StoreError(.storeDirectoryNotEmpty, ["path": .path(path), "entry": .untrusted(other)])
        }
        let state = try state()
        // Created before the state is written, so that every store has the directory that a web server needs.
        _ = try root.createDirectory(StoreLayout.published, mode: 0o755)
        try write(state, to: root)
        return true
    }

    /// Sets the display name of the publisher's store; clients see it from the next publication on.
    public func setName(_ name: LocalizedText) throws {
        try change { $0.name = name }
    }

    /// Sets the price of a product in the publisher's store; clients see it from the next publication on.
    ///
    /// - Throws: `publish.no-product`.
    public func setPrice(_ price: Price, of productIdentifier: String) throws {
        try change { try $0.setPrice(price, of: productIdentifier) }
    }

    /// Withdraws a product from the publisher's store: from the next publication on it is listed without files.
    ///
    /// Clients that have the product keep it. Adding the product again offers it again.
    ///
    /// - Returns: `false` if the product was withdrawn already.
    /// - Throws: `publish.no-product`.
    @discardableResult public func withdraw(_ productIdentifier: String) throws -> Bool {
        try change { try $0.withdraw(productIdentifier) }
    }

    // MARK: The state

    func state() throws -> PublishingState {
        let data = try root.read(StoreLayout.state, limit: 1 << 30)
        guard let state: PublishingState = try? JSON.decode(from: data), state.format == 1 else {
            throw StoreError(.storeStateUnreadable, ["path": .path("\(path)/\(StoreLayout.state)")])
        }
        return state
    }

    static func write(_ state: PublishingState, to root: Directory) throws {
        try root.replace(StoreLayout.state, with: JSON.encode(state, pretty: true), mode: 0o600)
    }

    /// Changes the state of the publisher's store while holding its lock; an unchanged state is not written.
    func change<Result>(_ body: (inout PublishingState) throws -> Result) throws -> Result {
        try locked {
            var state = try state()
            let before = try JSON.encode(state)
            let result = try body(&state)
            // The encoded forms are compared, because equal versions may have different texts.
            if try JSON.encode(state) != before { try Self.write(state, to: root) }
            return result
        }
    }

    func locked<Result>(_ body: () throws -> Result) throws -> Result {
        let lock = try Lock(root)
        defer { lock.release() }
        return try body()
    }

    /// The lock of a publisher's store, which one process at a time can hold.
    ///
    /// The system releases it when the process ends.
    private struct Lock {
        private let file: OpenFile

        init(_ root: Directory) throws {
            file = try root.openOrCreateFile(StoreLayout.lock)
            do {
                try file.lock()
            } catch {
                throw StoreError(.storeLockFailed, ["path": .path(file.path), "reason": error.message])
            }
        }

        func release() { file.unlock() }
    }
}
