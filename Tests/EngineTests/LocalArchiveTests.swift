import FoundationEssentials
import Glibc
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

    @Test func `a pack with a damaged receipt is repaired with the same file at another path`() async throws {
        let manager = try await home.open()
        let zip = Data(FileStore.Product("own", ["1.svg": FileStore.image, "sub/2.svg": FileStore.image]).zip)
        for folder in ["first", "second"] { try home.folder.directory.put(folder + "/own.zip", zip) }
        let paths = ["first", "second"].map { home.folder.path + "/\($0)/own.zip" }
        #expect(try await manager.end(of: manager.installs.install(file: paths[0])).state == .finished)
        #expect(try await manager.installs.install(file: paths[1]).pack?.productIdentifier == "own")
        try home.packs.put("own.stickers/" + Receipt.fileName, "garbage")
        try home.folder.directory.removeTree("first")
        let repair = try await manager.end(of: manager.installs.install(file: paths[1]))
        #expect(repair.state == .finished && repair.action == .repair)
        #expect(try await manager.packs.verify("own").isEmpty)
        #expect(try home.isClear())
        await manager.close()
    }

    @Test(.hangGuard) func `a local file does not join the download of another archive`() async throws {
        let (store, origin) = (try FileStore(.init("own")), try Origin())
        origin.serve(folder: store.folder.path)
        let manager = try await home.open()
        _ = try await manager.stores.add(name: "main", url: origin.url, unsigned: true)
        origin.always("/content/own.zip", .stallBeforeAnswer)
        let begun = try await manager.installs.install("own", store: nil)
        await origin.untilStalled()
        let information = #"{"productIdentifier":"own","kind":"sticker"}"#
        try home.folder.directory.put(
            "own.zip", Data(FileStore.Product("own", ["1.txt": "mine", "pack.json": information]).zip))
        let path = home.folder.path + "/own.zip"
        #expect(await failure { _ = try await manager.installs.install(file: path) } == .otherStore)
        origin.release()
        #expect(try await manager.end(of: begun).state == .finished)
        await manager.close()
    }

    @Test func `a local file whose name has control characters is not installed without an identifier`() async throws {
        let manager = try await home.open()
        try home.folder.directory.put("a\u{1B}[2J.zip", Data(FileStore.Product("x").zip))
        let path = home.folder.path + "/a\u{1B}[2J.zip"
        #expect(await failure { _ = try await manager.installs.install(file: path) } == .badInformation)
        await manager.close()
    }

    @Test func `a file that was handed over open is installed, whatever is at its path`() async throws {
        let manager = try await home.open()
        let path = home.folder.path + "/own.zip"
        try home.folder.directory.put("own.zip", Data(FileStore.Product("x", ["1.svg": FileStore.image]).zip))
        let file = try OpenFile.open(path)
        try home.folder.directory.remove("own.zip")
        // The position of an open file is that of the process which opened it.
        try file.seek(to: 20)
        let plan = try await manager.installs.plan([ChangePlan.Product(file: path)], opened: [path: file])
        #expect(plan.failures.isEmpty && plan.steps.map(\.productIdentifier) == ["own"])
        let begun = try await manager.installs.install(file: path, opened: file, agreed: plan.agreement)
        #expect(try await manager.end(of: begun).state == .finished)
        #expect(try await manager.packs.pack("own").store == "local")
        #expect(try home.isClear())
        #expect(await failure { _ = try await manager.installs.install(file: path) } == .fileUnusable)
        await manager.close()
    }

    @Test func `a directory, a device or a file that is open for writing only is refused`() async throws {
        let manager = try await home.open()
        let path = home.folder.path + "/own.zip"
        try home.folder.directory.put("own.zip", Data(FileStore.Product("x", ["1.svg": FileStore.image]).zip))
        let written = OpenFile(descriptor: open(path, O_WRONLY | O_CLOEXEC), path: path)
        for file in [try OpenFile.open("/dev/null"), try OpenFile.open(home.folder.path), written] {
            #expect(await failure { _ = try await manager.installs.install(file: path, opened: file) } == .fileUnusable)
        }
        let packs = try await manager.packs.list()
        #expect(try packs.isEmpty && home.isClear())
        await manager.close()
    }

    @Test func `a file that is too large is not copied, and no download begins`() async throws {
        let manager = try await home.open([.downloadsMaximumSize: "100"])
        let zip = FileStore.Product("x", ["1.svg": FileStore.image]).zip
        try home.folder.directory.put("own.zip", Data(zip))
        let path = home.folder.path + "/own.zip"
        #expect(await failure { _ = try await manager.installs.install(file: path) } == .archiveLimit)
        let begun = await manager.downloads.all()
        #expect(try begun.isEmpty && home.isClear())
        await manager.close()
    }

    @Test func `an installation that is refused, not needed or cancelled leaves no copy`() async throws {
        let manager = try await home.open()
        let path = home.folder.path + "/own.zip"
        try home.folder.directory.put("own.zip", Data("no archive".utf8))
        #expect(await failure { _ = try await manager.installs.install(file: path) }?.exitCode == .refused)
        #expect(try home.isClear())
        try home.folder.directory.remove("own.zip")
        try home.folder.directory.put("own.zip", Data(FileStore.Product("x", ["1.svg": FileStore.image]).zip))
        #expect(try await manager.end(of: manager.installs.install(file: path)).state == .finished)
        #expect(try await manager.installs.install(file: path).pack?.productIdentifier == "own")
        #expect(try home.isClear())
        let task = Task { try await manager.installs.install(file: path) }
        task.cancel()
        _ = await task.result
        #expect(try home.isClear())
        await manager.close()
    }
}
