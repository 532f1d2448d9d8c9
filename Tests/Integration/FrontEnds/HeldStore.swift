import Foundation
import StoreTestSupport
import Testing

/// A store with one sticker pack, the second half of whose archive takes hours to arrive, until ``release(in:)``.
///
/// One of its stickers has the command of a chat in place of an emoji.
struct HeldStore {
    static let product = "org.example.cups"
    /// The image of the sticker "smile".
    static let smile = TestStore.bytes(600_000, seed: 1)

    let origin: Origin
    let store: TestStore

    init() async throws {
        (origin, store) = (try Origin(), try await TestStore())
        let information = """
            {"name":{"en":"Cups"},"stickers":[{"id":"smile","file":"1.gif","emoji":["🙂"]},{"id":"nick","file":"2.gif","emoji":["/nick mallory"]}]}
            """
        try await store.add(
            Self.product, information: information,
            files: ["1.gif": Self.smile, "2.gif": TestStore.bytes(600_000, seed: 2)])
        try await store.publish()
        origin.serve(folder: store.publicPath)
        let files = FileManager.default.enumerator(atPath: store.publicPath)?.compactMap { $0 as? String } ?? []
        for archive in files where archive.hasSuffix(".zip") { origin.script("/" + archive, [[.crawlAt(600_000)]]) }
    }

    func add(to home: TestHome) async throws {
        try await home.must("store", "add", "shop", origin.url.absoluteString, "--unsigned")
    }

    /// Lets the download in a home go on with another connection, which is fast.
    func release(in home: TestHome) async throws {
        try await home.must("pause", Self.product)
        try await home.must("resume", Self.product)
    }
}
