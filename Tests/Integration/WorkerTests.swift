import Foundation
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

/// Packs that are read by confined processes, which some of the packs take over.
///
/// In place of `store-worker` stands `StoreConfinementProbe`, whose workers do what an archive says (see
/// `WorkerUnderAttack`).
@Suite(.hangGuard) struct WorkerTests {
    /// The number of packs whose workers end in random ways; can be set for long runs.
    private static let faults = ProcessInfo.processInfo.environment["STORECTL_TEST_WORKERS"].flatMap { Int($0) } ?? 16

    /// A directory with the programs, in which another program may stand in for `store-worker`.
    private final class Installation {
        let folder: TemporaryFolder
        let home: TestHome
        let origin: Origin

        init(worker: String?, settings: [String: String] = [:]) throws {
            folder = try TemporaryFolder()
            for name in ["storectl", "stored"] { try Programs.copy(name, to: folder.path + "/" + name) }
            if let worker { try Programs.copy(worker, to: folder.path + "/store-worker") }
            home = try TestHome(settings: settings)
            origin = try Origin()
        }

        func run(_ arguments: [String]) async throws -> Programs.Result {
            try await Programs.run(folder.path + "/storectl", arguments, environment: home.environment)
        }

        /// Serves archives as products of their names, and adds the store.
        ///
        /// - Parameter more: further members of the products by their names.
        func serve(
            _ archives: [(name: String, bytes: [UInt8])], with more: [String: [String: String]] = [:]
        ) async throws {
            for (name, bytes) in archives { origin.serve("/\(name).zip", bytes) }
            let products = archives.map { name, bytes in
                StoreDocuments.product(name, archive: bytes, at: "/\(name).zip", with: more[name] ?? [:])
            }
            StoreDocuments.formatTwo(products, on: origin)
            let added = try await run(["store", "add", "shop", origin.address, "--unsigned"])
            try #require(added.exit == 0, "\(added)")
        }

        /// Installs products, and returns the code of the error of each, `nil` where it was installed.
        func install(_ names: [String]) async throws -> [String?] {
            let result = try await run(["install", "--json"] + names)
            let results = try result.json["results"]?.elements ?? []
            #expect(results.map { $0["productIdentifier"].text } == names, "\(result)")
            return results.map { $0["error"]["code"].text }
        }

        func confinement() async throws -> JSONValue {
            try #require(try await run(["daemon", "status", "--json"]).json["confinement"])
        }

        /// Skips the test where this kernel can't confine a process; fails it where only the daemon can't.
        func requireConfinement() async throws {
            try WorkerTests.requireKernel()
            _ = try await run(["daemon", "start"])
            let confinement = try await confinement()
            try #require(confinement["confined"] == .bool(true), "\(confinement)")
        }
    }

    /// Skips the test where this kernel can't confine a process.
    private static func requireKernel() throws {
        if Sanitizers.areEnabled { try skip("a sanitizer does not work in a confined process") }
        if let reason = KernelConfinement.obstacleToWorkers { try skip("no process can be confined: \(reason)") }
    }

    private static func attack(_ name: String, _ path: String = "") -> [UInt8] { Array("attack \(name) \(path)".utf8) }

    // MARK: Attacks

    @Test func `a worker that a pack has taken over reaches nothing but its pack`() async throws {
        let installation = try Installation(
            worker: "StoreConfinementProbe", settings: ["STORECTL_WORKER_TIMEOUT": "60"])
        let home = installation.home
        try await installation.requireConfinement()
        let secret = home.folder.path + "/secret"
        try Data("secret".utf8).write(to: URL(filePath: secret))
        let daemon = try #require(home.daemonPID)
        let packs = home.path + "/data/packs"

        // The number of the error that the attempt has; `nil` where the process is killed for it.
        let denied = String(EACCES)
        let attempts: [(name: String, path: String, result: String?)] = [
            ("read", secret, denied), ("read", home.path + "/config/stores.json", denied),
            ("read", "/proc/\(daemon)/mem", denied), ("read", "/etc/passwd", denied),
            ("overwrite", packs + "/good.stickers/a.png", denied), ("create", packs + "/stray", denied),
            ("create", home.path + "/stray", denied), ("make-directory", packs + "/stray", denied),
            ("open-directory", packs, denied), ("open-parent", "", denied), ("create-in-parent", "", denied),
            ("open-path", home.path, denied), ("write-archive", "", String(EBADF)), ("memory", "", String(ENOMEM)),
            ("socket", "", nil), ("unix-socket", "", nil), ("execute", "", nil), ("fork", "", nil), ("vfork", "", nil),
            ("signal", "", nil), ("signal-thread", "", nil), ("trace", "", nil), ("read-memory", "", nil),
            ("write-memory", "", nil), ("symbolic-link", "", nil), ("hard-link", "", nil), ("rename", "", nil),
            ("remove", "", nil), ("device", "", nil), ("pipe", "", nil), ("setuid-file", "", denied),
            ("change-mode", "", nil), ("ring", "", nil), ("allow-dumping", "", nil), ("raise-limit", "", nil),
        ]
        let archives = attempts.enumerated().map { index, attempt in
            (name: "attempt\(index)", bytes: Self.attack(attempt.name, attempt.path))
        }
        try await installation.serve([("good", StoreDocuments.pack())] + archives + [("last", StoreDocuments.pack(2))])
        #expect(try await installation.install(["good"]) == [nil])
        let before = home.files(of: "good.stickers")
        let names = archives.map(\.name) + ["last"]
        let codes = try await installation.install(names)
        for (index, attempt) in attempts.enumerated() {
            let result = home.files(of: "attempt\(index).stickers")["result.txt"].map {
                String(decoding: $0, as: UTF8.self)
            }
            #expect(result == attempt.result, "\(attempt)")
            #expect(codes[index] == (attempt.result == nil ? "worker.crashed" : nil), "\(attempt)")
        }
        // Neither what was there before nor what came afterwards has changed.
        #expect(codes.last == .some(nil) && home.files(of: "good.stickers") == before)
        #expect(home.files(of: "last.stickers").keys.sorted() == ["a.png", "b.png"])
        #expect(home.daemonPID == daemon)
        #expect(home.entries("") == ["cache", "config", "data", "run"])
        #expect(try Data(contentsOf: URL(filePath: secret)) == Data("secret".utf8))
        try await home.expectNothingLeft()
    }

    @Test func `the threads of a worker can wait for each other`() async throws {
        let installation = try Installation(
            worker: "StoreConfinementProbe", settings: ["STORECTL_WORKER_TIMEOUT": "60"])
        try await installation.requireConfinement()
        try await installation.serve([("shared", Self.attack("share-variable"))])
        #expect(try await installation.install(["shared"]) == [nil])
        let result = installation.home.files(of: "shared.stickers")["result.txt"]
        #expect(result == Data("0".utf8))
    }

    @Test func `what a worker leaves behind that does not belong in a pack is refused`() async throws {
        let installation = try Installation(
            worker: "StoreConfinementProbe", settings: ["STORECTL_ARCHIVES_MAXIMUM_ENTRIES": "50"])
        try await installation.requireConfinement()
        let attempts = [
            ("write-receipt", "worker.bad-output"), ("write-hidden-file", "worker.bad-output"),
            ("write-program", "worker.bad-output"), ("write-colliding-names", "worker.bad-output"),
            ("write-control-characters", "worker.bad-output"), ("write-many-files", "worker.bad-output"),
            ("flood-report", "worker.crashed"), ("garble-report", "worker.crashed"), ("crash", "worker.crashed"),
            ("demand-consent", "worker.crashed"), ("demand-consent-as-conflict", "worker.crashed"),
        ]
        try await installation.serve(attempts.map { ($0.0, Self.attack($0.0)) })
        #expect(try await installation.install(attempts.map(\.0)) == attempts.map(\.1))
        #expect(installation.home.entries("data/packs") == [])
        try await installation.home.expectNothingLeft()
    }

    @Test(arguments: ["forge-memory", "garble-memory", "fill-memory", "leave-memory-empty"])
    func `what a worker leaves in memory for several packs harms none of the others`(attempt: String) async throws {
        let installation = try Installation(worker: "StoreConfinementProbe")
        try await installation.requireConfinement()
        let names = (0..<24).map { "pack\($0)" }
        let archives = names.enumerated().map { number, name in
            (name, number.isMultiple(of: 8) ? Self.attack(attempt) : StoreDocuments.pack(UInt64(number)))
        }
        let stated = Dictionary(
            uniqueKeysWithValues: names.enumerated().map { ($1, StoreDocuments.filesHash(UInt64($0))) })
        try await installation.serve(archives, with: stated)
        let codes = try await installation.install(names)
        for (number, code) in codes.enumerated() {
            #expect(code == (number.isMultiple(of: 8) ? "content.hash-mismatch" : nil), "\(number)")
        }
        #expect(installation.home.entries("data/packs").count == names.count - 3)
        try await installation.home.expectNothingLeft()
    }

    // MARK: Workers that end

    @Test func `whatever happens to some workers, the packs of the others are installed`() async throws {
        let installation = try Installation(
            worker: "StoreConfinementProbe",
            settings: ["STORECTL_WORKER_TIMEOUT": "2", "STORECTL_WORKER_MAXIMUM_MEMORY": String(64 << 20)])
        try await installation.requireConfinement()
        var random = KillRandom()
        let ends = [
            ("kill-itself", "worker.crashed"), ("crash", "worker.crashed"), ("eat-memory", "worker.memory"),
            ("stop-itself", "worker.timeout"), ("spin", "worker.timeout"), ("sleep", "worker.timeout"),
            ("close-report", "worker.timeout"),
        ]
        var archives: [(name: String, bytes: [UInt8])] = []
        var expected: [(attack: String, code: String?)] = []
        // So that packs are read together, the store states the files of each.
        var stated: [String: [String: String]] = [:]
        for number in 0..<Self.faults {
            // Each way to end at least once.
            let end =
                number < ends.count
                ? ends[number] : Bool.random(using: &random) ? ends.randomElement(using: &random) : nil
            archives.append(("pack\(number)", end.map { Self.attack($0.0) } ?? StoreDocuments.pack(UInt64(number))))
            expected.append((end?.0 ?? "none", end?.1))
            stated["pack\(number)"] = StoreDocuments.filesHash(UInt64(number))
            stated["other\(number)"] = StoreDocuments.filesHash(UInt64(1000 + number))
            archives.append(("other\(number)", StoreDocuments.pack(UInt64(1000 + number))))
            expected.append(("none", nil))
        }
        try await installation.serve(archives, with: stated)
        var codes = try await installation.install(archives.map(\.name))
        // On a busy machine, a worker that spins may leave another one too little time; it gets the time again.
        try #require(codes.count == expected.count)
        var late = Array(codes.indices)
        // A worker that its neighbours can stop would be late each time.
        for _ in 0..<3 {
            late = late.filter { codes[$0] == "worker.timeout" && expected[$0].code != "worker.timeout" }
            if late.isEmpty { break }
            print("workers: \(late.count) of \(codes.count) had too little time")
            try Task.checkCancellation()
            let again = try await installation.install(late.map { archives[$0].name })
            try #require(again.count == late.count)
            for (place, code) in zip(late, again) { codes[place] = code }
        }
        for (code, expected) in zip(codes, expected) {
            #expect(code == expected.code, "\(expected.attack), seed \(random.seed)")
        }
        for (name, bytes) in archives where installation.home.entries("data/packs").contains(name + ".stickers") {
            let image = try #require(installation.home.files(of: name + ".stickers")["a.png"])
            #expect(bytes.firstRange(of: Array(image)) != nil, "\(name), seed \(random.seed)")
        }
        try await installation.home.expectNothingLeft()
    }

    @Test func `a worker that reports a little again and again is killed at its time limit`() async throws {
        let installation = try Installation(
            worker: "StoreConfinementProbe", settings: ["STORECTL_WORKER_TIMEOUT": "1"])
        try await installation.requireConfinement()
        try await installation.serve([("pack", Self.attack("trickle-report"))])
        #expect(try await installation.install(["pack"]) == ["worker.timeout"])
        try await installation.home.expectNothingLeft()
    }

    @Test func `a helper that is killed or stopped while it waits is replaced`() async throws {
        // The test waits for this time once; a pack is read within it, also on a slow machine.
        let installation = try Installation(worker: "store-worker", settings: ["STORECTL_WORKER_TIMEOUT": "10"])
        try await installation.requireConfinement()
        try await installation.serve((0..<3).map { ("pack\($0)", StoreDocuments.pack(UInt64($0))) })
        let daemon = try #require(installation.home.daemonPID)
        func helpers() -> [Int32] { Self.children(of: daemon) }
        #expect(try await installation.install(["pack0"]) == [nil])
        let first = helpers()
        #expect(!first.isEmpty)
        for helper in first { kill(helper, SIGKILL) }
        #expect(try await installation.install(["pack1"]) == [nil])
        // The worker goes on; only that it has ended can't be said by a helper that is stopped.
        for helper in helpers() { kill(helper, SIGSTOP) }
        #expect(try await installation.install(["pack2"]) == ["worker.timeout"])
        #expect(try await installation.install(["pack2"]) == [nil])
    }

    /// Returns the ids of the processes that a process has started.
    private static func children(of process: Int32) -> [Int32] {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
        return tasks.flatMap { task in
            let text = (try? String(contentsOfFile: "/proc/\(process)/task/\(task)/children", encoding: .utf8)) ?? ""
            return text.split(separator: " ").compactMap { Int32($0) }
        }
    }

    // MARK: Availability

    @Test func `the status says by which means packs are read`() async throws {
        let installation = try Installation(worker: "store-worker")
        try await installation.requireConfinement()
        let confinement = try await installation.confinement()
        let inEffect = confinement["inEffect"].elements.compactMap(\.text)
        let missing = confinement["missing"].elements.compactMap { $0["part"].text }
        #expect(Set(inEffect + missing) == Set(ConfinementReport.Part.allCases.map(\.rawValue)))
        #expect(inEffect.contains("fileSystem") && inEffect.contains("systemCalls"))
        let text = try await installation.run(["daemon", "status"])
        #expect(text.output.contains("Packs are read in confined processes"), "\(text)")
    }

    @Test func `the status starts a process only if that is asked for`() async throws {
        try Self.requireKernel()
        let installation = try Installation(worker: "store-worker")
        let list = try await installation.run(["list"])
        #expect(list.exit == 0, "\(list)")
        let daemon = try #require(installation.home.daemonPID)
        func confinement(_ query: String) throws -> JSONValue {
            let (status, body) = try DaemonWire.get(
                "/v1/status" + query, at: installation.home.path + "/run/stored.sock")
            #expect(status == 200)
            return try JSONDecoder().decode(JSONValue.self, from: Data(body.utf8))["confinement"]
        }
        let expected = try confinement("")
        #expect(Self.children(of: daemon).isEmpty)
        let tried = try confinement("?tryConfinement=true")
        try #require(tried["confined"] == true, "\(tried)")
        #expect(!Self.children(of: daemon).isEmpty)
        // On any kernel that can confine a process, it was known what it can restrict.
        #expect(expected == tried)
        #expect(try confinement("") == tried)
    }

    @Test func `without the program the daemon reads packs itself, unless a setting forbids that`() async throws {
        let installation = try Installation(worker: nil)
        try await installation.serve([("one", StoreDocuments.pack()), ("two", StoreDocuments.pack(2))])
        #expect(try await installation.install(["one"]) == [nil])
        #expect(try await installation.confinement()["confined"] == .bool(false))
        let status = try await installation.run(["daemon", "status"])
        #expect(status.errors.contains("warning: packs are read by the daemon itself"), "\(status)")
        // Nor is there the program that draws thumbnails.
        let reason = "there is no program 'store-thumbnailer'"
        #expect(status.errors.contains("warning: no thumbnails are made, because \(reason)"), "\(status)")
        let thumbnails = try await installation.run(["daemon", "status", "--json"]).json["thumbnails"]
        #expect(thumbnails?["available"] == .bool(false) && thumbnails?["reason"].text == reason)

        let set = try await installation.run(["config", "set", "worker.required", "true"])
        #expect(set.exit == 0, "\(set)")
        #expect(try await installation.install(["two"]) == ["worker.unavailable"])
        let refused = try await installation.run(["daemon", "status"])
        #expect(refused.errors.contains("warning: packs can't be installed"), "\(refused)")
        #expect(installation.home.entries("data/packs") == ["one.stickers"])
    }

    @Test func `a program that is no worker is not used`() async throws {
        let installation = try Installation(worker: "storehouse")
        try await installation.serve([("one", StoreDocuments.pack())])
        #expect(try await installation.install(["one"]) == [nil])
        let confinement = try await installation.confinement()
        #expect(confinement["confined"] == .bool(false) && confinement["reason"].text?.isEmpty == false)
    }

    @Test func `the program says that it can't be run directly`() async throws {
        let result = try await Programs.run("store-worker", [], environment: [:])
        #expect(result.exit == 2 && result.errors.hasPrefix("error: store-worker can't be run directly"), "\(result)")
    }
}
