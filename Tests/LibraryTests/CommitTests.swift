import Glibc
import StoreLibrary
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

@Suite struct CommitTests {
    private let home: LibraryHome
    init() throws { home = try LibraryHome() }

    @Test func `a new pack is committed with its receipt`() async throws {
        let library = try await home.open()
        let pack = try await library.bring("org.example/cups", ["a.png": "1", "b/c.png": "22"])
        #expect(pack.folder == "org.example%2Fcups.thing" && pack.size == 3 && pack.version == Version("1"))
        #expect(try await library.all() == [pack])
        #expect(try await library.pack(of: "org.example/cups") == pack)
        #expect(library.path(of: pack) == home.folder.path + "/packs/org.example%2Fcups.thing")
        let tree = try home.packs.openDirectory(pack.folder).tree()
        #expect(Set(tree.keys) == ["a.png", "b/c.png", Receipt.fileName] && tree["b/c.png"] == "22")
        #expect(try home.staging.names().isEmpty && home.previous.names().isEmpty)
        #expect(try await library.verify("org.example/cups").isEmpty)
    }

    @Test func `files that are in memory are written with their directories`() async throws {
        let library = try await home.open()
        let operation = OperationID()
        let staged = try await library.stage(operation, productIdentifier: "a", kind: .thing)
        let files = ["x": "1", "b/c": "22", "b/d/e": "3", "f/c": ""]
        let contents = FileTree(
            directories: ["empty", "b", "b/d"],
            files: files.sorted { $0.key < $1.key }.map { .init($0.key, Array($0.value.utf8)[...]) })
        try staged.write(contents)
        #expect(throws: CancellationError.self) {
            let cancellation = CancellationFlag()
            cancellation.cancel()
            try staged.write(contents, cancellation: cancellation)
        }
        let receipt = Receipt.of(files, identifier: "a", operation: operation)
        let pack = try await library.commit(staged, receipt: receipt)
        let directory = try home.packs.openDirectory(pack.folder)
        #expect(try directory.tree().filter { $0.key != Receipt.fileName } == files)
        #expect(try directory.openDirectory("empty").entries().isEmpty)
        #expect(try directory.openFile("b/c").status().permissions == 0o644)
        #expect(try await library.verify("a").isEmpty)
    }

    @Test func `packs committed at the same time are all installed`() async throws {
        let library = try await home.open()
        let identifiers = (0..<60).map { "pack-\($0)" }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for identifier in identifiers {
                group.addTask { try await library.bring(identifier, ["file": identifier]) }
            }
            try await group.waitForAll()
        }
        #expect(Set(try await library.all().map(\.productIdentifier)) == Set(identifiers))
        #expect(try home.staging.names().isEmpty)
        for identifier in identifiers { #expect(try await library.text("file", of: identifier) == identifier) }
        #expect(try await home.open().all().count == 60)
    }

    @Test func `a pack that can not be committed does not affect others of its group`() async throws {
        let library = try await home.open()
        let results = try await withThrowingTaskGroup(of: (String, Bool).self) { group in
            for number in 0..<20 {
                let operation = OperationID()
                let staged = try await library.stage(operation, productIdentifier: "\(number)", kind: .thing)
                try staged.directory.put("file", "\(number)")
                // After staging, every third location is occupied.
                if number.isMultiple(of: 3) { try home.packs.put("\(number).thing/mine", "by hand") }
                group.addTask {
                    let receipt = Receipt.of(["file": "\(number)"], identifier: "\(number)", operation: operation)
                    do {
                        _ = try await library.commit(staged, receipt: receipt)
                        return ("\(number)", true)
                    } catch let error as StoreError {
                        #expect(error.code == .packByHand)
                        return ("\(number)", false)
                    }
                }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        for number in 0..<20 {
            let isByHand = number.isMultiple(of: 3)
            #expect(results["\(number)"] == !isByHand)
            let tree = try home.packs.openDirectory("\(number).thing").tree()
            if isByHand {
                #expect(tree == ["mine": "by hand"])
            } else {
                #expect(tree["file"] == "\(number)")
            }
        }
    }

    @Test func `a new version replaces the old one in one step`() async throws {
        let library = try await home.open()
        try await library.bring("a", ["old": "1", "both": "1"])
        let held = try await library.directory(of: "a")
        try await library.bring("a", ["new": "2", "both": "2"], version: "2")
        #expect(try await library.pack(of: "a")?.version == Version("2"))
        #expect(try home.packs.names() == ["a.thing"])
        #expect(try home.packs.openDirectory("a.thing").tree().keys.sorted() == [Receipt.fileName, "both", "new"])
        // A reader with an open directory continues to read one version.
        #expect(try held.text("both") == "1" && held.text("old") == "1")
        #expect(try home.staging.names().isEmpty)
    }

    @Test func `an update keeps the hold`() async throws {
        let library = try await home.open()
        try await library.bring("a", ["file": "1"])
        #expect(try await library.setHeld("a", true).origin?.held == true)
        #expect(try await library.bring("a", ["file": "2"], version: "2").origin?.held == true)
        #expect(try await home.open().pack(of: "a")?.origin?.held == true)
        #expect(try await library.setHeld("a", false).origin?.held == false)
        #expect(try await library.setHeld("a", false).origin?.held == false)
        #expect(try await library.bring("a", ["file": "3"], version: "3").origin?.held == false)
    }

    @Test func `a hold set while a new version is prepared is kept`() async throws {
        let library = try await home.open()
        for round in 1...20 {
            let identifier = "a\(round)"
            try await library.bring(identifier, ["file": "1"])
            let operation = OperationID()
            let staged = try await library.stage(operation, productIdentifier: identifier, kind: .thing)
            try staged.directory.put("file", "2")
            let receipt = Receipt.of(["file": "2"], identifier: identifier, version: "2", operation: operation)
            async let committed = library.commit(staged, receipt: receipt)
            async let hold = library.setHeld(identifier, true)
            _ = try await (committed, hold)
            #expect(try await library.pack(of: identifier)?.origin?.held == true)
            #expect(try await library.pack(of: identifier)?.version == Version("2"))
            let reopened = try await home.open()
            #expect(try await reopened.pack(of: identifier)?.origin?.held == true)
        }
    }

    @Test func `a pack that violates the rules of its kind is refused`() async throws {
        let library = try await home.open()
        #expect(await failure { try await library.bring("a", ["refuse": ""]) } == .badInformation)
        #expect(try await library.all().isEmpty)
        #expect(try home.staging.names().isEmpty)
    }

    @Test func `an unknown kind is refused`() async throws {
        let library = try await home.open()
        let kind = ProductKind(rawValue: "weather")
        #expect(
            await failure { _ = try await library.stage(OperationID(), productIdentifier: "a", kind: kind) }
                == .kindUnknown)
        #expect(await failure { try await library.requireInstallable("a", kind: kind) } == .kindUnknown)
    }

    @Test func `a pack that is on the disk and not known yet, as during its commit, is not in the way`() async throws {
        let library = try await home.open()
        try await home.open().bring("a", ["file": "1"])
        try await library.requireInstallable("a", kind: .thing)
    }

    @Test func `a product that changed its kind is refused`() async throws {
        let library = try await home.open()
        try await library.bring("a", ["file": "1"])
        #expect(await failure { try await library.bring("a", ["file": "2"], kind: .other) } == .kindChanged)
        #expect(await failure { try await library.requireInstallable("a", kind: .other) } == .kindChanged)
        #expect(try await library.text("file", of: "a") == "1")
        #expect(try home.packs.names() == ["a.thing"])
    }

    @Test func `a product without an identifier is refused`() async throws {
        let library = try await home.open()
        #expect(await failure { try await library.bring("", ["file": "1"]) } == .badInformation)
        #expect(try home.packs.names().isEmpty)
    }

    @Test func `unusual identifiers have directories of their own`() async throws {
        let library = try await home.open()
        let identifiers = ["../../x", "..", ".", "/", "🙂", String(repeating: "x", count: 300), "a\nb", "a.thing", "-"]
        for identifier in identifiers { try await library.bring(identifier, ["file": identifier]) }
        for identifier in identifiers { #expect(try await library.text("file", of: identifier) == identifier) }
        #expect(try await home.open().all().count == identifiers.count)
        #expect(Set(try home.data.names()) == ["packs", "previous", "staging", "trash"])
        for identifier in identifiers { _ = try await library.remove(identifier) }
        #expect(try await library.all().isEmpty && home.packs.names().isEmpty)
    }

    @Test func `a discarded pack leaves nothing`() async throws {
        let library = try await home.open()
        let operation = OperationID()
        let staged = try await library.stage(operation, productIdentifier: "a", kind: .thing)
        try staged.directory.put("file", "1")
        await library.discard(operation)
        #expect(try home.staging.names().isEmpty)
        // The same operation may start again, as for a retry.
        _ = try await library.stage(operation, productIdentifier: "a", kind: .thing)
        _ = try await library.stage(operation, productIdentifier: "a", kind: .thing)
        await library.discard(operation)
        await library.discard(operation)
        #expect(try home.staging.names().isEmpty)
    }
}

extension [LibraryPack] {
    var identifiers: [String] { map(\.productIdentifier).sorted() }
}
