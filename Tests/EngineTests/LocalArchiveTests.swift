import FoundationEssentials
import StoreEngine
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

/// Tests of the product that a local file describes.
@Suite struct LocalArchiveTests {
    private let home: EngineHome
    init() throws { home = try EngineHome() }

    @Test(arguments: ["a\u{0}b", "a\nb", "\u{1B}[2J", "a\u{85}b", String(repeating: "x", count: 10_000)])
    func `a local file whose identifiers have control characters is not installed`(identifier: String) async throws {
        let manager = try await home.open()
        let quoted = String(decoding: try JSON.encode(identifier), as: UTF8.self)
        for information in [
            #"{"productIdentifier":\#(quoted)}"#, #"{"productIdentifier":"a","dependencies":[\#(quoted)]}"#,
        ] {
            let zip = FileStore.Product("x", ["1.txt": "one", "pack.json": information]).zip
            try home.folder.directory.put("own.zip", Data(zip))
            let path = home.folder.path + "/own.zip"
            #expect(await failure { _ = try await manager.installs.install(file: path) } == .badInformation)
        }
        #expect(try await manager.packs.list().isEmpty)
        await manager.close()
    }

    @Test(
        arguments: [
            (["a.txt": "text"], nil), (["a.txt": "text", "pack.json": #"{"productIdentifier":"own"}"#], nil),
            (["a.txt": "text", "pack.json": #"{"kind":"sticker"}"#], "own"),
            (["a.txt": "text", "pack.json": #"{"kind":"plugin"}"#], "own"), (["sub/a.SVG": FileStore.image], "own"),
        ] as [([String: String], String?)])
    func `a local file without images is only installed if it says what it is`(
        files: [String: String], product: String?
    ) async throws {
        let manager = try await home.open()
        try home.folder.directory.put("own.zip", Data(FileStore.Product("x", files).zip))
        let path = home.folder.path + "/own.zip"
        var code: ErrorCode?
        do {
            _ = try await manager.installs.install(file: path, consent: [.code])
        } catch {
            code = ErrorReport(error).code
        }
        #expect(code == (product == nil ? .kindUnknown : nil))
        let begun = await manager.downloads.all().map(\.productIdentifier)
        #expect(begun == [product].compactMap { $0 })
        await manager.close()
    }

    @Test func `a local file whose name has control characters is not installed without an identifier`() async throws {
        let manager = try await home.open()
        try home.folder.directory.put("a\u{1B}[2J.zip", Data(FileStore.Product("x").zip))
        let path = home.folder.path + "/a\u{1B}[2J.zip"
        #expect(await failure { _ = try await manager.installs.install(file: path) } == .badInformation)
        await manager.close()
    }
}
