import FoundationEssentials
import Glibc
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

@testable import StoreLibrary

@Suite struct UnmanagedPackTests {
    private let home: LibraryHome
    init() throws { home = try LibraryHome() }

    @Test func `an unmanaged pack is listed without a store`() async throws {
        try home.packs.put("mine.thing/file", "12345")
        try home.packs.put("named.thing/pack.json", #"{"productIdentifier":"org.x","name":"X","version":"3"}"#)
        try home.packs.put("no-kind.weather/file", "1")
        try home.packs.put("file.thing", "1")
        try home.packs.put(".thing/file", "1")
        try home.packs.putLink("link.thing", to: "mine.thing")
        let packs = try await home.open().all()
        #expect(packs.map(\.folder) == ["mine.thing", "named.thing"])
        #expect(packs.map(\.productIdentifier) == ["mine", "org.x"])
        #expect(packs.map { $0.name.text() } == ["mine", "X"])
        #expect(packs.map(\.version) == [nil, Version("3")])
        #expect(packs[0].size == 5)
        #expect(packs.allSatisfy { $0.origin == nil && $0.kind == .thing })
    }

    @Test func `an unmanaged pack appears and disappears while the library is open`() async throws {
        let library = try await home.open()
        #expect(try await library.all().isEmpty)
        for round in 1...20 {
            try home.packs.put("mine-\(round).thing/file", "1")
            #expect(try await library.pack(of: "mine-\(round)") != nil)
            #expect(try await library.all().count == 1)
            try home.packs.removeTree("mine-\(round).thing")
            #expect(try await library.all().isEmpty)
        }
    }

    @Test func `an installed pack whose receipt was removed is damaged, and one of the user in its place is unmanaged`()
        async throws
    {
        let library = try await home.open()
        let installed = try await library.bring("a", ["file": "12345"])
        try home.packs.remove("a.thing/" + Receipt.fileName)
        for library in [library, try await home.open(index: await library.index)] {
            let damaged = try #require(try await library.pack(of: "a"))
            #expect(damaged.receiptIsDamaged && damaged.origin == installed.origin)
            #expect(try await library.verify("a") == [.init(path: Receipt.fileName, damage: .missing)])
        }
        let index = await library.index
        try home.packs.put("a.thing/file", "mine")
        for library in [library, try await home.open(index: index)] {
            let unmanaged = try #require(try await library.pack(of: "a"))
            #expect(unmanaged.origin == nil && !unmanaged.receiptIsDamaged)
        }
    }

    /// After any change, looking up one product gives the same pack as a full scan.
    @Test(arguments: [UInt64(1), 2, 3])
    func `a pack looked up by product is the one that a full scan finds`(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let library = try await home.open()
        let packs = try home.packs
        let identifiers = ["a", "b", "org.example/c"]
        for step in 0..<120 {
            let identifier = try #require(identifiers.randomElement(using: &generator))
            let folder = PackDirectoryName(productIdentifier: identifier).text + ".thing"
            // Only a pack that the library has installed is replaced or removed, and nothing else in its place.
            let present = try await library.pack(of: identifier)
            let isInstalled = present?.origin != nil
            let isFree = try packs.status(of: folder) == nil
            switch Int.random(in: 0..<7, using: &generator) {
            case 0, 1:
                let code = await outcome { try await library.bring(identifier, ["file": "\(step)"]) }
                #expect(code == (isFree || isInstalled ? nil : .packByHand), "step \(step)")
            case 2:
                let code = await outcome { try await library.remove(identifier) }
                #expect(
                    code == (isInstalled ? nil : present == nil ? .packMissing : .packByHand), "step \(step)")
            case 3 where try packs.status(of: folder) == nil: try packs.put(folder + "/file", "\(step)")
            case 4: try packs.removeTree(folder)
            case 5 where try packs.status(of: folder + "/" + Receipt.fileName) != nil:
                try packs.removeTree(folder + "/" + Receipt.fileName)
                try packs.put(folder + "/" + Receipt.fileName, "no receipt \(step)")
            default: try packs.put("elsewhere\(step % 3).thing/pack.json", #"{"productIdentifier":"\#(identifier)"}"#)
            }
            for identifier in identifiers {
                let found = try await library.packInPlace(of: identifier)
                let all = try await home.open().all()
                let place = PackDirectoryName(productIdentifier: identifier).text + ".thing"
                let expected = all.first { $0.folder == place && $0.isOf(identifier) }
                #expect(found?.folder == expected?.folder, "step \(step)")
                if let expected, expected.origin != nil || !expected.receiptIsDamaged { #expect(found == expected) }
            }
        }
    }

    /// Returns the code of the error that `change` throws; `nil` if it throws none.
    private func outcome(_ change: () async throws -> LibraryPack) async -> ErrorCode? {
        do {
            _ = try await change()
            return nil
        } catch {
            return ErrorReport(error).code
        }
    }

    @Test func `a scan too soon after a change is repeated`() throws {
        let packs = try home.packs
        let changed = try #require(try packs.status(of: ".")?.modifiedAt)
        let soon = try #require(DirectoryVersion(of: packs, now: changed.addingTimeInterval(0.01)))
        let late = try #require(DirectoryVersion(of: packs, now: changed.addingTimeInterval(10)))
        let later = try #require(DirectoryVersion(of: packs, now: changed.addingTimeInterval(20)))
        #expect(!soon.isCurrent(at: late), "a change in the same tick as the scan would never be found")
        #expect(late.isCurrent(at: later))
        try packs.put("a.thing/file", "1")
        // Set explicitly, because the clock of the file system may tick slowly.
        var times = [timespec(tv_sec: 1_900_000_000, tv_nsec: 0), timespec(tv_sec: 1_900_000_000, tv_nsec: 0)]
        #expect(futimens(packs.descriptor, &times) == 0)
        #expect(!late.isCurrent(at: try #require(DirectoryVersion(of: packs, now: changed.addingTimeInterval(30)))))
    }

    @Test func `an unmanaged pack is never overwritten`() async throws {
        let library = try await home.open()
        try home.packs.put("a.thing/file", "mine")
        #expect(await failure { try await library.bring("a", ["file": "1"]) } == .packByHand)
        #expect(await failure { try await library.requireInstallable("a", kind: .thing) } == .packByHand)
        #expect(try home.packs.openDirectory("a.thing").tree() == ["file": "mine"])
        #expect(try home.staging.names().isEmpty)
    }

    @Test(arguments: ["file", "link", "empty"])
    func `whatever lies in a pack's place is never overwritten`(what: String) async throws {
        let library = try await home.open()
        let packs = try home.packs
        switch what {
        case "file": try packs.put("a.thing", "mine")
        case "link": try packs.putLink("a.thing", to: "../previous")
        default: try packs.makeDirectory("a.thing")
        }
        let before = try packs.status(of: "a.thing")?.inode
        #expect(await failure { try await library.bring("a", ["file": "1"]) } == .packByHand)
        #expect(try packs.status(of: "a.thing")?.inode == before)
    }

    @Test func `an unmanaged pack is never changed`() async throws {
        try home.packs.put("a.thing/file", "mine")
        let library = try await home.open()
        #expect(await failure { _ = try await library.remove("a") } == .packByHand)
        #expect(await failure { _ = try await library.setHeld("a", true) } == .packByHand)
        #expect(await failure { _ = try await library.rollBack("a", operation: OperationID()) } == .packByHand)
        #expect(await failure { _ = try await library.verify("a") } == .packByHand)
        #expect(try await library.text("file", of: "a") == "mine")
    }

    @Test func `an unmanaged pack does not hide an installed one`() async throws {
        let library = try await home.open()
        let installed = try await library.bring("a", ["file": "installed"])
        try home.packs.put("0.thing/pack.json", #"{"productIdentifier":"a"}"#)
        #expect(try await library.all().count == 2)
        #expect(try await library.pack(of: "a") == installed)
        #expect(try await library.text("file", of: "a") == "installed")
        _ = try await library.remove("a")
        #expect(try await library.pack(of: "a")?.folder == "0.thing")
    }

    @Test(arguments: [
        "not JSON", "{}", "newer", "of another product", "of another kind", "of absurd sizes", "of negative sizes",
    ])
    func `a pack with a receipt of another pack is unmanaged`(flaw: String) async throws {
        var receipt = Receipt.of(["file": "1"], identifier: "a")
        switch flaw {
        case "newer": receipt.format = 2
        case "of another product": receipt.productIdentifier = "b"
        case "of another kind": receipt.kind = .other
        case "of absurd sizes": receipt.files += [receipt.files[0], receipt.files[0]].map { absurd($0, .max) }
        case "of negative sizes": receipt.files = receipt.files.map { absurd($0, -1) }
        default: break
        }
        try home.packs.put("a.thing/file", "1")
        let data = flaw == "not JSON" || flaw == "{}" ? Data(flaw.utf8) : try JSON.encode(receipt)
        try home.packs.put("a.thing/" + Receipt.fileName, data)
        let pack = try #require(try await home.open().pack(of: "a"))
        #expect(pack.origin == nil && pack.size == 1)
    }

    private func absurd(_ file: Receipt.File, _ size: Int) -> Receipt.File {
        Receipt.File(path: file.path, size: size, sha256: file.sha256)
    }
}
