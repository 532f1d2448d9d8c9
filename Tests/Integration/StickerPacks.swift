import Foundation
import StoreTestSupport
import Testing

/// A store with three sticker packs, Cups, Moons and Spins, of which the last has an animated sticker.
struct StickerPacks {
    private let store: TestStore
    private let origin: Origin

    private static let cups = """
        {"kind":"sticker","name":{"en":"Cups"},"stickers":[
        {"id":"smile","file":"01-smile.webp","emoji":["🙂"],"description":{"en":"A smiling cup"}},
        {"id":"wink","file":"03-wink.webp","emoji":["😉"],"description":{"en":"A winking cup"}}]}
        """
    private static let moons = """
        {"kind":"sticker","name":{"en":"Moons"},"stickers":[{"id":"moon","file":"04-moon.png","emoji":["🌙"]}]}
        """
    private static let spins = """
        {"kind":"sticker","name":{"en":"Spins"},"stickers":[{"id":"spin","file":"spin.gif","emoji":["🌀"]}]}
        """

    /// Publishes the packs, and installs them in a home.
    init(installedIn home: TestHome) async throws {
        store = try await TestStore()
        origin = try Origin()
        try await store.add(
            "org.example.cups",
            files: [
                "pack.json": Data(Self.cups.utf8), "01-smile.webp": Self.file("Packs/faces/01-smile.webp"),
                "03-wink.webp": Self.file("Packs/faces/03-wink.webp"),
            ])
        try await store.add(
            "org.example.moons",
            files: ["pack.json": Data(Self.moons.utf8), "04-moon.png": Self.file("Packs/weather/04-moon.png")])
        try await store.add(
            "org.example.spins",
            files: ["pack.json": Data(Self.spins.utf8), "spin.gif": Self.file("Images/spin.gif")])
        try await store.publish()
        origin.serve(folder: store.publicPath)
        try await home.must("store", "add", "shop", origin.address, "--unsigned")
        try await home.must("install", "org.example.cups", "org.example.moons", "org.example.spins")
    }

    /// Returns a file of the tests.
    private static func file(_ path: String) throws -> Data {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return try Data(contentsOf: tests.appending(path: path))
    }
}
