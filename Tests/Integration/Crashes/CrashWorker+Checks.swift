import Foundation
import StoreClient
import StoreModel
import StoreSystem

/// The invariants that must hold after a crash.
extension CrashWorker {
    /// A violated invariant.
    struct Wrong: Error, CustomStringConvertible { let description: String }

    /// Checks the state that a dead daemon left: every pack must be complete even without recovery.
    func checkRemains() throws {
        let tree = try tree()
        _ = try models(tree, in: "packs")
        _ = try models(tree, in: "previous")
    }

    /// Returns the version of each pack in a directory of the library.
    private func models(_ tree: FolderTree, in folder: String) throws -> [String: Int] {
        var versions: [String: Int] = [:]
        for name in tree.names(in: "data/" + folder) {
            guard let id = CrashStore.products.first(where: { CrashStore.folderName(of: $0) == name }) else {
                throw Wrong(description: "unexpected '\(name)' in \(folder)")
            }
            let pack = tree.beneath("data/\(folder)/\(name)")
            guard let version = CrashStore.version(of: id, in: pack) else {
                throw Wrong(description: "\(folder)/\(name) is no whole version: \(pack.entries.keys.sorted())")
            }
            versions[id] = version
        }
        return versions
    }

    /// Waits until the daemon has no pending work.
    func untilAtRest() async throws {
        var follower = try await client.follower()
        let downloads = try await begunDownloads()
        for download in downloads where download.productIdentifier != CrashStore.slow { follower.follow(download) }
        let slow = downloads.filter { $0.productIdentifier == CrashStore.slow }.map(\.operation)
        while try await follower.next() != nil {}
        let deadline = ContinuousClock.now + Self.patience
        let folders = ["data/staging", "data/trash", "cache/partial"]
        while true {
            let left = folders.filter {
                !names(in: $0).allSatisfy { Self.isPartial($0, of: slow) || TestHome.isKept($0) }
            }
            if left.isEmpty { return }
            guard ContinuousClock.now < deadline else {
                let tree = try tree()
                throw Wrong(description: "left over: \(left.map { "\($0): \(tree.names(in: $0))" })")
            }
            try await Task.sleep(for: .milliseconds(3))
        }
    }

    /// Returns the downloads without an end, once the slow one transfers bytes or is paused.
    private func begunDownloads() async throws -> [DownloadStatus] {
        let deadline = ContinuousClock.now + Self.patience
        while true {
            let downloads = try await client.downloads().filter { $0.end == nil }
            let slow = downloads.first { $0.productIdentifier == CrashStore.slow }
            guard let slow, ![.paused, .transferring].contains(slow.activity) else { return downloads }
            guard ContinuousClock.now < deadline else { throw Wrong(description: "does not come: \(slow)") }
            try await Task.sleep(for: .milliseconds(3))
        }
    }

    /// Returns whether a file belongs to the partial archive of an operation.
    private static func isPartial(_ name: String, of operations: [OperationID]) -> Bool {
        operations.contains { name == $0.rawValue + ".part" || name == $0.rawValue + ".ranges" }
    }

    private func names(in folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: home + "/" + folder)) ?? []
    }

    /// Returns the state according to the daemon, which must be the same on the disk.
    func facts() async throws -> HomeFacts {
        let downloads = try await client.downloads()
        let tree = try tree()
        let (current, previous) = (try models(tree, in: "packs"), try models(tree, in: "previous"))
        // The snapshot has a pack once its event is published, which is after the end of the download.
        let packs = Dictionary(uniqueKeysWithValues: try await client.packs().map { ($0.productIdentifier, $0) })
        var facts = HomeFacts()
        for id in CrashStore.products {
            facts.packs[id] = KillModel(
                current: current[id], previous: previous[id], isHeld: packs[id]?.held ?? false)
            let (reported, onDisk) = (packs[id]?.version?.text, current[id].flatMap { CrashStore.text(of: $0, id) })
            guard reported == onDisk, (packs[id] != nil) == (current[id] != nil) else {
                throw Wrong(
                    description: "\(id) is \(onDisk ?? "not there") on disk, but reported as \(reported ?? "not there")"
                )
            }
        }
        facts.stores = try await client.stores().map(\.name).sorted()
        facts.purchases = try await client.purchases().map(\.productIdentifier).sorted()
        let slow = downloads.filter { $0.productIdentifier == CrashStore.slow && $0.end == nil }
        guard slow.count < 2 else { throw Wrong(description: "two downloads: \(slow)") }
        facts.coming = slow.first.map { $0.activity == .paused ? .paused : .running }
        facts.stickers = try await client.snapshot().stickers
        facts.skin = try await client.skinInUse().chosen
        facts.maximumAtOnce = try await client.setting("downloads.maximumAtOnce").value
        return facts
    }

    /// Checks all invariants of an idle home with a running daemon.
    func checkAtRest() async throws -> HomeFacts {
        try await untilAtRest()
        let facts = try await facts()
        for (id, model) in facts.packs {
            guard let current = model.current else { continue }
            let verified = try await client.verify(id)
            guard verified.intact == (current != 0) else {
                throw Wrong(description: "\(id), version \(current): \(verified.damages)")
            }
        }
        if let skin = facts.skin, let version = facts.packs[skin]?.current {
            let styles = String(decoding: try await client.skinStyleSheet(skin, for: .css), as: UTF8.self)
            guard styles.contains("#\(CrashStore.color(version))") else {
                throw Wrong(description: "the skin in use has version \(version), and the style sheet is: \(styles)")
            }
        }
        try checkNothingElse(try tree(), stores: facts.stores, partial: facts.coming == nil ? 0 : 2)
        try checkDatabase()
        return facts
    }

    private static let expected = [
        "data", "data/packs", "data/previous", "data/staging", "data/trash", "data/stored.lock",
        "data/library.sqlite", "data/library.sqlite-wal", "data/library.sqlite-shm",
        "data/events.0", "data/events.1", "data/state.json", "data/updates.json", "data/reserve", "data/skin.json",
        "config", "config/stores.json", "config/settings.json", "run",
        "data/trust", "cache", "cache/partial", "cache/catalogues", "cache/archives", "cache/images", "cache/skins",
        "cache/stickers", "cache/imports", "cache/thumbnails",
    ]
    private static let inCatalogue: Set = [
        "", "/catalogue.json", "/state.json", "/refreshed", "/signature.json", "/shards",
    ]

    /// Checks that there are no other files.
    ///
    /// - Parameter partial: the number of files of unfinished downloads; their owners were checked before.
    private func checkNothingElse(_ tree: FolderTree, stores: [String], partial: Int) throws {
        let unknown = tree.entries.keys.filter { path in
            if path.hasPrefix("cache/partial/") {
                return tree.names(in: "cache/partial").count { !TestHome.isKept($0) } > partial
            }
            if Self.expected.contains(path) || path.hasPrefix("data/packs/") || path.hasPrefix("data/previous/") {
                return false
            }
            if path.hasPrefix("data/library.sqlite.damaged-1") || path == "data/notices.json" {
                return !tree.keepsDamagedDatabase
            }
            if path.hasPrefix("cache/skins/") { return !path.hasSuffix(".skin") }
            // The content of cached archives is verified when they are used.
            if path.hasPrefix("cache/archives/") { return path.count != "cache/archives/".count + 64 }
            for store in stores where path.hasPrefix("cache/catalogues/\(store)") {
                let rest = path.dropFirst("cache/catalogues/\(store)".count)
                return !Self.inCatalogue.contains(String(rest))
                    && !(rest.hasPrefix("/shards/")
                        && (rest.count == 8 + 64 + 5 || (rest.count == 8 + 64 + 9 && rest.hasSuffix(".products"))))
            }
            return true
        }
        guard unknown.isEmpty else { throw Wrong(description: "unexpected files: \(unknown.sorted())") }
    }

    /// Checks that the download of the slow product continues or was cancelled, as the same operation.
    private func checkSlow(_ history: [OperationRecord], _ before: HomeFacts, _ found: HomeFacts) throws {
        guard before.coming != nil else { return }
        let mine = history.filter { $0.productIdentifier == CrashStore.slow }
        guard mine.count == 1, mine[0].end == (found.coming == nil ? .cancelled : nil) else {
            throw Wrong(description: "\(CrashStore.slow) is \(found), and the history says: \(mine)")
        }
    }

    /// Checks that every operation has one end, and that later ends match the state of the packs.
    ///
    /// - Parameters:
    ///   - known: operations that had ended before.
    ///   - mayFail: whether an operation may have failed; it has changed nothing then.
    ///   - mayStay: whether the change of a failed operation may have remained, because reverting it failed as well.
    func checkHistory(
        since known: Set<OperationID>, _ before: HomeFacts, _ after: HomeFacts, found: HomeFacts, mayFail: Bool,
        mayStay: Bool
    ) async throws {
        let history = try await client.history(limit: 1000)
        guard Set(history.map(\.operation)).count == history.count else {
            throw Wrong(description: "an operation is in the history twice: \(history)")
        }
        guard known.isSubset(of: history.map(\.operation)) else {
            throw Wrong(description: "operations are lost: of \(known), the history has: \(history)")
        }
        let isComing = found.coming != nil
        if let endless = history.first(where: {
            ($0.end == nil || $0.endedAt == nil) && !(isComing && $0.productIdentifier == CrashStore.slow)
        }) {
            throw Wrong(description: "has no end: \(endless)")
        }
        try checkSlow(history, before, found)
        for (id, model) in found.packs where before.packs[id] != after.packs[id] {
            let mine = history.filter { $0.productIdentifier == id && !known.contains($0.operation) }
            let isNew = model == after.packs[id]
            // Holding a pack is not an operation.
            if mine.isEmpty, before.packs[id]?.current == after.packs[id]?.current { continue }
            guard mine.contains(where: { $0.end == .finished }) == isNew || (isNew && mayStay) else {
                throw Wrong(description: "\(id) is \(model), and the history says: \(mine)")
            }
            for failed in mine where failed.end != .finished {
                let isSettled = failed.error?.code == .operationInterrupted
                guard mayFail || isSettled else { throw Wrong(description: "did not continue: \(failed)") }
            }
        }
    }
}
