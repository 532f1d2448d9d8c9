import Foundation
import StoreEngine
import StoreEvents
import StoreModel
import StoreSettings
import StoreTestSupport
import Testing

/// Compares a replica of the state that a client builds from events with fresh snapshots.
@Suite(.hangGuard) struct ReplicaTests {
    private let home: EngineHome
    private let main: FileStore
    private let other: FileStore

    init() throws {
        home = try EngineHome()
        main = try FileStore(
            .init("a"), .init("b", price: "1 EUR"), .init("c", dependencies: ["a"]), .init("bad", ["x.exe": "MZ"]),
            Self.skin("night", "#000000"), Self.skin("day", "#ffffff"))
        other = try FileStore(.init("d"))
    }

    private static func skin(_ identifier: String, _ color: String, version: Int = 1) -> FileStore.Product {
        var product = FileStore.Product(
            identifier,
            [
                "skin.xml": #"<skin identifier="\#(identifier)" version="\#(version)"/>"#,
                "chat.xml": """
                <theme><instances><uiview id="chat"><operation name="backgroundColor">
                <param name="color" type="color">\(color)</param></operation></uiview></instances></theme>
                """,
            ], type: "skin")
        product.archive = "\(identifier)-\(version).zip"
        return product
    }

    /// Waits until nothing changes by itself, and compares the replica with a fresh snapshot.
    private func expectEqual(
        _ replica: inout Replica, _ manager: StoreManager, after step: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        while await !manager.isIdle({ _ in true }) { await Task.yield() }
        let fresh = try await manager.observers.snapshot()
        try await replica.read(through: fresh.sequence)
        // Clients receive times in whole seconds.
        let (mine, expected) = (try replica.state.received(), try Replica.State(fresh).received())
        #expect(mine == expected, "after: \(step)", sourceLocation: sourceLocation)
        let second = try await manager.observers.snapshot()
        if second.sequence == fresh.sequence {
            #expect(second == fresh, "snapshots with one number, after: \(step)", sourceLocation: sourceLocation)
        }
        // What a snapshot says is what the lists say.
        #expect(try await manager.packs.list() == fresh.packs, "after: \(step)", sourceLocation: sourceLocation)
        #expect(await manager.stores.list() == fresh.stores, "after: \(step)", sourceLocation: sourceLocation)
        #expect(try await manager.purchases.list() == fresh.purchases, "after: \(step)", sourceLocation: sourceLocation)
        #expect(manager.skins.skinUse == fresh.skin, "after: \(step)", sourceLocation: sourceLocation)
        #expect(
            try await manager.stickers.lists() == fresh.stickers, "after: \(step)", sourceLocation: sourceLocation)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `a replica built from events equals a fresh snapshot after random operations`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let manager = try await home.open(using: main)
        var replica = try Replica(try await manager.observers.snapshot(), manager.events)
        try await expectEqual(&replica, manager, after: "start")
        var version = 1
        try await perform(.install, "a", manager, &version, &random)
        try await expectEqual(&replica, manager, after: "first installation")
        var (number, succeeded) = (0, 0)
        while number < 60 || succeeded < 20 {
            try Task.checkCancellation()
            number += 1
            let step = Step.allCases.randomElement(using: &random) ?? .refresh
            let product = ["a", "b", "c", "bad", "night", "day", "d"].randomElement(using: &random) ?? "a"
            // Steps that fail change nothing, or what a snapshot shows.
            if (try? await perform(step, product, manager, &version, &random)) != nil { succeeded += 1 }
            try await expectEqual(&replica, manager, after: "\(number): \(step) \(product), seed \(seed)")
        }
        await manager.close()
    }

    /// Changes that are made while no process works on the home have their events at the next start.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func `a replica that continues after restarts equals a fresh snapshot`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let steps: [Step] =
            [.install, .hold, .useSkin, .useDefaultSkin, .addStore, .removeStore, .set, .placeByHand]
            + [.placeStickers, .send, .favour, .order]
        var manager = try await home.open(using: main)
        var replica = try Replica(try await manager.observers.snapshot(), manager.events)
        var version = 1
        try await perform(.install, "a", manager, &version, &random)
        try await expectEqual(&replica, manager, after: "first installation")
        var (round, succeeded) = (0, 0)
        while round < 10 || succeeded < 10 {
            try Task.checkCancellation()
            round += 1
            for number in 1...3 {
                let step = steps.randomElement(using: &random) ?? .install
                let product = ["a", "b", "night", "day", "d"].randomElement(using: &random) ?? "a"
                if (try? await perform(step, product, manager, &version, &random)) != nil { succeeded += 1 }
                try await expectEqual(&replica, manager, after: "\(round).\(number): \(step) \(product), seed \(seed)")
            }
            await manager.close()
            let change = Offline.allCases.randomElement(using: &random) ?? .nothing
            var overrides = EngineHome.always
            switch change {
            case .nothing: break
            case .argument: overrides[.downloadsAttempts] = "\(Int.random(in: 10...19, using: &random))"
            case .settingsFile:
                let settings = #"{"downloads": {"attempts": \#(Int.random(in: 20...29, using: &random))}}"#
                try home.folder.directory.put("config/settings.json", settings)
            case .placeByHand: try home.packs.put("mine.stickers/\(round).txt", "mine")
            case .removeByHand: try? home.packs.removeTree("mine.stickers")
            case .removeInstalled: try? home.packs.removeTree("a.stickers")
            case .removeStickers: try? home.packs.removeTree("images.stickers")
            case .storesFile: try? home.folder.directory.remove("config/stores.json")
            }
            manager = try await home.open(overrides)
            try await replica.resume(manager.events)
            try await expectEqual(&replica, manager, after: "\(round): restart, \(change), seed \(seed)")
            if change == .storesFile { try await manager.use(main) }
        }
        await manager.close()
    }

    @Test func `a replica that continues after a crash has the settings of the next process`() async throws {
        var overrides = EngineHome.always
        overrides[.downloadsAttempts] = "15"
        let first = try await home.open(overrides)
        try await first.use(main)
        var replica = try Replica(try await first.observers.snapshot(), first.events)
        _ = try await first.set(.downloadsMaximumAtOnce, to: "7")
        try await expectEqual(&replica, first, after: "start")
        // A copy of the home of a running process is what a killed one leaves.
        let copy = try TemporaryFolder()
        for part in ["config", "data", "cache"] {
            try FileManager.default.copyItem(atPath: home.folder.path + "/" + part, toPath: copy.path + "/" + part)
        }
        await first.close()
        let next = try await EngineHome(copy).open()
        try await replica.resume(next.events)
        let attempts = next.settings.current[.downloadsAttempts].description
        #expect(replica.state.settings["downloads.attempts"]?.value == attempts && attempts != "15")
        #expect(replica.state.settings["downloads.maximumAtOnce"]?.value == "7")
        await next.close()
    }

    /// A change that is made while no process works on the home.
    private enum Offline: CaseIterable {
        case nothing, argument, settingsFile, placeByHand, removeByHand, removeInstalled, removeStickers, storesFile
    }

    @Test func `a restart without a change publishes nothing`() async throws {
        let manager = try await home.open(using: main)
        try await manager.installed("a")
        try home.packs.put("mine.stickers/1.txt", "mine")
        let last = try await manager.observers.snapshot().sequence
        await manager.close()
        let next = try await home.open()
        let subscription = try next.events.subscribe(after: last)
        next.events.publish(.catalogue(store: "the end"))
        let first = try #require(await subscription.first { _ in true })
        #expect(first.event.happening == .catalogue(store: "the end"))
        await next.close()
    }

    private enum Step: CaseIterable {
        case install, uninstall, update, rollBack, hold, release, grant, revoke, addStore, removeStore, publish, refresh
        case breakStore, set, useSkin, useDefaultSkin, repair, placeByHand, removeByHand
        case placeStickers, send, forget, favour, disfavour, order, limitRecents
    }

    private func perform(
        _ step: Step, _ product: String, _ manager: StoreManager, _ version: inout Int,
        _ random: inout SeededGenerator
    ) async throws {
        switch step {
        case .install: try await end(manager.installs.install(product, store: nil), manager)
        case .uninstall: _ = try await manager.packs.uninstall(product)
        case .update: _ = try await manager.updated()
        case .rollBack: _ = try await manager.packs.rollBack(product)
        case .hold: _ = try await manager.packs.setHeld(product, true)
        case .release: _ = try await manager.packs.setHeld(product, false)
        case .grant: _ = try await manager.purchases.grant(product)
        case .revoke: try await manager.purchases.revoke(product)
        case .addStore: try await manager.use(other, as: "other", priority: Int.random(in: 0...3, using: &random))
        case .removeStore: try await manager.stores.remove("other")
        case .publish:
            version += 1
            main["a"].archive = "a-\(version).zip"
            main["a"].files = ["1.txt": "version \(version)"]
            main["night"] = Self.skin("night", "#00000\(version % 10)", version: version)
            main["b"].withdrawn.toggle()
            try main.publish()
            _ = try await manager.stores.refresh()
        case .refresh: _ = try await manager.stores.refresh()
        case .breakStore:
            try main.folder.directory.put("catalogue.json", "no catalogue")
            _ = try await manager.stores.refresh()
            try main.publish()
        case .set: _ = try await manager.set(.downloadsAttempts, to: "\(Int.random(in: 1...9, using: &random))")
        case .useSkin: try await manager.useSkin(product)
        case .useDefaultSkin: try await manager.useSkin(nil)
        case .repair:
            // Only a pack that is installed, because another directory would be a pack of its own.
            guard try home.packs.status(of: "\(product).stickers") != nil else { return }
            try home.packs.put("\(product).stickers/1.txt", "damaged")
            _ = try await manager.packs.verify(product)
            try await end(manager.packs.repair(product), manager)
        case .placeByHand: try home.packs.put("mine.stickers/1.txt", "mine")
        case .removeByHand: try home.packs.removeTree("mine.stickers")
        case .placeStickers:
            let number = Int.random(in: 1...3, using: &random)
            try home.packs.put("images.stickers/\(number).png", Data(ImageForge.png()))
        case .send: try await manager.stickers.recordUses(of: [sticker(product, &random)])
        case .forget: try await manager.stickers.forgetUses(of: sticker(product, &random))
        case .favour: try await manager.stickers.addFavourite(sticker(product, &random))
        case .disfavour: try await manager.stickers.removeFavourite(sticker(product, &random))
        case .order:
            try await manager.stickers.setOrder([["a", "images"], ["c"], []].randomElement(using: &random) ?? [])
        case .limitRecents:
            _ = try await manager.set(.stickersMaximumRecents, to: "\(Int.random(in: 0...4, using: &random))")
        }
    }

    private func sticker(_ product: String, _ random: inout SeededGenerator) -> StickerName {
        let pack = Bool.random(using: &random) ? "images" : product
        return StickerName(productIdentifier: pack, sticker: ["1", "2", "3"].randomElement(using: &random) ?? "1")
    }

    /// Waits for the end of an installation, if there is anything to do.
    private func end(_ installation: Installation, _ manager: StoreManager) async throws {
        if let operation = installation.download?.operation { _ = try await manager.end(of: operation) }
    }

    // MARK: Each change

    /// Returns the events of a change in the order of publication, without those of downloads.
    private func events(
        _ manager: StoreManager, of change: () async throws -> Void
    ) async throws -> [Event.Happening] {
        while await !manager.isIdle({ _ in true }) { await Task.yield() }
        let subscription = try manager.events.subscribe()
        try await change()
        while await !manager.isIdle({ _ in true }) { await Task.yield() }
        manager.events.publish(.catalogue(store: "the end"))
        var found: [Event.Happening] = []
        for try await event in subscription {
            if event.event.happening == .catalogue(store: "the end") { break }
            if case .download = event.event.happening { continue }
            found.append(event.event.happening)
        }
        return found
    }

    @Test func `hold, purchases, settings, stores and trust have an event each`() async throws {
        let manager = try await home.open(using: main)
        try await manager.installed("a")

        let held = try await events(manager) { _ = try await manager.packs.setHeld("a", true) }
        guard case .pack(let change)? = held.first, held.count == 1 else {
            Issue.record("\(held)")
            return
        }
        #expect(change.change == .held && change.held == true && change.pack?.held == true)
        #expect(try await manager.packs.pack("a") == change.pack)
        let again = try await events(manager) { _ = try await manager.packs.setHeld("a", true) }
        #expect(again.isEmpty)

        let granted = try await events(manager) { _ = try await manager.purchases.grant("a") }
        let purchase = try #require(try await manager.purchases.list().first)
        #expect(granted.first == .purchase(PurchaseChange(productIdentifier: "a", grantedAt: purchase.grantedAt)))
        guard case .pack(let purchased)? = granted.last, granted.count == 2 else {
            Issue.record("\(granted)")
            return
        }
        #expect(purchased.change == .changed && purchased.pack?.state.contains(.purchased) == true)
        let revoked = try await events(manager) { try await manager.purchases.revoke("a") }
        #expect(revoked.first == .purchase(PurchaseChange(productIdentifier: "a", grantedAt: nil)))

        let set = try await events(manager) { _ = try await manager.set(.downloadsAttempts, to: "9") }
        let state = SettingState(key: "downloads.attempts", value: "9", origin: home.places.userSettings)
        #expect(set.contains(.setting(state)), "\(set)")

        let added = try await events(manager) { try await manager.use(other, as: "other") }
        #expect(added.contains(.trust(TrustChange(store: "other", trust: .unsigned))), "\(added)")
        let summary = try await manager.stores.store("other")
        #expect(added.contains(.store(StoreChange(store: "other", summary: summary))), "\(added)")
        let removed = try await events(manager) { try await manager.stores.remove("other") }
        #expect(removed.contains(.trust(TrustChange(store: "other", trust: nil))), "\(removed)")
        #expect(removed.contains(.store(StoreChange(store: "other", summary: nil))), "\(removed)")
        await manager.close()
    }

    @Test func `a newer version in a store, and an update to it, change the pack in events`() async throws {
        let manager = try await home.open(using: main)
        try await manager.installed("a")
        main["a"].archive = "a-2.zip"
        main["a"].files = ["1.txt": "two"]
        try main.publish()
        let offered = try await events(manager) { _ = try await manager.stores.refresh() }
        let states = offered.compactMap { happening -> [ProductState]? in
            guard case .pack(let change) = happening, change.change == .changed else { return nil }
            return change.pack?.state
        }
        #expect(states == [[.downloaded, .free, .updatable]])
        let updated = try await events(manager) { _ = try await manager.updated() }
        let changes = updated.compactMap { happening -> PackChange? in
            if case .pack(let change) = happening { change } else { nil }
        }
        #expect(changes.map(\.change) == [.changed, .updated])
        #expect(changes.first?.pack?.state.first == .downloading)
        #expect(changes.last?.pack?.state == [.downloaded, .free])
        await manager.close()
    }

    @Test func `a pack's name is in the event in all its languages`() async throws {
        let manager = try await home.open(using: main)
        let information = #"{"productIdentifier":"mine","name":{"en":"Cups","pt":"Chávenas"}}"#
        try home.packs.put("mine.stickers/pack.json", information)
        try home.packs.put("mine.stickers/1.txt", "1")
        // Nobody reported the directory; the snapshot finds it, and publishes its event first.
        let placed = try await events(manager) { _ = try await manager.observers.snapshot() }
        let changes = placed.compactMap { happening -> PackChange? in
            if case .pack(let change) = happening { change } else { nil }
        }
        #expect(changes.map(\.change) == [.installed])
        #expect(changes.first?.pack?.name == "Cups")
        #expect(changes.first?.names?.text(in: ["pt"]) == "Chávenas")
        let snapshot = try await manager.observers.snapshot(languages: ["pt"])
        #expect(snapshot.packs.map(\.name) == ["Chávenas"])
        await manager.close()
    }
}
