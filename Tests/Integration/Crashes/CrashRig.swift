import Foundation
import Glibc
import StoreModel
import StoreTestSupport
import Testing

/// The shared parts of all runs: the store, the preloaded library, and the prepared homes.
final class CrashRig: Sendable {
    struct Home: Sendable {
        /// The files of the home; `nil` if there is no directory.
        var tree: FolderTree?
        var facts = HomeFacts()
        /// The operations that had ended.
        var operations: Set<OperationID> = []
    }

    let store: CrashStore
    let workers: [CrashWorker]
    let subjects: [any CrashSubject]

    /// Two for each processor, because a run waits for its programs half of the time; `STORECTL_CRASH_JOBS` is another number.
    static var workersByDefault: Int {
        CrashTests.variables["STORECTL_CRASH_JOBS"].flatMap { Int($0) } ?? 2
            * ProcessInfo.processInfo.activeProcessorCount
    }

    /// Prepares the homes.
    ///
    /// - Parameter workers: the number of concurrent runs.
    init(workers count: Int = CrashRig.workersByDefault) async throws {
        store = try await CrashStore()
        let programs = try IsolatedPrograms()
        let shim = try await CrashShim()
        workers = try (0..<count).map { _ in try CrashWorker(shim: shim, programs: programs) }
        let homes = try await Self.prepare(store, workers[0])
        let all = CrashScenario.all(store)
        let scenarios = (all + all.compactMap(\.withoutExchange)).compactMap { scenario in
            homes[scenario.home].map { HomeSubject(scenario: scenario, home: $0) }
        }
        subjects = scenarios + (try await StorehouseSubject.all(workers[0])) + FetchSubject.all(store)
    }

    // MARK: Prepared homes

    private static func prepare(
        _ store: CrashStore, _ worker: CrashWorker
    ) async throws -> [CrashScenario.PreparedHome: Home] {
        let add = ["store", "add", "shop", store.url, "--unsigned"]
        let early = try await home(
            from: nil, worker, add, ["install", "other"], ["hold", "other"], ["purchases", "grant", "dogs"])
        let installed = try await home(from: early, worker, ["install", "cups", "cats", "dogs"])
        let skinned = try await home(
            from: early, worker, ["install", CrashStore.skin], ["skin", "use", CrashStore.skin])
        try store.updates.show(2)
        var trees: [CrashScenario.PreparedHome: FolderTree?] = [.nowhere: nil]
        trees[.store] = try await home(from: early, worker, ["refresh"])
        trees[.limited] = try await home(
            from: early, worker, ["store", "remove", "shop"],
            ["store", "add", "shop", store.limited.url, "--unsigned"], ["refresh"])
        trees[.formatOne] = try await home(
            from: early, worker, ["refresh"], ["store", "add", "one", store.formatOneURL, "--unsigned"])
        trees[.skinned] = try await home(from: skinned, worker, ["refresh"])
        let known = try await home(from: installed, worker, ["refresh"])
        trees[.installed] = known
        let updated = try await home(from: known, worker, ["update", "cups"])
        trees[.updated] = updated
        trees[.rolledBack] = try await home(from: updated, worker, ["rollback", "cups"])
        var damaged = try await home(from: trees[.store] ?? nil, worker, ["install", "cups"])
        damaged.put("data/packs/cups.stickers", CrashStore.files("cups", 0), of: CrashStore.files("cups", 2))
        trees[.damaged] = damaged
        let coming = try await home(
            from: trees[.store] ?? nil, worker, ["install", "cups"],
            ["install", CrashStore.slow, "--no-wait", "--limit-rate", "1"])
        trees[.coming] = coming
        trees[.paused] = try await home(from: coming, worker, ["pause", CrashStore.slow])
        trees[.damagedDatabase] = try await damagedDatabase(from: trees[.paused] ?? nil, worker)
        trees[.crashed] = try await crashed(from: try await home(from: known, worker, ["update", "dogs"]), worker)

        var homes: [CrashScenario.PreparedHome: Home] = [:]
        for (name, tree) in trees {
            try worker.put(tree)
            var home = Home(tree: tree)
            (home.facts, home.operations) = try await worker.withDaemon { _ in
                let facts = try await worker.checkAtRest()
                let ended = try await worker.client.history(limit: 1000).filter { $0.end != nil }
                return (facts, Set(ended.map(\.operation)))
            }
            homes[name] = home
        }
        let settled = homes[.crashed]?.facts.packs
        #expect(settled?["cups"] == KillModel(current: 2, previous: 1))
        #expect(homes[.coming]?.facts.coming == .running && homes[.paused]?.facts.coming == .paused)
        #expect(homes[.skinned]?.facts.skin == CrashStore.skin)
        #expect(settled?["cats"] == KillModel(current: 1))
        #expect(settled?["dogs"] == KillModel())
        let (paused, rebuilt) = (homes[.paused], homes[.damagedDatabase])
        var expected = paused?.facts
        expected?.purchases = ["cups", "dogs"]
        expected?.stickers = StickerLists(
            recents: [CrashStore.sticker], frequent: [CrashStore.sticker], favourites: [CrashStore.sticker],
            order: ["cups"])
        #expect(rebuilt?.facts == expected && rebuilt?.operations == paused?.operations)
        return homes
    }

    /// Returns a home after commands and an orderly shutdown of its daemon.
    private static func home(
        from tree: FolderTree?, _ worker: CrashWorker, _ commands: [String]...
    ) async throws -> FolderTree {
        try worker.put(tree)
        let daemon = try worker.startDaemon(preloaded: false)
        try #require(try await worker.untilListening(daemon), "the daemon does not start")
        for words in commands {
            let result = try await worker.run([words])[0]
            try #require(result.exit == 0, "storectl \(words): \(result)")
        }
        try await worker.untilAtRest()
        let end = try await worker.stop(daemon)
        try #require(end.exit == 0, "\(end)")
        return try worker.tree()
    }

    /// Returns a home with a damaged database, whose daemon was killed so that the newest purchase is only in the journal.
    private static func damagedDatabase(from before: FolderTree?, _ worker: CrashWorker) async throws -> FolderTree {
        try worker.put(before)
        let daemon = try worker.startDaemon(preloaded: false)
        try #require(try await worker.untilListening(daemon))
        for words in [
            ["stickers", "sent", "cups", "01"], ["stickers", "favourite", "cups", "01"], ["stickers", "order", "cups"],
            ["purchases", "grant", "cups"],
        ] {
            let result = try await worker.run([words])[0]
            try #require(result.exit == 0, "\(result)")
        }
        daemon.signal(SIGKILL)
        _ = try await worker.end(of: daemon, "the daemon")
        let page = try worker.damageDatabase()
        var tree = try worker.tree()
        let journal = try #require(tree.files["data/library.sqlite-wal"])
        #expect(!SQLiteJournal.pages(in: journal).contains(page), "the journal would repair the damage")
        // SQLite rebuilds it from the journal.
        tree.entries["data/library.sqlite-shm"] = nil
        return tree
    }

    /// Returns a home whose daemon was killed after the new version of `cups` was committed.
    ///
    /// Additionally `dogs` is half uninstalled and `cats` half unpacked, by operations that the database lost.
    private static func crashed(from before: FolderTree, _ worker: CrashWorker) async throws -> FolderTree {
        var (place, passes) = (0, 0)
        while true {
            place += 1
            try worker.put(before)
            try worker.control.order(CrashFault(action: .kill, kinds: .changes), at: place)
            let daemon = try worker.startDaemon(preloaded: true)
            try #require(try await worker.untilListening(daemon))
            try worker.control.arm()
            _ = try await worker.run([["update", "cups"]])
            daemon.signal(SIGTERM)
            _ = try await worker.end(of: daemon, "the daemon")
            var tree = try worker.tree()
            guard tree.names(in: "data/previous") == ["dogs.stickers"],
                let operation = tree.names(in: "data/staging").first,
                CrashStore.version(of: "cups", in: tree.beneath("data/packs/cups.stickers")) == 2
            else {
                if try worker.control.call == nil {
                    // Threads make their calls in another order each time, so that a pass can miss the few places.
                    (place, passes) = (0, passes + 1)
                    try #require(passes < 10, "no kill came between the exchange and the end")
                }
                continue
            }
            let staged = tree.beneath("data/staging/" + operation)
            #expect(CrashStore.version(of: "cups", in: staged.beneath("pack")) == 1)
            tree.move("data/packs/dogs.stickers", to: "data/trash/half-uninstalled")
            for (path, entry) in staged.entries where path != "target" {
                tree.entries["data/staging/half-unpacked/" + path] = entry
            }
            tree.entries["data/staging/half-unpacked"] = .folder
            tree.entries["data/staging/half-unpacked/target"] = .file(Data("cats.stickers".utf8))
            tree.entries["data/staging/half-unpacked/pack/\(Receipt.fileName)"] = nil
            tree.entries["cache/partial/half-unpacked.part"] = .file(Data(count: 1000))
            return tree
        }
    }
}

extension CrashScenario {
    /// The same scenario on a file system without `RENAME_EXCHANGE`, if it replaces an installed pack.
    var withoutExchange: CrashScenario? {
        let replacing = ["update", "update of several", "update over a version before", "rollback", "verify --repair"]
        guard replacing.contains(name) else { return nil }
        var scenario = self
        scenario.name += ", no exchange"
        scenario.lacksExchange = true
        return scenario
    }
}

extension FolderTree {
    /// Moves a directory with its content.
    mutating func move(_ folder: String, to other: String) {
        for (path, entry) in entries where path == folder || path.hasPrefix(folder + "/") {
            entries[path] = nil
            entries[other + path.dropFirst(folder.count)] = entry
        }
    }

    /// Replaces the files of a directory.
    fileprivate mutating func put(_ folder: String, _ files: [String: Data], of others: [String: Data]) {
        for path in others.keys { entries["\(folder)/\(path)"] = files[path].map(Entry.file) }
    }
}
