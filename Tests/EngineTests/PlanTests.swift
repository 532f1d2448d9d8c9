import FoundationEssentials
import StoreEngine
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

/// Tests plans of installations, updates and removals, and that nothing is done that a plan does not show.
@Suite struct PlanTests {
    private let home: EngineHome
    private let store: FileStore
    private static let network = Permission(rawValue: "network")

    init() throws {
        home = try EngineHome()
        store = try FileStore(
            .init("app", dependencies: ["base"]), .init("base", dependencies: ["core"]), .init("core"),
            .init("other", dependencies: ["core"]))
    }

    private func steps(_ plan: ChangePlan) -> [String] {
        plan.steps.map { "\($0.action) \($0.productIdentifier)" + ($0.requiredBy.map { " for \($0)" } ?? "") }
    }

    private func size(_ identifier: String) -> Int { store[identifier].zip.count }

    @Test func `a plan shows what comes with products, each once, and changes nothing`() async throws {
        let manager = try await home.open(using: store)
        let plan = try await manager.installs.plan([.init("app"), .init("other"), .init("none")])
        #expect(
            steps(plan) == [
                "install core for base", "install base for app", "install app", "install other",
            ])
        #expect(plan.steps.allSatisfy { $0.store == "main" && $0.kind == .sticker && $0.permissions.isEmpty })
        #expect(plan.steps.map(\.downloadSize) == ["core", "base", "app", "other"].map(size))
        #expect(plan.downloadSize == ["core", "base", "app", "other"].map(size).reduce(0, +))
        #expect(plan.failures.map(\.productIdentifier) == ["none"])
        #expect(plan.failures.first?.error.code == .productUnknown)
        #expect((plan.freeSpace ?? 0) > 0)
        #expect(await manager.downloads.all().isEmpty)
        #expect(try await manager.history.operations().isEmpty && home.packs.names().isEmpty)

        // A dependency that is named as well was asked for.
        #expect(
            steps(try await manager.installs.plan([.init("other"), .init("core")])) == [
                "install core", "install other",
            ])
        // What is installed needs no step, neither as a dependency nor by name.
        try await manager.installed("base")
        #expect(steps(try await manager.installs.plan([.init("app"), .init("core")])) == ["install app"])
        await manager.close()
    }

    @Test func `exactly the steps of a plan are carried out`() async throws {
        let manager = try await home.open(using: store)
        let plan = try await manager.installs.plan([.init("app"), .init("other")])
        // The first installation installs a dependency that the second one shares.
        for identifier in ["app", "other"] {
            let installation = try await manager.installs.install(identifier, store: nil, agreed: plan.agreement)
            #expect(try await manager.end(of: installation).state == .finished)
        }
        let done = try await manager.history.operations().map { "\($0.action) \($0.productIdentifier)" }
        #expect(Set(done) == Set(plan.steps.map { "\($0.action) \($0.productIdentifier)" }) && done.count == 4)
        // There is nothing to agree to where nothing is done.
        #expect(try await manager.installs.install("app", store: nil, agreed: []).pack != nil)
        await manager.close()
    }

    @Test(arguments: ["app", "core"])
    func `an installation does nothing if a product was replaced after the plan`(replaced: String) async throws {
        let manager = try await home.open(using: store)
        let plan = try await manager.installs.plan([.init("app")])
        store[replaced].archive = "replaced.zip"
        try store.publish()
        let refused = await failure {
            _ = try await manager.installs.install("app", store: nil, agreed: plan.agreement)
        }
        #expect(refused == .planChanged)
        #expect(await manager.downloads.all().isEmpty)
        let new = try await manager.installs.plan([.init("app")])
        #expect(new.agreement.symmetricDifference(plan.agreement).count == 2)
        let installation = try await manager.installs.install("app", store: nil, agreed: new.agreement)
        #expect(try await manager.end(of: installation).state == .finished)
        await manager.close()
    }

    @Test func `an installation does nothing if a product got another dependency after the plan`() async throws {
        let manager = try await home.open(using: store)
        let plan = try await manager.installs.plan([.init("core")])
        #expect(steps(plan) == ["install core"])
        store["core"].dependencies = ["other"]
        try store.publish()
        let refused = await failure {
            _ = try await manager.installs.install("core", store: nil, agreed: plan.agreement)
        }
        #expect(refused == .planChanged)
        #expect(await manager.downloads.all().isEmpty)
        await manager.close()
    }

    @Test(arguments: [true, false])
    func `an installation does nothing if the product's kind or its dependencies were changed after the plan`(
        isKind: Bool
    ) async throws {
        let manager = try await home.open(using: store)
        try await manager.installed("other")
        let plan = try await manager.installs.plan([.init("base")])
        #expect(steps(plan) == ["install base"])
        // Neither the archive nor the number of steps changes.
        if isKind { store["base"].type = "emoji" } else { store["base"].dependencies = ["core", "other"] }
        try store.publish()
        #expect(steps(try await manager.installs.plan([.init("base")])) == ["install base"])
        let refused = await failure {
            _ = try await manager.installs.install("base", store: nil, agreed: plan.agreement)
        }
        #expect(refused == .planChanged)
        await manager.close()
    }

    @Test func `a plan lists the permissions that lack consent, for each product`() async throws {
        store["base"].type = "plugin"
        store["base"].files = ["pack.json": #"{"permissions":["network"]}"#]
        store["base"].permissions = ["network"]
        try store.publish()
        let manager = try await home.open(using: store)
        let plan = try await manager.installs.plan([.init("app")])
        #expect(plan.steps.map(\.permissions) == [[], [.code, Self.network], []] && plan.failures.isEmpty)
        // Agreement to the plan is no consent.
        let refused = await failure {
            _ = try await manager.installs.install("app", store: nil, agreed: plan.agreement)
        }
        #expect(refused == .consentNeeded)
        let installation = try await manager.installs.install(
            "app", store: nil, consent: [.code, Self.network], agreed: plan.agreement)
        #expect(try await manager.end(of: installation).state == .finished)
        await manager.close()
    }

    @Test func `the plan of a local file states the size of its contents`() async throws {
        let manager = try await home.open(using: store)
        let forge = ZipForge().file(
            "pack.json", Array(#"{"productIdentifier":"own","kind":"sticker","dependencies":["core"]}"#.utf8)
        ).file("a.txt", [UInt8](repeating: 65, count: 5000), deflated: true)
        let path = home.folder.path + "/own.zip"
        let archive = forge.build()
        try home.folder.directory.put("own.zip", Data(archive))
        let plan = try await manager.installs.plan([.init(file: path), .init(file: home.folder.path + "/none.zip")])
        #expect(steps(plan) == ["install core for own", "install own"])
        #expect(plan.steps.last?.downloadSize == archive.count && (plan.steps.last?.diskSize ?? 0) > 5000)
        // Format 1 has no entry tables.
        #expect(plan.steps.first?.diskSize == nil && plan.diskSize == nil)
        #expect(plan.failures.map(\.productIdentifier) == [home.folder.path + "/none.zip"])
        // Another file at the path is not what was agreed to.
        try home.folder.directory.put("own.zip", Data(forge.file("b.txt", Array("b".utf8)).build()))
        let refused = await failure {
            _ = try await manager.installs.install(file: path, agreed: plan.agreement)
        }
        #expect(refused == .planChanged)
        await manager.close()
    }

    @Test(arguments: [true, false])
    func `the size on the disk is that of the entry table`(isServed: Bool) async throws {
        let table = try TableStore(TableStore.images(3, deflated: true))
        let manager = try await home.open()
        _ = try await manager.stores.add(name: "main", url: table.origin.url, unsigned: true, priority: 0)
        // A table with another content is not used.
        if !isServed { table.origin.serve(TableStore.table, "{}") }
        let plan = try await manager.installs.plan([.init("a")])
        #expect(plan.steps.map(\.downloadSize) == [table.zip.count])
        #expect(plan.diskSize == (isServed ? 15_000 : nil))
        #expect(table.asked().isEmpty)
        await manager.close()
    }

    /// Returns a clock on which the waits for what a plan looks up end when a server has received certain requests.
    private func clock(_ origin: Origin, _ paths: String...) -> TimeSource {
        let system = TimeSource.system
        return TimeSource(
            date: system.date, now: system.now,
            sleep: { duration, name in
                guard name.hasPrefix("plan ") else { return try await system.sleep(duration, name) }
                for path in paths { await origin.untilRequested(path) }
            }, jitter: system.jitter)
    }

    @Test(.hangGuard) func `a plan does not wait longer for a size than for a catalogue`() async throws {
        let table = try TableStore(TableStore.images(3))
        let manager = try await home.open(clock: clock(table.origin, TableStore.table))
        _ = try await manager.stores.add(name: "main", url: table.origin.url, unsigned: true, priority: 0)
        table.origin.always(TableStore.table, .stallBeforeAnswer)
        let plan = try await manager.installs.plan([.init("a")])
        #expect(steps(plan) == ["install a"] && plan.failures.isEmpty)
        #expect(plan.downloadSize == table.zip.count && plan.steps.map(\.diskSize) == [nil])
        await manager.close()
    }

    @Test(.hangGuard)
    func `the plan of an update looks up sizes and changes at the same time, and waits for neither`() async throws {
        let table = try TableStore(TableStore.images(3))
        let manager = try await home.open(clock: clock(table.origin, TableStore.table, TableStore.details))
        _ = try await manager.stores.add(name: "main", url: table.origin.url, unsigned: true, priority: 0)
        try await manager.installed("a")
        table.publish(version: "2", details: #"{"productDetailsInfo":"A","changes":"New pictures"}"#)
        table.origin.always(TableStore.table, .stallBeforeAnswer)
        table.origin.always(TableStore.details, .stallBeforeAnswer)
        let plan = try await manager.updates.plan(nil)
        #expect(steps(plan) == ["update a"] && plan.failures.isEmpty)
        #expect(plan.steps.map(\.diskSize) == [nil] && plan.steps.map(\.changes) == [nil])
        await manager.close()
    }

    @Test func `the plan of an update has the size on the disk and the text of the changes`() async throws {
        let table = try TableStore(TableStore.images(3))
        let manager = try await table.open(home)
        table.publish(version: "2", details: #"{"productDetailsInfo":"A","changes":"New pictures"}"#)
        let plan = try await manager.updates.plan(nil)
        #expect(steps(plan) == ["update a"])
        #expect(plan.steps.map(\.diskSize) == [15_000] && plan.steps.map { $0.changes?.text() } == ["New pictures"])
        await manager.close()
    }

    /// The sum of two sizes may be larger than any number.
    @Test(arguments: [([1 << 50, nil], "1.1 PB"), ([.max, .max], "9.2 EB"), ([1, nil], nil)] as [([Int?], String?)])
    func `a plan warns if the known sizes exceed the free space`(sizes: [Int?], needed: String?) async throws {
        let origin = try Origin()
        let products = zip(["a", "b"], sizes).map { name, size in
            let stated = size.map { ",\"productResourceSize\":\($0)" } ?? ""
            return """
                {"productIdentifier":"\(name)","productType":"sticker","productPrice":"free",
                "productResourceURL":"\(name).zip"\(stated)}
                """
        }
        origin.serve("/catalogue.json", "[\(products.joined(separator: ","))]")
        let manager = try await home.open()
        _ = try await manager.stores.add(name: "main", url: origin.url, unsigned: true, priority: 0)
        let plan = try await manager.installs.plan([.init("a"), .init("b")])
        #expect(plan.steps.map(\.downloadSize) == sizes && plan.downloadSize == nil)
        let start = needed.map { "there may not be enough free space: about \($0) needed, " }
        #expect(plan.warnings.map { $0.hasPrefix(start ?? "-") } == (start == nil ? [] : [true]))
        await manager.close()
    }

    @Test func `a plan warns if the library would be larger than the limit`() async throws {
        let table = try TableStore(TableStore.images(3))
        let manager = try await home.open()
        _ = try await manager.stores.add(name: "main", url: table.origin.url, unsigned: true, priority: 0)
        func plan() async throws -> ChangePlan { try await manager.installs.plan([.init("a")]) }
        let size = try #require(try await plan().steps.first?.diskSize)
        _ = try await manager.set(.libraryMaximumSize, to: "\(size)")
        #expect(try await plan().warnings == [])
        _ = try await manager.set(.libraryMaximumSize, to: "\(size - 1)")
        let warnings = try await plan().warnings
        try #require(warnings.count == 1)
        let sizes = ["size": ErrorFormatter.rounded(size), "limit": ErrorFormatter.rounded(size - 1)]
        let text = "the library would hold {size}, more than the limit of {limit} (setting library.maximumSize)"
        #expect(warnings == [EnglishText.filled(text, sizes)])
        await manager.close()
    }

    // MARK: Updates

    private func replace(_ identifier: String, requiring dependencies: [String] = []) throws {
        store[identifier].files = ["1.txt": UUID().uuidString]
        store[identifier].archive = UUID().uuidString + ".zip"
        store[identifier].dependencies = dependencies
        try store.publish()
    }

    @Test func `the plan of an update shows new dependencies, and what is kept back`() async throws {
        let manager = try await home.open(using: store)
        for identifier in ["core", "other"] { try await manager.installed(identifier) }
        let nothing = try await manager.updates.plan(nil)
        #expect(nothing.steps.isEmpty && nothing.keptBack.isEmpty && nothing.failures.isEmpty)
        try replace("core", requiring: ["base"])
        try replace("other")
        _ = try await manager.packs.setHeld("other", true)
        let plan = try await manager.updates.plan(nil)
        #expect(steps(plan) == ["install base for core", "update core"])
        #expect(plan.keptBack.map { "\($0.productIdentifier): \($0.heldBack ?? "")" } == ["other: held"])
        #expect(try await manager.history.operations().count == 2)
        // A held pack is updated by name.
        let named = try await manager.updates.plan(["other", "none"])
        #expect(steps(named) == ["update other"] && named.keptBack.isEmpty)
        #expect(named.failures.map(\.productIdentifier) == ["none"])

        for outcome in try await manager.updates.update(nil, agreed: plan.agreement) {
            #expect(try await manager.end(of: #require(outcome.operation)).state == .finished)
        }
        let done = try await manager.history.operations().prefix(2).map { "\($0.action) \($0.productIdentifier)" }
        #expect(Set(done) == ["update core", "install base"])
        await manager.close()
    }

    @Test func `an update does not install what is not in the plan`() async throws {
        let manager = try await home.open(using: store)
        for identifier in ["core", "other"] { try await manager.installed(identifier) }
        try replace("core")
        let plan = try await manager.updates.plan(nil)
        #expect(steps(plan) == ["update core"])
        try replace("core")
        try replace("other")
        let outcomes = try await manager.updates.update(nil, agreed: plan.agreement)
        #expect(outcomes.map(\.error?.code) == [.planChanged, .planChanged])
        #expect(try await manager.history.operations().count == 2)
        await manager.close()
    }

    // MARK: Removals

    @Test func `a removal does nothing if the pack was updated after the plan`() async throws {
        let manager = try await home.open(using: store)
        try await manager.installed("core")
        let plan = try await manager.packs.plan(removing: ["core"])
        try replace("core")
        #expect(try await manager.updated(["core"]) == ["core": nil])
        let refused = await failure { _ = try await manager.packs.uninstall("core", agreed: plan.agreement) }
        #expect(refused == .planChanged)
        #expect(try await manager.packs.list().count == 1)
        let new = try await manager.packs.plan(removing: ["core"])
        #expect(try await manager.packs.uninstall("core", agreed: new.agreement).end == .finished)
        await manager.close()
    }

    @Test func `the plan of a removal has those that need others first, and says what is unneeded then`() async throws {
        let manager = try await home.open(using: store)
        try await manager.installed("app")
        try await manager.installed("other")
        let plan = try await manager.packs.plan(removing: ["base", "none", "app"])
        #expect(steps(plan) == ["uninstall app", "uninstall base"])
        #expect(plan.failures.map(\.error.code) == [.packMissing])
        #expect(plan.unneeded.isEmpty && plan.diskSize == 6 && plan.downloadSize == 0)
        let all = try await manager.packs.plan(removing: ["app", "other"])
        #expect(all.unneeded == ["base", "core"])
        // A pack stays that another one needs which stays, too.
        let partial = try await manager.packs.plan(removing: ["core", "base"])
        #expect(partial.steps.isEmpty && partial.failures.map(\.productIdentifier) == ["core", "base"])
        #expect(partial.failures.map(\.error.code) == [.packNeeded, .packNeeded])
        #expect(try await manager.packs.list().count == 4)
        await manager.close()
    }

    /// Each pack needs the one before it, in whatever order they are named.
    @Test(arguments: [false, true])
    func `of a long chain of packs, those stay that are needed by one which stays`(isReversed: Bool) async throws {
        func names(_ numbers: Range<Int>) -> [String] {
            let list = numbers.map { "p\($0)" }
            return isReversed ? list.reversed() : list
        }
        store.products = (0..<90).map { FileStore.Product("p\($0)", dependencies: $0 == 0 ? [] : ["p\($0 - 1)"]) }
        try store.publish()
        let manager = try await home.open(using: store)
        try await manager.installed("p89")
        let refused = try await manager.packs.plan(removing: names(0..<80))
        #expect(refused.steps.isEmpty && refused.failures.map(\.productIdentifier) == names(0..<80))
        #expect(refused.failures.allSatisfy { $0.error.code == .packNeeded })
        let partial = try await manager.packs.plan(removing: names(80..<90) + ["p7"])
        #expect(steps(partial) == (80..<90).reversed().map { "uninstall p\($0)" })
        #expect(partial.failures.map(\.productIdentifier) == ["p7"])
        await manager.close()
    }
}
