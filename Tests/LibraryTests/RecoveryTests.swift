import FoundationEssentials
import Glibc
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

@testable import StoreLibrary

/// Everything that a crash can leave on the disk, each made by hand, and what must be there after the next start.
@Suite("After a crash")
struct RecoveryTests {
    private let home: LibraryHome
    private let operation = OperationID()
    init() throws { home = try LibraryHome() }

    /// What lies in staging when the power goes, in the order in which it comes about.
    enum Moment: String, CaseIterable {
        case emptyFolder, emptyTarget, targetOnly, halfUnpacked, unpacked, withReceipt
        case discardingMarked, discardingWithReceipt
    }

    @Test("what was never committed goes, and what was there stays", arguments: Moment.allCases, [nil, "1"])
    func notCommitted(moment: Moment, installed: String?) async throws {
        if let installed { try lay(installed, in: home.packs, as: "a.thing") }
        try stage(moment)
        try await expect(installed: installed, previous: nil)
    }

    @Test("a new pack that took its place stays, whatever of its operation is left", arguments: [true, false])
    func installCommitted(hasMarker: Bool) async throws {
        try lay("1", in: home.packs, as: "a.thing", operation: operation)
        let staged = try operationFolder()
        if hasMarker { try staged.put(StagedPack.discardsReplaced, "") }
        try await expect(installed: "1", previous: nil)
    }

    @Test("after the exchange the new version is there and the old one kept", arguments: [nil, "0"])
    func exchanged(older: String?) async throws {
        if let older { try lay(older, in: home.previous, as: "a.thing") }
        try lay("2", in: home.packs, as: "a.thing", operation: operation)
        try lay("1", in: operationFolder(), as: StagedPack.folder)
        try await expect(installed: "2", previous: "1")
    }

    @Test("after the exchange of a repair the damaged version is not kept", arguments: [nil, "0"])
    func repaired(older: String?) async throws {
        if let older { try lay(older, in: home.previous, as: "a.thing") }
        try lay("2", in: home.packs, as: "a.thing", operation: operation)
        let staged = try operationFolder()
        try staged.put(StagedPack.discardsReplaced, "")
        try lay("1", in: staged, as: StagedPack.folder)
        try await expect(installed: "2", previous: older)
    }

    @Test func afterTheOldVersionWasKeptOnlyTheFolderIsCleared() async throws {
        try lay("1", in: home.previous, as: "a.thing")
        try lay("2", in: home.packs, as: "a.thing", operation: operation)
        _ = try operationFolder()
        try await expect(installed: "2", previous: "1")
    }

    // MARK: Where the file system can't exchange

    @Test func betweenTheTwoRenamesTheOldVersionComesBack() async throws {
        let staged = try operationFolder()
        try lay("1", in: staged, as: StagedPack.setAside)
        try lay("2", in: staged, as: StagedPack.folder, operation: operation)
        try await expect(installed: "1", previous: nil)
    }

    @Test("after the two renames the old version is kept", arguments: [nil, "0"])
    func setAside(older: String?) async throws {
        if let older { try lay(older, in: home.previous, as: "a.thing") }
        try lay("2", in: home.packs, as: "a.thing", operation: operation)
        try lay("1", in: operationFolder(), as: StagedPack.setAside)
        try await expect(installed: "2", previous: "1")
    }

    @Test("after the two renames of a repair the damaged version is not kept", arguments: [nil, "0"])
    func setAsideByRepair(older: String?) async throws {
        if let older { try lay(older, in: home.previous, as: "a.thing") }
        try lay("2", in: home.packs, as: "a.thing", operation: operation)
        let staged = try operationFolder()
        try staged.put(StagedPack.discardsReplaced, "")
        try lay("1", in: staged, as: StagedPack.setAside)
        try await expect(installed: "2", previous: older)
    }

    // MARK: Rollback

    @Test func aRollbackThatOnlyChangedTheReceiptIsNone() async throws {
        try lay("2", in: home.packs, as: "a.thing")
        try lay("1", in: home.previous, as: "a.thing", operation: operation, held: true)
        try await expect(installed: "2", previous: "1")
    }

    @Test func aRollbackAfterItsFirstRenameIsNone() async throws {
        try home.packs.put("b.thing/file", "")
        try lay("2", in: operationFolder(), as: StagedPack.setAside)
        try lay("1", in: home.previous, as: "a.thing", operation: operation, held: true)
        try home.packs.removeTree("b.thing")
        try await expect(installed: "2", previous: "1")
    }

    @Test func aRollbackAfterItsSecondRenameIsOne() async throws {
        try lay("2", in: operationFolder(), as: StagedPack.setAside)
        try lay("1", in: home.packs, as: "a.thing", operation: operation, held: true)
        try await expect(installed: "1", previous: "2")
    }

    @Test func aRollbackAfterItsThirdRenameIsOne() async throws {
        _ = try operationFolder()
        try lay("2", in: home.previous, as: "a.thing")
        try lay("1", in: home.packs, as: "a.thing", operation: operation, held: true)
        try await expect(installed: "1", previous: "2")
    }

    // MARK: Uninstalling, and what else may lie about

    @Test func aVersionBeforeOfWhatWasUninstalledGoes() async throws {
        try lay("1", in: home.previous, as: "a.thing")
        try await expect(installed: nil, previous: nil)
        #expect(try home.previous.names().isEmpty)
    }

    @Test func trashThatWasLeftIsEmptied() async throws {
        try lay("1", in: home.trash, as: OperationID().rawValue)
        try home.trash.put("file", "")
        try lay("2", in: home.packs, as: "a.thing")
        try await expect(installed: "2", previous: nil)
    }

    @Test func aReceiptThatWasOnItsWayGoes() async throws {
        try lay("1", in: home.packs, as: "a.thing")
        try home.staging.put(OperationID().rawValue + ".receipt", "{")
        try await expect(installed: "1", previous: nil)
    }

    @Test(
        "junk in staging goes and does no harm",
        arguments: [
            "../../../etc", "..", ".", "/", "a.thing/file", "", "a.thing\0", String(repeating: "x", count: 4000),
        ])
    func junk(target: String) async throws {
        try lay("1", in: home.packs, as: "a.thing")
        try lay("0", in: home.previous, as: "a.thing")
        for name in ["pack", "set-aside"] {
            let junk = try home.staging.createDirectory("junk-\(name)")
            try junk.put(StagedPack.target, target)
            try lay("9", in: junk, as: name)
        }
        try home.staging.put("file", "")
        try home.staging.put("folder/deep/file", "")
        try home.staging.put("no-file/target/file", "")
        try home.staging.putLink("link", to: "../packs")
        try await expect(installed: "1", previous: "0")
        #expect(try home.packs.names() == ["a.thing"])
        #expect(Set(try home.data.names()) == ["packs", "previous", "staging", "trash"])
    }

    @Test func severalOperationsAreSettledAtOnce() async throws {
        for (identifier, number) in zip(["a", "b", "c"], 1...) {
            let operation = OperationID()
            try lay("2", of: identifier, in: home.packs, as: identifier + ".thing", operation: operation)
            let staged = try home.staging.createDirectory(operation.rawValue)
            try staged.put(StagedPack.target, identifier + ".thing")
            try lay("1", of: identifier, in: staged, as: number == 2 ? StagedPack.setAside : StagedPack.folder)
        }
        let library = try await home.open()
        for identifier in ["a", "b", "c"] {
            #expect(try await library.text("file", of: identifier) == "2")
            #expect(try await library.rollBack(identifier, operation: OperationID()).version == Version("1"))
        }
    }

    // MARK: The index

    @Test("the receipts decide, whatever the index says", arguments: ["lost", "stale", "of packs that went", "lying"])
    func index(state: String) async throws {
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
            // Each as the other one, and by stamps that belong to neither.
            let (a, b) = (index["a.thing"], index["b.thing"])
            (index["a.thing"], index["b.thing"]) = (b, a)
            index["c.thing"] = a
        }
        let expected = try await home.open().all()
        #expect(try await home.open(index: index).all() == expected)
        #expect(expected.identifiers == ["a", "b"])
        // What the index keeps is as good as reading all again.
        let kept = try await home.open(index: index).index
        #expect(try await home.open(index: kept).all() == expected)
    }

    // MARK: Making and checking

    private func lay(
        _ version: String, of identifier: String = "a", in folder: Directory, as name: String,
        operation: OperationID = OperationID(), held: Bool = false
    ) throws {
        try home.lay(
            ["file": version, "in/ner": version], of: identifier, in: folder.createDirectory(name), version: version,
            operation: operation, held: held)
    }

    private func operationFolder() throws -> Directory {
        let staged = try home.staging.createDirectory(operation.rawValue)
        try staged.put(StagedPack.target, "a.thing")
        return staged
    }

    private func stage(_ moment: Moment) throws {
        let staged = try home.staging.createDirectory(operation.rawValue)
        if moment == .emptyFolder { return }
        try staged.put(StagedPack.target, moment == .emptyTarget ? "" : "a.thing")
        if moment == .emptyTarget || moment == .targetOnly { return }
        if moment == .discardingMarked || moment == .discardingWithReceipt {
            try staged.put(StagedPack.discardsReplaced, "")
        }
        try staged.put(StagedPack.folder + "/file", moment == .halfUnpacked ? "" : "9")
        if moment == .halfUnpacked || moment == .discardingMarked { return }
        try staged.put(StagedPack.folder + "/in/ner", "9")
        if moment == .unpacked { return }
        try lay("9", in: staged, as: StagedPack.folder, operation: operation)
    }

    /// Opens the home, twice, and checks what is there: whole, and nothing else.
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
