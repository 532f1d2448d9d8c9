import FoundationEssentials
import Glibc
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

@testable import StoreLibrary

/// Replaces a directory that is in use by something else.
///
/// Each swap happens between two steps of an operation.
@Suite struct SwapTests {
    private let home: LibraryHome
    /// The target of links; nothing may be added or removed there.
    private let outside: TemporaryFolder

    init() throws {
        home = try LibraryHome()
        outside = try TemporaryFolder()
        try outside.directory.put("mine", "mine")
    }

    enum Substitute: String, CaseIterable { case link, folder }

    /// Replaces a directory and moves the original aside.
    ///
    /// - Returns: a function that restores the directory.
    private func swap(_ name: String, in parent: Directory, for substitute: Substitute) throws -> () throws -> Void {
        try parent.rename(name, to: parent, as: name + ".moved")
        switch substitute {
        case .link: try parent.putLink(name, to: outside.path)
        case .folder: try parent.put(name + "/theirs", "theirs")
        }
        return {
            try parent.removeTree(name)
            try parent.rename(name + ".moved", to: parent, as: name)
        }
    }

    private func expectOutsideUntouched() throws { #expect(try outside.directory.tree() == ["mine": "mine"]) }

    @Test(arguments: ["OP", "OP/pack"], Substitute.allCases)
    func `a swapped staging directory is not committed`(what: String, substitute: Substitute) async throws {
        for version in ["1", "2"] {
            let library = try await home.open()
            let operation = OperationID()
            let staged = try await library.stage(operation, productIdentifier: "a", kind: .thing)
            try staged.directory.put("file", version)
            let parent = what == "OP" ? try home.staging : try home.staging.openDirectory(operation.rawValue)
            let putBack = try swap(what == "OP" ? operation.rawValue : "pack", in: parent, for: substitute)
            let receipt = Receipt.of(["file": version], identifier: "a", version: version, operation: operation)
            #expect(await failure { _ = try await library.commit(staged, receipt: receipt) } == .homeSwapped)
            // Installed packs stay, and nothing was added.
            #expect(try home.packs.names() == (version == "1" ? [] : ["a.thing"]))
            #expect(try await library.pack(of: "a")?.version?.text == (version == "1" ? nil : "1"))
            try expectOutsideUntouched()
            try putBack()
            await library.discard(operation)
            try await library.bring("a", ["file": version], version: version)
            #expect(try await library.verify("a").isEmpty)
            if version == "2" { #expect(try home.previous.openDirectory("a.thing").text("file") == "1") }
        }
    }

    @Test(arguments: ["packs", "staging", "previous", "trash"], Substitute.allCases)
    func `a swapped directory of the home is not changed`(name: String, substitute: Substitute) async throws {
        let library = try await home.open()
        try await library.bring("a", ["file": "1"], version: "1")
        try await library.bring("a", ["file": "2"], version: "2")
        let operation = OperationID()
        let staged = try await library.stage(operation, productIdentifier: "a", kind: .thing)
        try staged.directory.put("file", "3")
        let putBack = try swap(name, in: home.data, for: substitute)
        let receipt = Receipt.of(["file": "3"], identifier: "a", operation: operation)
        #expect(await failure { _ = try await library.commit(staged, receipt: receipt) } == .homeSwapped)
        #expect(await failure { _ = try await library.remove("a") } == .homeSwapped)
        #expect(await failure { _ = try await library.rollBack("a", operation: OperationID()) } == .homeSwapped)
        #expect(await failure { _ = try await library.setHeld("a", true) } == .homeSwapped)
        #expect(await failure { try await library.bring("b", ["file": "1"]) } == .homeSwapped)
        await library.discard(operation)
        await library.emptyTrash()
        await library.expirePrevious(olderThan: 1000)
        try expectOutsideUntouched()
        try putBack()
        #expect(try await library.verify("a").isEmpty)
        #expect(try await library.pack(of: "a")?.version?.text == "2")
        #expect(try await library.rollBack("a", operation: OperationID()).version?.text == "1")
    }

    @Test(arguments: Substitute.allCases)
    func `a swapped home is not changed`(substitute: Substitute) async throws {
        let parent = try home.data.createDirectory("parent")
        let data = try parent.createDirectory("data")
        let library = try await Library.open(data: data.path, kinds: .tested)
        try await library.bring("a", ["file": "1"])
        let putBack = try swap("data", in: parent, for: substitute)
        #expect(await failure { try await library.bring("b", ["file": "1"]) } == .homeSwapped)
        #expect(await failure { _ = try await library.remove("a") } == .homeSwapped)
        try expectOutsideUntouched()
        try putBack()
        _ = try await library.remove("a")
    }

    @Test(arguments: Substitute.allCases)
    func `a swapped pack does not become the previous version`(substitute: Substitute) async throws {
        let library = try await home.open()
        try await library.bring("a", ["file": "1"], version: "1")
        let operation = OperationID()
        let staged = try await library.stage(operation, productIdentifier: "a", kind: .thing)
        try staged.directory.put("file", "2")
        let putBack = try swap("a.thing", in: home.packs, for: substitute)
        let receipt = Receipt.of(["file": "2"], identifier: "a", version: "2", operation: operation)
        let code = await failure { _ = try await library.commit(staged, receipt: receipt) }
        #expect(code == (substitute == .link ? .homeSwapped : .packByHand))
        #expect(try home.previous.names().isEmpty)
        try expectOutsideUntouched()
        await library.discard(operation)
        try putBack()
        #expect(try await library.text("file", of: "a") == "1")
    }

    @Test
    func `a swapped previous version is not restored`() async throws {
        let library = try await home.open()
        for version in ["1", "2"] { try await library.bring("a", ["file": version], version: version) }
        try home.writePack(["file": "9"], of: "a", in: outside.directory.createDirectory("pack"), version: "9")
        try home.previous.removeTree("a.thing")
        try home.previous.putLink("a.thing", to: outside.path + "/pack")
        #expect(await failure { _ = try await library.rollBack("a", operation: OperationID()) } == .noPrevious)
        try await library.bring("a", ["file": "3"], version: "3")
        #expect(try home.previous.openDirectory("a.thing").text("file") == "2")
        _ = try await library.remove("a")
        await library.emptyTrash()
        #expect(try outside.directory.openDirectory("pack").text("file") == "9")
    }

    @Test(arguments: ["packs", "staging", "previous", "trash"])
    func `a link in place of a directory is refused at the start`(name: String) async throws {
        try home.data.putLink(name, to: outside.path)
        #expect(await failure { _ = try await home.open() } == .homeUnusable)
        try expectOutsideUntouched()
    }

    @Test
    func `recovery does not follow links`() async throws {
        let library = try await home.open()
        try await library.bring("a", ["file": "1"])
        for (number, name) in ["set-aside", "pack", "target", "discards-replaced"].enumerated() {
            let staged = try home.staging.createDirectory("op\(number)")
            try staged.put("target", number == 0 ? "b.thing" : "a.thing")
            try? staged.remove(name)
            try staged.putLink(name, to: outside.path + (name == "target" ? "/mine" : ""))
        }
        try home.staging.putLink("link", to: outside.path)
        try home.previous.putLink("c.thing", to: outside.path)
        let next = try await home.open()
        await next.emptyTrash()
        #expect(try home.packs.names() == ["a.thing"])
        #expect(try home.staging.names().isEmpty && home.trash.names().isEmpty && home.previous.names().isEmpty)
        #expect(try await next.verify("a").isEmpty)
        try expectOutsideUntouched()
    }
}
