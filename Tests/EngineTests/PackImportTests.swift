import FoundationEssentials
import StoreEngine
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

/// Tests of importing other programs' sticker packs, and of the directories that exports are kept in.
@Suite struct PackImportTests {
    private let home: EngineHome
    private let source: TemporaryFolder

    init() throws {
        home = try EngineHome()
        source = try TemporaryFolder()
        try source.directory.put("theme", "Name=Cats\nAuthor=Ann\n[default]\nsmile.png :-)\ngone.png :(\n")
        try source.directory.put("smile.png", Data(ImageForge.png(2, 2)))
    }

    private func imported(_ manager: StoreManager) async throws -> [Installation] {
        try await manager.imports.run(source.path).installations.map { try $0.get() }
    }

    @Test func `an imported pack is installed, and the same source again is an update`() async throws {
        let manager = try await home.open()
        let tried = try await manager.imports.run(source.path, isDryRun: true)
        #expect(tried.installations.isEmpty && tried.report.packs.map(\.count) == [1])
        #expect(try await manager.packs.list().isEmpty)
        let identifier = tried.report.packs[0].productIdentifier
        #expect(identifier.hasPrefix("import.pidgin.cats-"))

        for installation in try await imported(manager) { try await manager.end(of: installation) }
        let first = try await manager.stickers.pack(identifier)
        #expect(first.count == 1 && first.publisher == "Ann" && first.stickers[0].keywords == [":-)"])

        // Unchanged, then changed.
        #expect(try await imported(manager).allSatisfy { $0.download == nil && $0.pack != nil })
        try source.directory.put("gone.png", Data(ImageForge.png(3, 3)))
        for installation in try await imported(manager) { try await manager.end(of: installation) }
        #expect(try await manager.stickers.pack(identifier).count == 2)
        #expect(try await manager.packs.list().map(\.productIdentifier) == [identifier])
        await manager.close()
    }

    @Test func `neither a store nor a local file can offer an imported product`() async throws {
        let manager = try await home.open()
        let store = try FileStore(FileStore.Product("import.pidgin.cats", ["1.svg": FileStore.image]))
        try await manager.use(store)
        #expect(
            await failure { _ = try await manager.installs.install("import.pidgin.cats", store: nil) }
                == .productIncomplete)
        let files = ["1.svg": FileStore.image, "pack.json": #"{"productIdentifier":"import.pidgin.cats"}"#]
        try home.folder.directory.put("own.zip", Data(FileStore.Product("x", files).zip))
        let path = home.folder.path + "/own.zip"
        #expect(await failure { _ = try await manager.installs.install(file: path) } == .badInformation)
        await manager.close()
    }

    @Test func `a pack without a usable image is reported and not installed`() async throws {
        try source.directory.put("smile.png", "no image")
        let manager = try await home.open()
        let result = try await manager.imports.run(source.path)
        #expect(throws: ErrorReport.self) { try result.installations[0].get() }
        #expect(try await manager.packs.list().isEmpty)
        await manager.close()
    }

    @Test func `a target has all packs, follows an update, and loses a removed pack`() async throws {
        let manager = try await home.open()
        for installation in try await imported(manager) { try await manager.end(of: installation) }
        let identifier = try await manager.packs.list()[0].productIdentifier
        let target = ExportTarget(format: "deltachat", directory: home.folder.path + "/stickers")
        #expect(try await manager.exports.add(target).map(\.files) == [["Cats/smile.png"]])
        #expect(try await manager.exports.targets() == [target])
        let directory = try Directory.open(target.directory)
        try directory.put("Cats/mine.png", "mine")

        try source.directory.put("gone.png", Data(ImageForge.png(3, 3)))
        for installation in try await imported(manager) { try await manager.end(of: installation) }
        #expect(try await eventually { try directory.has("Cats/gone.png") })
        _ = try await manager.packs.uninstall(identifier)
        #expect(try await eventually { try !directory.has("Cats/smile.png") && !directory.has("Cats/gone.png") })
        #expect(try directory.text("Cats/mine.png") == "mine")
        #expect(try await manager.exports.remove(target, removingFiles: false).isEmpty)
        #expect(try await manager.exports.targets().isEmpty)
        await manager.close()
    }

    @Test func `a pack can't be exported into the directory of packs or a relative one`() async throws {
        let manager = try await home.open()
        for installation in try await imported(manager) { try await manager.end(of: installation) }
        let identifier = try await manager.packs.list()[0].productIdentifier
        for directory in [home.places.packs, home.places.packs + "/x", "stickers"] {
            #expect(
                await failure { _ = try await manager.exports.export(identifier, as: "kde", into: directory) }
                    == .exportDirectory)
        }
        await manager.close()
    }
}
