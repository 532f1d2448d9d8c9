import Foundation
import StoreTestSupport
import Testing

/// A store with three sticker packs, Cups, Moons and Spins, of which the last has an animated sticker.
struct StickerPacks {
    private let store: TestStore
    private let origin: Origin

    /// Publishes the packs, and installs them in a home.
    init(installedIn home: TestHome) async throws {
        store = try await TestStore()
        origin = try Origin()
        try await store.add("org.example.cups", files: Self.cups())
        try await store.add("org.example.moons", files: Self.moons())
        try await store.add("org.example.spins", files: Self.spins())
        try await store.publish()
        origin.serve(folder: store.publicPath)
        try await home.must("store", "add", "shop", origin.address, "--unsigned")
        try await home.must("install", "org.example.cups", "org.example.moons", "org.example.spins")
    }

    /// Returns the files of a pack with the stickers `smile` and `wink`.
    static func cups() throws -> [String: Data] {
        let information = """
            {"kind":"sticker","name":{"en":"Cups"},"stickers":[
            {"id":"smile","file":"01-smile.webp","emoji":["🙂"],"description":{"en":"A smiling cup"}},
            {"id":"wink","file":"03-wink.webp","emoji":["😉"],"description":{"en":"A winking cup"}}]}
            """
        return [
            "pack.json": Data(information.utf8), "01-smile.webp": try TestFiles.data("Packs/faces/01-smile.webp"),
            "03-wink.webp": try TestFiles.data("Packs/faces/03-wink.webp"),
        ]
    }

    /// Returns the files of a pack with the sticker `moon`.
    static func moons(named name: String = "Moons") throws -> [String: Data] {
        let information = """
            {"kind":"sticker","name":{"en":"\(name)"},"stickers":[{"id":"moon","file":"04-moon.png","emoji":["🌙"]}]}
            """
        return [
            "pack.json": Data(information.utf8), "04-moon.png": try TestFiles.data("Packs/weather/04-moon.png"),
        ]
    }

    private static func spins() throws -> [String: Data] {
        let information = """
            {"kind":"sticker","name":{"en":"Spins"},"stickers":[{"id":"spin","file":"spin.gif","emoji":["🌀"]}]}
            """
        return ["pack.json": Data(information.utf8), "spin.gif": try TestFiles.data("Images/spin.gif")]
    }

    /// Returns an archive with the files of a pack.
    static func archive(of files: [String: Data]) -> [UInt8] {
        files.sorted { $0.key < $1.key }.reduce(ZipForge()) { $0.file($1.key, Array($1.value)) }.build()
    }
}
