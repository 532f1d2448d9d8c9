import Files
import FoundationEssentials
import Glibc
import Library
import StoreModel
import Support
import Testing

@Suite("Changing what is installed")
struct ChangeTests {
    private let home: LibraryHome
    init() throws { home = try LibraryHome() }

    // MARK: The version before

    @Test func aRollbackGoesBackAndForth() async throws {
        let library = try await home.open()
        try await library.bring("a", ["file": "1"], version: "1")
        try await library.bring("a", ["file": "2"], version: "2")
        for (version, round) in zip(["1", "2", "1"], 1...3) {
            let operation = OperationID()
            let pack = try await library.rollBack("a", operation: operation)
            #expect(pack.version == Version(version) && pack.origin?.held == true, "round \(round)")
            #expect(pack.origin?.operation == operation)
            #expect(try await library.text("file", of: "a") == version)
            #expect(try await library.verify("a").isEmpty)
            #expect(try await home.open().pack(of: "a") == pack)
            #expect(try home.staging.names().isEmpty)
        }
    }

    @Test func onlyTheVersionBeforeTheLastIsKept() async throws {
        let library = try await home.open()
        for version in 1...4 { try await library.bring("a", ["file": "\(version)"], version: "\(version)") }
        #expect(try home.previous.openDirectory("a.thing").text("file") == "3")
        // Versions 1 and 2, beside the folders of the operations.
        let texts = try home.trash.tree().filter { $0.key.hasSuffix("/file") }.values
        #expect(texts.sorted() == ["1", "2"])
        await library.emptyTrash()
        #expect(try home.trash.names().isEmpty)
        _ = try await library.rollBack("a", operation: OperationID())
        try await library.bring("a", ["file": "5"], version: "5")
        #expect(try home.previous.openDirectory("a.thing").text("file") == "3")
    }

    @Test func aRollbackNeedsAVersionBefore() async throws {
        let library = try await home.open()
        try await library.bring("a", ["file": "1"])
        #expect(await failure { _ = try await library.rollBack("a", operation: OperationID()) } == .noPrevious)
        #expect(await failure { _ = try await library.rollBack("b", operation: OperationID()) } == .packMissing)
        #expect(try await library.text("file", of: "a") == "1")
    }

    @Test func aDamagedVersionIsNotKeptByItsRepair() async throws {
        let library = try await home.open()
        try await library.bring("a", ["file": "1"], version: "1")
        try await library.bring("a", ["file": "2"], version: "2")
        try home.packs.put("a.thing/file", "broken")
        try await library.bring("a", ["file": "2"], version: "2", keepingReplaced: false)
        #expect(try await library.verify("a").isEmpty)
        #expect(try home.staging.names().isEmpty)
        // The version before is still the one before that.
        #expect(try await library.rollBack("a", operation: OperationID()).version == Version("1"))
    }

    @Test func versionsBeforeAreForgottenAfterAWhile() async throws {
        let library = try await home.open()
        try await library.bring("a", ["file": "1"])
        try await library.bring("a", ["file": "2"])
        await library.expirePrevious(olderThan: 3600)
        #expect(try home.previous.names() == ["a.thing"])
        // An age that lies in the future, so that no clock has to move on.
        await library.expirePrevious(olderThan: -3600)
        #expect(try home.previous.names().isEmpty)
        #expect(await failure { _ = try await library.rollBack("a", operation: OperationID()) } == .noPrevious)
        #expect(try await library.text("file", of: "a") == "2")
    }

    // MARK: Removing

    @Test func uninstallingTakesTheVersionBeforeToo() async throws {
        let library = try await home.open()
        try await library.bring("a", ["file": "1"])
        try await library.bring("a", ["file": "2"])
        try await library.bring("b", ["file": "1"])
        let reading = try await library.directory(of: "a")
        #expect(try await library.remove("a").productIdentifier == "a")
        #expect(try await library.all().identifiers == ["b"])
        #expect(try home.packs.names() == ["b.thing"] && home.previous.names().isEmpty)
        #expect(try reading.text("file") == "2")
        await library.emptyTrash()
        #expect(try home.trash.names().isEmpty)
        #expect(await failure { _ = try await library.remove("a") } == .packMissing)
        #expect(try await home.open().all().identifiers == ["b"])
    }

    @Test func aKindMayKeepAPackFromGoing() async throws {
        let library = try await home.open()
        try await library.bring("kept", ["file": "1"])
        #expect(await failure { _ = try await library.remove("kept") } == .badInformation)
        #expect(try await library.text("file", of: "kept") == "1")
    }

    @Test func trashOfEverySortIsEmptied() async throws {
        let library = try await home.open()
        try home.trash.put("file", "1")
        try home.trash.put("folder/deep/er/file", "1")
        try home.data.put("elsewhere/file", "1")
        try home.trash.putLink("link", to: "../elsewhere")
        await library.emptyTrash()
        #expect(try home.trash.names().isEmpty)
        #expect(try home.data.text("elsewhere/file") == "1")
    }

    // MARK: Checking

    @Test func everyDamageIsFound() async throws {
        let library = try await home.open()
        let files = [
            "same": "1", "changed": "12", "longer": "1", "gone": "1", "link": "1", "folder": "1", "in/ner": "1",
        ]
        try await library.bring("a", files)
        #expect(try await library.verify("a").isEmpty)
        let pack = try home.packs.openDirectory("a.thing")
        try pack.put("changed", "21")
        try pack.put("longer", "123")
        try pack.remove("gone")
        try pack.remove("link")
        try pack.putLink("link", to: "same")
        try pack.remove("folder")
        try pack.put("folder/added", "1")
        try pack.put("in/added", "1")
        try pack.makeDirectory("empty")
        #expect(
            try await library.verify("a") == [
                .init(path: "changed", damage: .changed), .init(path: "folder", damage: .replaced),
                .init(path: "folder/added", damage: .added), .init(path: "gone", damage: .missing),
                .init(path: "in/added", damage: .added), .init(path: "link", damage: .replaced),
                .init(path: "longer", damage: .changed),
            ])
        #expect(await failure { _ = try await library.verify("b") } == .packMissing)
    }

    @Test func namesThatAreWrittenAlikeAreToldApart() async throws {
        let library = try await home.open()
        // The same letter in two ways of writing it: one name to Swift, two to Linux.
        try await library.bring("a", ["\u{E9}": "1"])
        let pack = try home.packs.openDirectory("a.thing")
        try pack.put("e\u{301}", "2")
        for byte: UInt8 in [0xFE, 0xFF] { try pack.putFile(named: [byte]) }
        let damages = try await library.verify("a")
        #expect(damages.allSatisfy { $0.damage == .added })
        #expect(damages.contains { $0.path.unicodeScalars.elementsEqual("e\u{301}".unicodeScalars) })
        _ = try await library.remove("a")
        await library.emptyTrash()
        #expect(try home.trash.names().isEmpty)
    }
}
