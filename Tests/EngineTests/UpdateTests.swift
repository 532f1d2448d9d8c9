import StoreEngine
import StoreLibrary
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

@Suite struct UpdateTests {
    private let home: EngineHome
    private let store: FileStore

    init() throws {
        home = try EngineHome()
        store = try FileStore(.init("a", ["1.txt": "one"]), .init("b", ["1.txt": "one"]))
    }

    private func content(_ identifier: String) throws -> String {
        try home.packs.openDirectory(identifier + ".stickers").text("1.txt")
    }

    /// Opens a home in which both products are installed.
    private func open() async throws -> StoreManager {
        let manager = try await home.open(using: store)
        for identifier in ["a", "b"] { try await manager.installed(identifier) }
        return manager
    }

    @Test func `nothing is updated where no version is newer`() async throws {
        let manager = try await open()
        #expect(try await manager.updated().isEmpty)
        #expect(try await manager.updated(["a"]) == ["a": nil])
        #expect(try await manager.updates.available().updates.isEmpty)
        #expect(try await manager.updated(["z"])["z"]??.code == .packMissing)
        #expect(try await manager.history.operations().count == 2)
        await manager.close()
    }

    @Test(arguments: [true, false])
    func `another address or size is a new version`(isOtherAddress: Bool) async throws {
        let manager = try await open()
        store["a"].files = ["1.txt": "number two"]
        if isOtherAddress { store["a"].archive = "a-2.zip" }
        try store.publish()
        let (updates, warnings, error) = try await manager.updates.available()
        #expect(updates == [AvailableUpdate(productIdentifier: "a", store: "main", installed: nil, available: nil)])
        #expect(warnings.isEmpty && error == nil)
        #expect(try await manager.packs.pack("a").state == [.downloaded, .free, .updatable])
        #expect(try await manager.packs.list(updatableOnly: true).map(\.productIdentifier) == ["a"])
        #expect(try content("a") == "one")
        #expect(try await manager.updated() == ["a": nil])
        #expect(try content("a") == "number two" && content("b") == "one")
        #expect(try await manager.packs.pack("a").state == [.downloaded, .free])
        #expect(try await manager.history.operations(of: "a").map(\.action) == [.update, .install])
        #expect(try await manager.updated().isEmpty)
        #expect(try home.isClear())
        await manager.close()
    }

    @Test(arguments: [nil, ["a", "b"]] as [[String]?])
    func `a cancelled request begins no update`(identifiers: [String]?) async throws {
        let manager = try await open()
        for identifier in ["a", "b"] { store[identifier].files = ["1.txt": "number two"] }
        try store.publish()
        let request = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await manager.updates.update(identifiers)
        }
        await #expect(throws: CancellationError.self) { _ = try await request.value }
        #expect(try await manager.history.operations().count == 2)
        #expect(try await manager.updated() == ["a": nil, "b": nil])
        await manager.close()
    }

    @Test func `a held pack is only updated by name`() async throws {
        let manager = try await open()
        #expect(try await manager.packs.setHeld("a", true).held)
        for identifier in ["a", "b"] { store[identifier].files = ["1.txt": "number two"] }
        try store.publish()
        let updates = try await manager.updates.available().updates
        #expect(updates.map(\.productIdentifier).sorted() == ["a", "b"])
        #expect(updates.first { $0.productIdentifier == "a" }?.heldBack == "held")
        #expect(try await manager.updated() == ["b": nil])
        #expect(try content("a") == "one" && content("b") == "number two")
        #expect(try await manager.updated(["a"]) == ["a": nil])
        #expect(try content("a") == "number two")
        #expect(try await manager.packs.pack("a").held)
        #expect(try await !manager.packs.setHeld("a", false).held)
        #expect(await failure { _ = try await manager.packs.setHeld("z", true) } == .packMissing)
        await manager.close()
    }

    @Test func `an update with a price waits until it is purchased`() async throws {
        let manager = try await open()
        for identifier in ["a", "b"] { store[identifier].files = ["1.txt": "number two"] }
        store["a"].price = "0.99 EUR"
        try store.publish()
        let updates = try await manager.updates.available().updates
        #expect(updates.first { $0.productIdentifier == "a" }?.heldBack == "costs 0.99 EUR and was not purchased")
        #expect(updates.first { $0.productIdentifier == "b" }?.heldBack == nil)
        #expect(try await manager.updated() == ["b": nil])
        let refused = try await manager.updated(["a"])
        #expect(refused["a"]??.code == .notPurchased && refused["a"]??.code.exitCode == .notEntitled)
        _ = try await manager.purchases.grant("a")
        #expect(try await manager.updates.available().updates.map(\.heldBack) == [nil])
        #expect(try await manager.updated() == ["a": nil])
        #expect(try content("a") == "number two")
        await manager.close()
    }

    @Test func `an update installs the new dependencies of a pack`() async throws {
        let manager = try await open()
        store["a"].files = ["1.txt": "number two"]
        store["a"].dependencies = ["c"]
        store.products.append(.init("c"))
        try store.publish()
        #expect(try await manager.updated(["a"]) == ["a": nil])
        #expect(try await manager.packs.list().map(\.productIdentifier) == ["a", "b", "c"])
        #expect(await failure { _ = try await manager.packs.uninstall("c") } == .packNeeded)
        await manager.close()
    }

    @Test func `a defective version leaves the installed one`() async throws {
        let manager = try await open()
        store["a"].bytes = Array("not a ZIP".utf8)
        try store.publish()
        let error = try await manager.updated(["a"])["a"] ?? nil
        #expect(error?.code.exitCode == .refused)
        #expect(try content("a") == "one" && home.isClear())
        #expect(try await manager.packs.verify("a").isEmpty)
        #expect(await failure { _ = try await manager.packs.rollBack("a") } == .noPrevious)
        await manager.close()
    }

    @Test func `an update reports an unreadable catalogue`() async throws {
        let manager = try await open()
        try store.folder.directory.put("catalogue.json", "{")
        let ends = try await manager.updated()
        #expect(ends.count == 2 && ends.values.allSatisfy { $0?.code.exitCode == .refused })
        #expect(try await manager.updates.available().warnings.count == 1)
        await manager.close()
    }

    @Test func `a pack that its store no longer lists is withdrawn`() async throws {
        let manager = try await open()
        store["a"].withdrawn = true
        store.products.removeAll { $0.identifier == "b" }
        try store.publish()
        _ = try await manager.stores.refresh()
        for identifier in ["a", "b"] {
            #expect(try await manager.packs.pack(identifier).state == [.downloaded, .free, .withdrawn])
        }
        #expect(try await manager.updated().isEmpty)
        let updates = try await manager.updates.available().updates
        #expect(updates.count == 2 && updates.allSatisfy { $0.heldBack?.contains("withdrawn") == true })
        _ = try await manager.packs.uninstall("a")
        #expect(await failure { try await manager.installed("a") } == .productWithdrawn)
        try await manager.stores.remove("main")
        #expect(
            try await manager.updates.available().updates.map(\.heldBack) == ["its store 'main' was removed"])
        #expect(try await manager.packs.pack("b").state == [.downloaded, .free])
        await manager.close()
    }

    @Test func `a rollback restores the previous version and holds it`() async throws {
        let manager = try await open()
        store["a"].files = ["1.txt": "number two"]
        try store.publish()
        _ = try await manager.updated()
        let record = try await manager.packs.rollBack("a")
        #expect(record.action == .rollback && record.end == .finished && record.store == "main")
        #expect(try content("a") == "one")
        #expect(try await manager.packs.pack("a").held)
        #expect(try await manager.packs.pack("a").state == [.downloaded, .free, .updatable])
        #expect(try await manager.updated().isEmpty)
        #expect(try content("a") == "one")
        // A second rollback does not move forward again; an update that names the held pack does.
        #expect(await failure { _ = try await manager.packs.rollBack("a") } == .noPrevious)
        #expect(try content("a") == "one")
        #expect(try await manager.updated(["a"]) == ["a": nil])
        #expect(try content("a") == "number two")
        _ = try await manager.packs.rollBack("a")
        #expect(try content("a") == "one")
        #expect(
            try await manager.history.operations(of: "a").map(\.action) == [
                .rollback, .update, .rollback, .rollback, .update, .install,
            ])
        #expect(await failure { _ = try await manager.packs.rollBack("b") } == .noPrevious)
        #expect(try await manager.history.operations(of: "b").map(\.end) == [.failed, .finished])
        #expect(await failure { _ = try await manager.packs.rollBack("z") } == .packMissing)
        await manager.close()
    }

    @Test func `a repair restores a damaged pack`() async throws {
        let manager = try await open()
        store["a"].files = ["1.txt": "number two", "2.txt": "two"]
        try store.publish()
        _ = try await manager.updated()
        _ = try await manager.packs.setHeld("a", true)
        #expect(try await manager.packs.verify("a").isEmpty)
        try home.packs.put("a.stickers/1.txt", "broken")
        try home.packs.remove("a.stickers/2.txt")
        try home.packs.put("a.stickers/3.txt", "mine")
        #expect(
            try await manager.packs.verify("a") == [
                PackDamage(path: "1.txt", damage: .changed), PackDamage(path: "2.txt", damage: .missing),
                PackDamage(path: "3.txt", damage: .added),
            ])
        #expect(try await manager.end(of: manager.packs.repair("a")).state == .finished)
        #expect(try await manager.packs.verify("a").isEmpty)
        #expect(try content("a") == "number two")
        #expect(try await manager.packs.pack("a").held)
        #expect(try await manager.history.operations(of: "a").first?.action == .repair)
        // The previous version is the older one, not the damaged one.
        _ = try await manager.packs.rollBack("a")
        #expect(try content("a") == "one")
        #expect(try home.isClear())
        await manager.close()
    }

    @Test func `a failed repair leaves the pack unchanged`() async throws {
        let manager = try await open()
        try home.packs.put("a.stickers/1.txt", "broken")
        // The store now has another archive at that URL.
        store["a"].files = ["1.txt": "number two"]
        try store.publish()
        let status = try await manager.end(of: manager.packs.repair("a"))
        #expect(status.state == .failed && status.error?.code.exitCode == .refused)
        #expect(try content("a") == "broken")
        #expect(await failure { _ = try await manager.packs.repair("z") } == .packMissing)
        await manager.close()
    }
}
