import Foundation
import StoreClient
import StoreModel
import StoreTestSupport
import Testing

/// A store whose documents are valid except for random changes, used by a real daemon in every way.
///
/// `STORECTL_TEST_HOSTILE` is the number of rounds; `STORECTL_TEST_HOSTILE_SEED` is the seed of the first round, each
/// further one has the next. A message names the seed of its round, which one round repeats.
@Suite(.timeLimit(.minutes(240))) struct MutatedStoreTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let rounds = environment["STORECTL_TEST_HOSTILE"].flatMap { Int($0) } ?? 300
    private static let seed =
        environment["STORECTL_TEST_HOSTILE_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0..<1 << 32)

    /// Results of all rounds, by which the test shows that its changes are not all refused at the door.
    private struct Tally {
        var installed = 0
        var repaired = 0
        var codes: [String: Int] = [:]

        mutating func count<Value>(_ result: Result<Value, ErrorReport>) {
            if case .failure(let report) = result { codes[report.code.rawValue, default: 0] += 1 }
        }
    }

    @Test func `no change of a store's documents ends the daemon, exhausts it, or is refused without a code`()
        async throws
    {
        print("Mutated store: \(Self.rounds) rounds from STORECTL_TEST_HOSTILE_SEED=\(Self.seed)")
        let store = try HostileStore()
        let daemon = try await LimitedDaemon(settings: [
            // The catalogue is fetched once a round, by name.
            "STORECTL_CATALOGUE_REFRESH_AFTER": "31536000", "STORECTL_DOWNLOADS_ATTEMPTS": "2",
            "STORECTL_DOWNLOADS_KEPT_ARCHIVES": "0", "STORECTL_LIBRARY_KEEP_PREVIOUS": "0",
            "STORECTL_DOWNLOADS_RETRY_DELAY": "1",
        ])
        let honest = try await TestStore()
        try await honest.add("honest", files: ["a.gif": TestStore.bytes(200, seed: 1)])
        try await honest.publish()
        try await daemon.home.must("store", "add", "honest", "file://" + honest.publicPath, "--unsigned")
        var valid = DocumentMutator(seed: 0)
        try store.publish(changing: nil, version: 0, &valid)
        try await daemon.home.must("store", "add", "hostile", store.origin.url.absoluteString, "--unsigned")

        var tally = Tally()
        for round in 0..<Self.rounds {
            let seed = Self.seed &+ UInt64(round)
            var mutator = DocumentMutator(seed: seed)
            let document = HostileStore.Document.allCases[Int(seed % UInt64(HostileStore.Document.allCases.count))]
            try store.publish(changing: document, version: round + 1, &mutator)
            do {
                try await use(daemon, &tally, damages: document == .table || mutator.chance(8))
            } catch let violation as LimitedDaemon.Violation {
                Issue.record("STORECTL_TEST_HOSTILE_SEED=\(seed), \(document) changed: \(violation)")
                // Whatever happened, the next round would only repeat it if the daemon has ended.
                guard daemon.isAlive else { return }
            }
            try Task.checkCancellation()
        }
        let most = try daemon.mostMemory
        if Sanitizers.canCheckMemory() {
            #expect(most < LimitedDaemon.mostMemory, "\(most >> 20) MB")
        }
        print(
            "Mutated store: \(most >> 20) MB at most, \(tally.installed) installed, \(tally.repaired) repaired,",
            "\(tally.codes.values.reduce(0, +)) refused with \(tally.codes.count) codes")
        // Changes of, for example, a description refuse nothing; others reach every stage.
        if Self.rounds >= 100 {
            #expect(tally.installed >= Self.rounds / 10 && tally.repaired > 0)
            #expect(tally.codes.count >= 8, "\(tally.codes)")
        }
        try await daemon.home.must("daemon", "stop")
    }

    /// Uses the product of the hostile store in every way, and then the product of the honest one.
    ///
    /// - Parameter damages: whether the installed pack is damaged and repaired, which needs the entry table.
    private func use(_ daemon: LimitedDaemon, _ tally: inout Tally, damages: Bool) async throws {
        let refreshed = try await daemon.attempt("refresh") { try await $0.refresh("hostile") }
        tally.count(refreshed)
        for summary in (try? refreshed.get()) ?? [] {
            guard let error = summary.error else { continue }
            try daemon.require(error, from: "refresh")
            tally.codes[error.code.rawValue, default: 0] += 1
        }
        let found = try await daemon.attempt("search") { try await $0.products(ProductFilter(), limit: 50) }
        // A refusal here would be a refusal for all stores. Products of the changed store may fill the first page of results.
        let others = try await daemon.attempt("search") {
            try await $0.products(ProductFilter(words: ["honest"]), limit: 50)
        }
        guard try others.get().products.contains(where: { $0.productIdentifier == "honest" }) else {
            throw LimitedDaemon.Violation(description: "search: the product of the other store is missing")
        }
        let identifiers = try found.get().products.filter { $0.store == "hostile" }.map(\.productIdentifier)
        for identifier in identifiers.prefix(2) where !identifier.isEmpty {
            tally.count(try await daemon.attempt("info") { try await $0.product(identifier, store: "hostile") })
            for number in 0..<2 {
                tally.count(
                    try await daemon.attempt("preview") {
                        try await $0.preview(number, of: identifier, store: "hostile")
                    })
            }
            let installed = try await daemon.attempt("install") {
                try await $0.install(identifier, store: "hostile").finished()
            }
            tally.count(installed)
            if case .success(let pack) = installed {
                tally.installed += 1
                try await use(pack, in: daemon, &tally, damages: damages)
            }
        }
        tally.count(try await daemon.attempt("list") { try await $0.packs() })
    }

    /// Reads, repairs and removes an installed pack.
    private func use(_ pack: InstalledPack, in daemon: LimitedDaemon, _ tally: inout Tally, damages: Bool) async throws
    {
        let identifier = pack.productIdentifier
        if pack.kind == .skin {
            tally.count(try await daemon.attempt("skin") { try await $0.skin(identifier) })
            tally.count(try await daemon.attempt("css") { try await $0.skinStyleSheet(identifier, for: .css) })
            tally.count(try await daemon.attempt("gtk") { try await $0.skinStyleSheet(identifier, for: .gtk) })
        } else {
            tally.count(try await daemon.attempt("stickers") { try await $0.stickerPack(identifier) })
        }
        tally.count(try await daemon.attempt("verify") { try await $0.verify(identifier) })
        if damages {
            let files = try FileManager.default.contentsOfDirectory(atPath: pack.path).sorted()
            if let image = files.first(where: { $0.hasSuffix(".gif") || $0.hasSuffix(".xml") }) {
                try Data("damaged".utf8).write(to: URL(filePath: pack.path + "/" + image))
                let repaired = try await daemon.attempt("repair") { try await $0.beginRepair(identifier) }
                tally.count(repaired)
                if case .success(let installation) = repaired {
                    let download = try await daemon.end(of: installation)
                    if let error = download.error {
                        try daemon.require(error, from: "repair")
                        tally.codes[error.code.rawValue, default: 0] += 1
                    }
                    if download.state == .finished { tally.repaired += 1 }
                }
            }
        }
        tally.count(try await daemon.attempt("uninstall") { try await $0.uninstall(identifier) })
    }
}
