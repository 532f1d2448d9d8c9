import FoundationEssentials
import Glibc
import StoreEngine
import StoreLibrary
import StoreModel
import StoreSystem
import StoreTestSupport
import Synchronization
import Testing

/// A sticker kind whose check runs an action once, between unpacking and saving.
final class HookedKind: ContentKind {
    let kind = ProductKind.sticker
    let folderExtension = "stickers"
    private let hook = Mutex<(@Sendable () throws -> Void)?>(nil)

    func beforeSaving(_ body: @escaping @Sendable () throws -> Void) { hook.withLock { $0 = body } }

    func check(_ pack: Directory, cancellation: CancellationFlag) throws {
        let body = hook.withLock { hook in
            defer { hook = nil }
            return hook
        }
        try body?()
    }
}

@Suite struct SwappedInTheMiddleTests {
    private let home: EngineHome
    private let kind = HookedKind()
    private let outside: TemporaryFolder

    init() throws {
        home = try EngineHome()
        outside = try TemporaryFolder()
        try outside.directory.put("mine", "mine")
    }

    enum Place: String, CaseIterable { case operation, pack, staging, packs, data }

    /// Replaces a directory by a link when the next pack has been unpacked.
    ///
    /// - Returns: a function that restores the directory.
    private func swapBeforeSaving(_ place: Place) throws -> @Sendable () throws -> Void {
        let root = home.folder.directory
        let target = outside.path
        let swapped = Swapped()
        kind.beforeSaving {
            let staging = try root.openDirectory("data/staging")
            let operation = try #require(try staging.names().first)
            let (parent, name) =
                switch place {
                case .operation: (staging, operation)
                case .pack: (try staging.openDirectory(operation), "pack")
                case .staging: (try root.openDirectory("data"), "staging")
                case .packs: (try root.openDirectory("data"), "packs")
                case .data: (root, "data")
                }
            try parent.rename(name, to: parent, as: name + ".moved")
            try parent.putLink(name, to: target)
            swapped.place.withLock { $0 = (parent, name) }
        }
        return {
            let (parent, name) = try #require(swapped.place.withLock { $0 }, "nothing was swapped")
            // No directory of the operation is left.
            if place == .pack { return }
            try parent.removeTree(name)
            try parent.rename(name + ".moved", to: parent, as: name)
        }
    }

    private final class Swapped: Sendable {
        let place = Mutex<(Directory, String)?>(nil)
    }

    @Test(arguments: Place.allCases, ["install", "update", "repair"])
    func `a directory that is swapped for a link is refused, and nothing is written through the link`(
        place: Place, action: String
    ) async throws {
        let store = try FileStore(.init("a", ["1.png": "one"]))
        let manager = try await home.open(using: store, kinds: [kind])
        if action != "install" { try await manager.installed("a") }
        let before = action == "install" ? nil : try home.packs.text("a.stickers/1.png")
        let putBack = try swapBeforeSaving(place)
        let status: DownloadStatus
        switch action {
        case "install": status = try await manager.installed("a")
        case "update":
            store["a"].files = ["1.png": "number two"]
            try store.publish()
            let outcome = try #require(try await manager.updates.update(nil).first?.operation)
            status = try await manager.end(of: outcome)
        default:
            try home.packs.put("a.stickers/extra", "extra")
            status = try await manager.end(of: manager.packs.repair("a"))
        }
        #expect(status.state == .failed && status.error?.code == .homeSwapped, "\(String(describing: status.error))")
        #expect(try outside.directory.tree() == ["mine": "mine"])
        try putBack()
        #expect(try home.packs.names() == (before == nil ? [] : ["a.stickers"]))
        if let before { #expect(try home.packs.text("a.stickers/1.png") == before) }
        // Afterwards the directory works again.
        if action == "update" { #expect(try await manager.updated() == ["a": nil]) }
        if action == "install" { #expect(try await manager.installed("a").state == .finished) }
        if action == "repair" { #expect(try await manager.end(of: manager.packs.repair("a")).state == .finished) }
        #expect(try await manager.packs.verify("a").isEmpty)
        await manager.close()
        let next = try await home.open()
        #expect(try home.isClear())
        #expect(try await next.packs.verify("a").isEmpty)
        await next.close()
    }

    @Test(arguments: ["link", "pipe"])
    func `a link or pipe in the place of a partial archive is not written through`(what: String) async throws {
        let store = try FileStore(.init("a"))
        let manager = try await home.open(using: store, kinds: [kind])
        // The name is not predictable, so every possible name in the directory is a link.
        let partial = try home.folder.directory.openDirectory("cache/partial")
        #expect(throws: StoreError.self) {
            if what == "link" {
                try partial.putLink("x", to: outside.path + "/mine")
            } else {
                #expect(mknodat(partial.descriptor, "x", S_IFIFO | 0o600, 0) == 0)
            }
            _ = try partial.openOrCreateFile("x")
        }
        #expect(try outside.directory.tree() == ["mine": "mine"])
        await manager.close()
        // Remaining files are removed at the next start.
        await (try home.open()).close()
        #expect(try home.isClear())
    }

    @Test(arguments: ["partial", "catalogues", "images"])
    func `directories of the cache that are links are not followed`(name: String) async throws {
        try home.folder.directory.createDirectory("cache").putLink(name, to: outside.path)
        #expect(await failure { _ = try await home.open() } == .homeUnusable)
        #expect(try outside.directory.tree() == ["mine": "mine"])
    }
}
