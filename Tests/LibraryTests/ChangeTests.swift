import FoundationEssentials
import Glibc
import StoreLibrary
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

@Suite struct ChangeTests {
    private let home: LibraryHome
    init() throws { home = try LibraryHome() }

    // MARK: Previous versions

    @Test func `a rollback restores the previous version, and a second one changes nothing`() async throws {
        let library = try await home.open()
        try await library.bring("a", ["file": "1"], version: "1")
        for round in 2...3 {
            try await library.bring("a", ["file": "\(round)"], version: "\(round)")
            let operation = OperationID()
            let pack = try await library.rollBack("a", operation: operation)
            #expect(pack.version == Version("1") && pack.origin?.held == true, "round \(round)")
            #expect(pack.origin?.operation == operation)
            for library in [library, try await home.open()] {
                #expect(await failure { _ = try await library.rollBack("a", operation: OperationID()) } == .noPrevious)
                #expect(try await library.text("file", of: "a") == "1")
                #expect(try await library.pack(of: "a") == pack)
                #expect(try await library.verify("a").isEmpty)
            }
            #expect(try home.staging.names().isEmpty)
        }
    }

    @Test func `a repair does not make it possible to roll forward`() async throws {
        let library = try await home.open()
        try await library.bring("a", ["file": "1"], version: "1")
        try await library.bring("a", ["file": "2"], version: "2")
        _ = try await library.rollBack("a", operation: OperationID())
        try await library.bring("a", ["file": "1"], version: "1", keepingReplaced: false)
        #expect(await failure { _ = try await library.rollBack("a", operation: OperationID()) } == .noPrevious)
        #expect(try await library.text("file", of: "a") == "1")
    }

    @Test func `whether a pack was named survives updates, rollbacks and repairs`() async throws {
        let library = try await home.open()
        try await library.bring("a", ["file": "1"], version: "1", asDependency: true)
        try await library.bring("a", ["file": "2"], version: "2")
        #expect(try await library.pack(of: "a")?.origin?.asDependency == true)
        _ = try await library.setHeld("a", true)
        try await library.setRequested("a")
        let named = try #require(try await library.pack(of: "a"))
        #expect(named.origin?.asDependency == false && named.origin?.held == true)
        // Nothing but the receipts is needed to know it again.
        #expect(try await home.open().pack(of: "a") == named)
        // The receipt of the previous version still says otherwise.
        let back = try await library.rollBack("a", operation: OperationID())
        #expect(back.version == Version("1") && back.origin?.asDependency == false)
        let repaired = try await library.bring(
            "a", ["file": "1"], version: "1", keepingReplaced: false, asDependency: true)
        #expect(repaired.origin?.asDependency == false)
        #expect(await failure { try await library.setRequested("b") } == .packMissing)
    }

    @Test func `a reader of one version gets that version or an error`() async throws {
        let library = try await home.open()
        var operations: [OperationID] = []
        for version in 1...3 {
            let pack = try await library.bring("a", ["file": "\(version)"], version: "\(version)")
            operations.append(try #require(pack.origin?.operation))
            // The change is also seen before this library has listed its packs.
            let other = try await home.open()
            for library in [library, other] {
                for (number, operation) in operations.enumerated().suffix(2) {
                    #expect(try await library.directory(of: "a", by: operation).text("file") == "\(number + 1)")
                }
            }
        }
        #expect(await failure { _ = try await library.directory(of: "a", by: operations[0]) } == .packReplaced)
        #expect(await failure { _ = try await library.directory(of: "b", by: operations[0]) } == .packMissing)
        // A rollback restores version 2 by an operation of its own, and keeps version 3.
        let back = OperationID()
        _ = try await library.rollBack("a", operation: back)
        #expect(try await library.directory(of: "a", by: back).text("file") == "2")
        #expect(try await library.directory(of: "a", by: operations[2]).text("file") == "3")
        #expect(await failure { _ = try await library.directory(of: "a", by: operations[1]) } == .packReplaced)
    }

    @Test func `a pack that is removed during a request is not installed`() async throws {
        let library = try await home.open()
        let listed = try await library.bring("a", ["file": "1"])
        _ = try await library.remove("a")
        #expect(await failure { _ = try library.directory(of: listed) } == .packMissing)
        var (rounds, refused) = (0, 0)
        while rounds < 200 || refused == 0 {
            try Task.checkCancellation()
            rounds += 1
            let pack = try await library.bring("a", ["file": "1"])
            let operation = try #require(pack.origin?.operation)
            async let removed = library.remove("a")
            async let opened = fault { _ = try await library.directory(of: "a") }
            async let pinned = fault { _ = try await library.directory(of: "a", by: operation) }
            async let held = fault { _ = try await library.setHeld("a", true) }
            async let verified = fault { _ = try await library.verify("a") }
            _ = try await removed
            for fault in await [opened, pinned, held, verified] where fault != nil {
                let code = (fault as? any CodedError)?.code
                #expect(code == .packMissing || code == .packReplaced, "\(fault as Any)")
                refused += 1
            }
        }
    }

    private func fault(_ body: () async throws -> Void) async -> (any Error)? {
        do {
            try await body()
            return nil
        } catch {
            return error
        }
    }

    @Test func `only one previous version is kept`() async throws {
        let library = try await home.open()
        for version in 1...4 { try await library.bring("a", ["file": "\(version)"], version: "\(version)") }
        #expect(try home.previous.openDirectory("a.thing").text("file") == "3")
        // Versions 1 and 2, beside the directories of the operations.
        let texts = try home.trash.tree().filter { $0.key.hasSuffix("/file") }.values
        #expect(texts.sorted() == ["1", "2"])
        await library.emptyTrash()
        #expect(try home.trash.names().isEmpty)
        _ = try await library.rollBack("a", operation: OperationID())
        try await library.bring("a", ["file": "5"], version: "5")
        #expect(try home.previous.openDirectory("a.thing").text("file") == "3")
    }

    @Test func `a rollback needs a previous version`() async throws {
        let library = try await home.open()
        try await library.bring("a", ["file": "1"])
        #expect(await failure { _ = try await library.rollBack("a", operation: OperationID()) } == .noPrevious)
        #expect(await failure { _ = try await library.rollBack("b", operation: OperationID()) } == .packMissing)
        #expect(try await library.text("file", of: "a") == "1")
    }

    @Test func `a repair does not keep the damaged version`() async throws {
        let library = try await home.open()
        try await library.bring("a", ["file": "1"], version: "1")
        try await library.bring("a", ["file": "2"], version: "2")
        try home.packs.put("a.thing/file", "broken")
        try await library.bring("a", ["file": "2"], version: "2", keepingReplaced: false)
        #expect(try await library.verify("a").isEmpty)
        #expect(try home.staging.names().isEmpty)
        // The previous version is still the older one.
        #expect(try await library.rollBack("a", operation: OperationID()).version == Version("1"))
    }

    @Test func `previous versions expire`() async throws {
        let library = try await home.open()
        try await library.bring("a", ["file": "1"])
        try await library.bring("a", ["file": "2"])
        await library.expirePrevious(olderThan: 3600)
        #expect(try home.previous.names() == ["a.thing"])
        // An age in the future, so that the test need not wait.
        await library.expirePrevious(olderThan: -3600)
        #expect(try home.previous.names().isEmpty)
        #expect(await failure { _ = try await library.rollBack("a", operation: OperationID()) } == .noPrevious)
        #expect(try await library.text("file", of: "a") == "2")
    }

    // MARK: Uninstalling

    @Test func `uninstalling removes the previous version, too`() async throws {
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

    @Test func `a kind can refuse to remove a pack`() async throws {
        let library = try await home.open()
        try await library.bring("kept", ["file": "1"])
        #expect(await failure { _ = try await library.remove("kept") } == .badInformation)
        #expect(try await library.text("file", of: "kept") == "1")
    }

    @Test func `the trash is emptied of all kinds of files`() async throws {
        let library = try await home.open()
        try home.trash.put("file", "1")
        try home.trash.put("folder/deep/er/file", "1")
        try home.data.put("elsewhere/file", "1")
        try home.trash.putLink("link", to: "../elsewhere")
        await library.emptyTrash()
        #expect(try home.trash.names().isEmpty)
        #expect(try home.data.text("elsewhere/file") == "1")
    }

    // MARK: Verifying

    @Test func `a verification finds every kind of damage`() async throws {
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

    @Test func `added permissions are damage`() async throws {
        let library = try await home.open()
        try await library.bring("a", ["run": "1", "open": "1", "closed": "1", "sub/x": "1"])
        let pack = try home.packs.openDirectory("a.thing")
        chmod(pack.path + "/run", 0o755)
        chmod(pack.path + "/open", 0o664)
        chmod(pack.path + "/closed", 0o600)
        chmod(pack.path + "/sub", 0o777)
        #expect(
            try await library.verify("a") == [
                .init(path: "open", damage: .permissions), .init(path: "run", damage: .permissions),
                .init(path: "sub", damage: .permissions),
            ])
        #expect(try await library.inspect("a").whole.count == 4)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a file away"))
    func `a file that belongs to another user is damage`() async throws {
        let library = try await home.open()
        try await library.bring("a", ["same": "1"])
        chown(try home.packs.openDirectory("a.thing").path + "/same", 12345, 12345)
        #expect(try await library.verify("a") == [.init(path: "same", damage: .permissions)])
    }

    @Test func `a link in place of a directory is not followed`() async throws {
        let library = try await home.open()
        try await library.bring("a", ["sub/x": "1"])
        let pack = try home.packs.openDirectory("a.thing")
        try home.data.put("elsewhere/x", "1")
        try pack.removeTree("sub")
        try pack.putLink("sub", to: "../../elsewhere")
        #expect(
            try await library.verify("a") == [
                .init(path: "sub", damage: .added), .init(path: "sub/x", damage: .replaced),
            ])
        _ = try await library.remove("a")
        await library.emptyTrash()
        #expect(try home.data.text("elsewhere/x") == "1")
    }

    @Test(.hangGuard, arguments: [S_IFIFO, S_IFCHR, S_IFSOCK])
    func `pipes and devices do not block a verification`(type: mode_t) async throws {
        let library = try await home.open()
        let files = ["a": "1", "b": "1"]
        try await library.bring("a", files)
        let pack = try home.packs.openDirectory("a.thing")
        func put(_ name: String) throws {
            try? pack.remove(name)
            // The device never ends (mem(4)).
            guard mknodat(pack.descriptor, name, type | 0o644, type == S_IFCHR ? 1 << 8 | 5 : 0) == 0 else {
                throw POSIXError(.init(rawValue: errno) ?? .EIO)
            }
        }
        if type == S_IFCHR, geteuid() != 0 { try skip("only root can make a device") }
        try put("a")
        try put("extra")
        #expect(
            try await library.verify("a") == [
                .init(path: "a", damage: .replaced), .init(path: "extra", damage: .added),
            ])
        try put(Receipt.fileName)
        #expect(try await library.verify("a") == [.init(path: Receipt.fileName, damage: .changed)])
        #expect(try await home.open().pack(of: "a")?.receiptIsDamaged == true)
        #expect(await failure { _ = try await library.setHeld("a", true) } == .receiptDamaged)
        _ = try await library.remove("a")
        // In staging, as after a crash.
        try pack.put("x", "1")
        for name in ["target", "set-aside", "pack", "discards-replaced"] {
            let staged = try home.staging.createDirectory("op-\(name)")
            try staged.put("target", "a.thing")
            try? staged.remove(name)
            #expect(mknodat(staged.descriptor, name, type | 0o644, 0) == 0)
        }
        let next = try await home.open()
        #expect(try home.staging.names().isEmpty && home.packs.names().isEmpty && home.previous.names().isEmpty)
        await next.emptyTrash()
        #expect(try home.trash.names().isEmpty)
    }

    @Test func `a receipt of impossible size is not read`() async throws {
        let library = try await home.open()
        try await library.bring("a", ["a": "1"])
        let file = try home.packs.openDirectory("a.thing").openOrCreateFile(Receipt.fileName)
        try file.truncate(to: 1 << 40)
        #expect(try await library.verify("a") == [.init(path: Receipt.fileName, damage: .changed)])
        _ = try await library.remove("a")
    }

    @Test func `a pack that is replaced during its verification is not damaged`() async throws {
        let library = try await home.open()
        let content = String(repeating: "x", count: 20_000)
        let files = Dictionary(uniqueKeysWithValues: (0..<200).map { ("\($0)", content) })
        try await library.bring("a", files)
        // The pack is replaced and emptied repeatedly during verifications.
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for _ in 1...5 {
                    try await library.bring("a", files, keepingReplaced: false)
                    await library.emptyTrash()
                }
            }
            for _ in 1...4 {
                group.addTask {
                    for _ in 1...5 {
                        let damages = try await library.verify("a")
                        #expect(damages.isEmpty)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    // MARK: Copying intact files

    @Test func `intact files are copied and verified`() async throws {
        let library = try await home.open()
        try await library.bring("a", ["a": "1", "sub/b": "2", "empty": ""])
        let receipt = try #require(try await library.inspect("a").receipt)
        let operation = OperationID()
        let staged = try await library.stage(operation, productIdentifier: "a", kind: .thing)
        try staged.takeOver(receipt.files.map { ($0.path, $0) })
        #expect(try staged.directory.tree() == ["a": "1", "sub/b": "2", "empty": ""])
        // The copy is a separate file, with the permissions of a new one.
        let (old, new) = (try home.packs.status(of: "a.thing/a"), try staged.directory.status(of: "a"))
        #expect(old?.inode != new?.inode && new?.permissions == 0o644)
        await library.discard(operation)
    }

    @Test(arguments: ["3", "11", "", "link"])
    func `a file with other content than the receipt says is not copied`(content: String) async throws {
        let library = try await home.open()
        try await library.bring("a", ["a": "1"])
        let receipt = try #require(try await library.inspect("a").receipt)
        let pack = try home.packs.openDirectory("a.thing")
        try home.data.put("elsewhere", "1")
        if content == "link" {
            try pack.remove("a")
            try pack.putLink("a", to: "../../elsewhere")
        } else {
            try pack.put("a", content)
        }
        let operation = OperationID()
        let staged = try await library.stage(operation, productIdentifier: "a", kind: .thing)
        let code = await failure { try staged.takeOver(receipt.files.map { ($0.path, $0) }) }
        #expect(code == (content == "link" ? .fileEscapes : .packChanged))
        await library.discard(operation)
    }

    @Test func `canonically equivalent file names are distinguished`() async throws {
        let library = try await home.open()
        // Two spellings of the same letter, which Swift compares as equal and Linux does not.
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
