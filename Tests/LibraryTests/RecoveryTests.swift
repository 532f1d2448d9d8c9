import FoundationEssentials
import Glibc
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

@testable import StoreLibrary

/// Simulates each state that a crash can leave on disk, and checks the state after the next start.
@Suite struct RecoveryTests {
    private let home: LibraryHome
    private let operation = OperationID()
    init() throws { home = try LibraryHome() }

    /// A file that exists in staging when the power fails, in the order of creation.
    enum Moment: String, CaseIterable {
        case emptyFolder, emptyTarget, targetOnly, halfUnpacked, unpacked, withReceipt
        case discardingMarked, discardingWithReceipt
    }

    @Test(arguments: Moment.allCases, [nil, "1"])
    func `recovery discards what was not committed and keeps what was installed`(moment: Moment, installed: String?)
        async throws
    {
        if let installed { try writePack(installed, in: home.packs, as: "a.thing") }
        try stage(moment)
        try await expect(installed: installed, previous: nil)
    }

    @Test(arguments: [true, false])
    func `recovery keeps a committed new pack`(hasMarker: Bool) async throws {
        try writePack("1", in: home.packs, as: "a.thing", operation: operation)
        let staged = try operationFolder()
        if hasMarker { try staged.put(StagingDirectory.discardsReplaced, "") }
        try await expect(installed: "1", previous: nil)
    }

    @Test(arguments: [nil, "0"])
    func `recovery after the exchange keeps the replaced version`(older: String?) async throws {
        if let older { try writePack(older, in: home.previous, as: "a.thing") }
        try writePack("2", in: home.packs, as: "a.thing", operation: operation)
        try writePack("1", in: operationFolder(), as: StagingDirectory.folder)
        try await expect(installed: "2", previous: "1")
    }

    @Test(arguments: [nil, "0"])
    func `recovery after the exchange of a repair discards the damaged version`(older: String?) async throws {
        if let older { try writePack(older, in: home.previous, as: "a.thing") }
        try writePack("2", in: home.packs, as: "a.thing", operation: operation)
        let staged = try operationFolder()
        try staged.put(StagingDirectory.discardsReplaced, "")
        try writePack("1", in: staged, as: StagingDirectory.folder)
        try await expect(installed: "2", previous: older)
    }

    @Test func `recovery after the old version was kept only removes the staging directory`() async throws {
        try writePack("1", in: home.previous, as: "a.thing")
        try writePack("2", in: home.packs, as: "a.thing", operation: operation)
        _ = try operationFolder()
        try await expect(installed: "2", previous: "1")
    }

    // MARK: File systems without an atomic exchange

    @Test func `recovery between the two renames restores the old version`() async throws {
        let staged = try operationFolder()
        try writePack("1", in: staged, as: StagingDirectory.setAside)
        try writePack("2", in: staged, as: StagingDirectory.folder, operation: operation)
        try await expect(installed: "1", previous: nil)
    }

    @Test(arguments: [nil, "0"])
    func `recovery after the two renames keeps the replaced version`(older: String?) async throws {
        if let older { try writePack(older, in: home.previous, as: "a.thing") }
        try writePack("2", in: home.packs, as: "a.thing", operation: operation)
        try writePack("1", in: operationFolder(), as: StagingDirectory.setAside)
        try await expect(installed: "2", previous: "1")
    }

    @Test(arguments: [nil, "0"])
    func `recovery after the two renames of a repair discards the damaged version`(older: String?) async throws {
        if let older { try writePack(older, in: home.previous, as: "a.thing") }
        try writePack("2", in: home.packs, as: "a.thing", operation: operation)
        let staged = try operationFolder()
        try staged.put(StagingDirectory.discardsReplaced, "")
        try writePack("1", in: staged, as: StagingDirectory.setAside)
        try await expect(installed: "2", previous: older)
    }

    // MARK: Rollback

    @Test func `a rollback that only changed the receipt is undone`() async throws {
        try writePack("2", in: home.packs, as: "a.thing")
        try writePack("1", in: home.previous, as: "a.thing", operation: operation, held: true)
        try await expect(installed: "2", previous: "1")
    }

    @Test func `a rollback after its first rename is undone`() async throws {
        try home.packs.put("b.thing/file", "")
        try writePack("2", in: operationFolder(), as: StagingDirectory.setAside)
        try writePack("1", in: home.previous, as: "a.thing", operation: operation, held: true)
        try home.packs.removeTree("b.thing")
        try await expect(installed: "2", previous: "1")
    }

    @Test func `a rollback after its second rename is finished`() async throws {
        try writePack("2", in: operationFolder(), as: StagingDirectory.setAside)
        try writePack("1", in: home.packs, as: "a.thing", operation: operation, held: true)
        try await expect(installed: "1", previous: "2")
    }

    @Test func `a rollback after its third rename is finished`() async throws {
        _ = try operationFolder()
        try writePack("2", in: home.previous, as: "a.thing")
        try writePack("1", in: home.packs, as: "a.thing", operation: operation, held: true)
        try await expect(installed: "1", previous: "2")
    }

    // MARK: Uninstalling and leftovers

    @Test func `the previous version of an uninstalled pack is removed`() async throws {
        try writePack("1", in: home.previous, as: "a.thing")
        try await expect(installed: nil, previous: nil)
        #expect(try home.previous.names().isEmpty)
    }

    @Test func `trash of an earlier process is emptied`() async throws {
        try writePack("1", in: home.trash, as: OperationID().rawValue)
        try home.trash.put("file", "")
        try writePack("2", in: home.packs, as: "a.thing")
        try await expect(installed: "2", previous: nil)
    }

    @Test func `a temporary receipt is removed`() async throws {
        try writePack("1", in: home.packs, as: "a.thing")
        try home.staging.put(OperationID().rawValue + ".receipt", "{")
        try await expect(installed: "1", previous: nil)
    }

    @Test(arguments: [
        "../../../etc", "..", ".", "/", "a.thing/file", "", "a.thing\0", String(repeating: "x", count: 4000),
    ])
    func `unknown files in staging are removed and nothing else`(target: String) async throws {
        try writePack("1", in: home.packs, as: "a.thing")
        try writePack("0", in: home.previous, as: "a.thing")
        for name in ["pack", "set-aside"] {
            let junk = try home.staging.createDirectory("junk-\(name)")
            try junk.put(StagingDirectory.target, target)
            try writePack("9", in: junk, as: name)
        }
        try home.staging.put("file", "")
        try home.staging.put("folder/deep/file", "")
        try home.staging.put("no-file/target/file", "")
        try home.staging.putLink("link", to: "../packs")
        try await expect(installed: "1", previous: "0")
        #expect(try home.packs.names() == ["a.thing"])
        #expect(Set(try home.data.names()) == ["packs", "previous", "staging", "trash"])
    }

    @Test func `several operations are recovered together`() async throws {
        for (identifier, number) in zip(["a", "b", "c"], 1...) {
            let operation = OperationID()
            try writePack("2", of: identifier, in: home.packs, as: identifier + ".thing", operation: operation)
            let staged = try home.staging.createDirectory(operation.rawValue)
            try staged.put(StagingDirectory.target, identifier + ".thing")
            try writePack(
                "1", of: identifier, in: staged, as: number == 2 ? StagingDirectory.setAside : StagingDirectory.folder)
        }
        let library = try await home.open()
        for identifier in ["a", "b", "c"] {
            #expect(try await library.text("file", of: identifier) == "2")
            #expect(try await library.rollBack(identifier, operation: OperationID()).version == Version("1"))
        }
    }

    // MARK: The index

    @Test(arguments: ["lost", "stale", "of packs that went", "lying"])
    func `receipts take precedence over the index`(state: String) async throws {
        let library = try await home.open()
        try await library.bring("a", ["file": "1"], version: "1")
        try await library.bring("b", ["file": "1"], version: "1")
        var index = await library.index
        switch state {
        case "lost": index = [:]
        case "stale":
            try await library.bring("a", ["file": "2"], version: "2")
            _ = try await library.setHeld("b", true)
        case "of packs that went":
            _ = try await library.remove("a")
            try home.packs.put("a.thing/file", "by hand")
        default:
            // Each receipt is that of the other pack, and the file identities belong to neither.
            let (a, b) = (index["a.thing"], index["b.thing"])
            (index["a.thing"], index["b.thing"]) = (b, a)
            index["c.thing"] = a
        }
        let expected = try await home.open().all()
        #expect(try await home.open(index: index).all() == expected)
        #expect(expected.identifiers == ["a", "b"])
        // The index is equivalent to reading all receipts.
        let kept = try await home.open(index: index).index
        #expect(try await home.open(index: kept).all() == expected)
    }

    @Test func `an index of the same packs need not be written again`() async throws {
        let first = try await home.open()
        try await first.bring("a", ["file": "1"], version: "1")
        try await first.bring("b", ["file": "1"], version: "1")
        #expect(await first.indexHasChanged)
        let index = await first.index
        let second = try await home.open(index: index)
        #expect(await !second.indexHasChanged)
        try home.packs.put("hand.thing/file", "by hand")
        #expect(try await !home.open(index: index).indexHasChanged)
        var damaged = index
        damaged["a.thing"] = damaged["a.thing"]?.with(receiptIsDamaged: true)
        #expect(try await home.open(index: damaged).indexHasChanged)
        _ = try await second.remove("a")
        #expect(await second.indexHasChanged)
        #expect(try await home.open(index: index).indexHasChanged)
        #expect(try await !home.open(index: index.filter { $0.key == "b.thing" }).indexHasChanged)
    }

    // MARK: Setup and checks

    private func writePack(
        _ version: String, of identifier: String = "a", in folder: Directory, as name: String,
        operation: OperationID = OperationID(), held: Bool = false
    ) throws {
        try home.writePack(
            ["file": version, "in/ner": version], of: identifier, in: folder.createDirectory(name), version: version,
            operation: operation, held: held)
    }

    private func operationFolder() throws -> Directory {
        let staged = try home.staging.createDirectory(operation.rawValue)
        try staged.put(StagingDirectory.target, "a.thing")
        return staged
    }

    private func stage(_ moment: Moment) throws {
        let staged = try home.staging.createDirectory(operation.rawValue)
        if moment == .emptyFolder { return }
        try staged.put(StagingDirectory.target, moment == .emptyTarget ? "" : "a.thing")
        if moment == .emptyTarget || moment == .targetOnly { return }
        if moment == .discardingMarked || moment == .discardingWithReceipt {
            try staged.put(StagingDirectory.discardsReplaced, "")
        }
        try staged.put(StagingDirectory.folder + "/file", moment == .halfUnpacked ? "" : "9")
        if moment == .halfUnpacked || moment == .discardingMarked { return }
        try staged.put(StagingDirectory.folder + "/in/ner", "9")
        if moment == .unpacked { return }
        try writePack("9", in: staged, as: StagingDirectory.folder, operation: operation)
    }

    /// Opens the home twice, and checks that exactly the expected files are there and intact.
    private func expect(
        installed: String?, previous: String?, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        for _ in 1...2 {
            let library = try await home.open()
            let pack = try await library.pack(of: "a")
            #expect(pack?.version?.text == installed, sourceLocation: sourceLocation)
            #expect(try home.staging.names().isEmpty, sourceLocation: sourceLocation)
            let before = try? home.previous.openDirectory("a.thing").text("file")
            #expect(before == previous, sourceLocation: sourceLocation)
            guard let installed else { continue }
            #expect(pack?.origin != nil, sourceLocation: sourceLocation)
            #expect(try await library.verify("a").isEmpty, sourceLocation: sourceLocation)
            #expect(try await library.text("file", of: "a") == installed, sourceLocation: sourceLocation)
        }
        let library = try await home.open()
        await library.emptyTrash()
        #expect(try home.trash.names().isEmpty, sourceLocation: sourceLocation)
        guard installed != nil else { return }
        if let previous {
            let back = try await library.rollBack("a", operation: OperationID())
            #expect(back.version?.text == previous, sourceLocation: sourceLocation)
            #expect(try await library.verify("a").isEmpty, sourceLocation: sourceLocation)
        } else {
            let code = await failure { _ = try await library.rollBack("a", operation: OperationID()) }
            #expect(code == .noPrevious, sourceLocation: sourceLocation)
        }
    }
}
