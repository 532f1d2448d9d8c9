import FoundationEssentials
import StoreCatalogue
import StoreModel
import StorePublishing
import StoreSystem
import Testing

@Suite
struct PublicationTests {
    let workshop: Workshop
    init() throws { workshop = try Workshop() }

    func addVersion(_ number: Int, of name: String = "p") throws {
        try workshop.add(
            workshop.pack(name, ["a.png": "\(name) \(number)"]), AddOptions(version: Version("\(number).0.0")))
    }

    /// Checks that every file that the catalogue refers to exists.
    func checkWhole() async throws {
        let items = try await workshop.catalogue().products.filter { !$0.withdrawn }
        #expect(!items.isEmpty)
        for item in items {
            for reference in [item.resource, item.entryTable, item.details] {
                let reference = try #require(reference)
                let data = try OpenFile.open(reference.url.path).readAll(limit: 1 << 20)
                #expect(SHA256Digest(of: data) == reference.sha256)
            }
        }
    }

    @Test
    func `an empty store has an empty catalogue`() async throws {
        #expect(try workshop.store().publish().changed)
        #expect(try await workshop.catalogue().products.isEmpty)
    }

    @Test
    func `files of the previous index stay for one more publication`() throws {
        try addVersion(1)
        _ = try workshop.store().publish()
        let first = Set(try workshop.published().keys)
        try addVersion(2)
        let second = try workshop.store().publish()
        #expect(second.filesRemoved == 0)
        #expect(first.isSubset(of: try workshop.published().keys))
        try addVersion(3)
        let third = try workshop.store().publish()
        #expect(third.filesRemoved == 4 - 1, "the details document is the same in all versions")
        #expect(try workshop.published().keys.count == 1 + 4 + 3)
        let last = try workshop.store().publish()
        #expect(!last.changed)
        #expect(last.filesRemoved == 3)
        #expect(try workshop.published().keys.count == 1 + 4)
        #expect(try workshop.files(beneath: workshop.storePath + "/objects").count == 4)
    }

    @Test
    func `mirrors are in each product's entry and are stored`() async throws {
        try addVersion(1)
        func addresses() async throws -> [String] {
            try await workshop.catalogue().products.flatMap(\.mirrors).map(\.absoluteString)
        }
        let store = try workshop.store()
        let mirrors = try ["https://a.example/x", "http://b.example:8080/"].map { try #require(URL(string: $0)) }
        #expect(try store.publish(mirrors: mirrors).changed)
        let archive = try #require(try await workshop.catalogue().products.first?.resource?.url.lastPathComponent)
        let expected = ["https://a.example/x/archives/", "http://b.example:8080/archives/"].map { $0 + archive }
        #expect(try await addresses() == expected)
        try addVersion(2)
        #expect(try store.publish().changed)
        #expect(try await addresses().count == 2)
        #expect(try store.publish(mirrors: []).changed)
        #expect(try await addresses().isEmpty)
        for bad in ["ftp://a.example/", "https:///x", "https://u:p@a.example/", "https://a.example/?q", "relative"] {
            let url = try #require(URL(string: bad))
            #expect("\(bad)") { try store.publish(mirrors: [url]) } throws: {
                ($0 as? StoreError)?.code == .badMirror
            }
        }
        #expect(try !store.publish().changed)
    }

    @Test
    func `publishing an unchanged state changes no file`() throws {
        try addVersion(1)
        _ = try workshop.store().publish()
        let directory = try Directory.open(workshop.publicPath)
        let before = try #require(try directory.status(of: "catalogue.json"))
        let published = try workshop.store().publish()
        #expect(!published.changed)
        #expect([published.products, published.filesAdded, published.filesRemoved] == [1, 0, 0])
        let after = try #require(try directory.status(of: "catalogue.json"))
        #expect(after.inode == before.inode)
    }

    @Test
    func `files of an interrupted run are removed by the next publication, and the publisher's files stay`()
        async throws
    {
        try addVersion(1)
        _ = try workshop.store().publish()
        let stray = String(repeating: "ab", count: 32)
        let folder = try Directory.open(workshop.publicPath)
        try folder.createFile("archives/\(stray).zip").write(Data("x".utf8))
        try folder.createFile("archives/\(stray).zip.new").write(Data("x".utf8))
        try folder.createFile("catalogue.json.new").write(Data("{".utf8))
        try folder.createFile("archives/README.txt").write(Data("mine".utf8))
        try folder.createFile("robots.txt").write(Data("mine".utf8))
        let objects = try Directory.open(workshop.storePath + "/objects")
        try objects.createFile("incoming/new").write(Data("x".utf8))
        try objects.createFile("tables/\(stray).json").write(Data("x".utf8))
        try addVersion(2)
        _ = try workshop.store().publish()
        _ = try workshop.store().publish()
        let names = Set(try workshop.published().keys.filter { $0.contains(stray) || $0.hasSuffix(".new") })
        #expect(names.isEmpty)
        #expect(try workshop.published()["robots.txt"] == Data("mine".utf8))
        #expect(try workshop.published()["archives/README.txt"] == Data("mine".utf8))
        #expect(try workshop.files(beneath: workshop.storePath + "/objects").count == 4)
        try await checkWhole()
    }

    @Test
    func `a damaged index is rebuilt`() async throws {
        try addVersion(1)
        _ = try workshop.store().publish()
        let folder = try Directory.open(workshop.publicPath)
        for damage in ["", "{", #"{"format":2,"products":0,"shards":[]}"#] {
            try folder.replace("catalogue.json", with: Data(damage.utf8))
            #expect(try workshop.store().publish().changed)
            try await checkWhole()
        }
        try folder.removeTree("archives")
        #expect(try workshop.store().publish().filesAdded == 1)
        try await checkWhole()
    }

    @Test
    func `a store that lost an object or its state reports it, and clients keep the published catalogue`() throws {
        try addVersion(1)
        _ = try workshop.store().publish()
        let before = try workshop.published()
        let root = try Directory.open(workshop.storePath)
        try root.removeTree("objects")
        var error = #expect(throws: StoreError.self) { try workshop.store().publish() }
        #expect(error?.code == .storeDamaged)
        try addVersion(1)
        #expect(try workshop.store().publish().changed == false)
        for damage in ["", "{", #"{"format":2,"products":[]}"#] {
            try root.replace("store.json", with: Data(damage.utf8))
            error = #expect(throws: StoreError.self) { try workshop.store().publish() }
            #expect(error?.code == .storeDamaged)
        }
        #expect(try workshop.published() == before)
    }

    @Test
    func `a catalogue that clients would refuse is not published, and the store stays as it was`() throws {
        try addVersion(1)
        _ = try workshop.store().publish()
        // Each of the products is within the limits, and their shard is not.
        let text = String(repeating: "x", count: 16 << 10)
        let names = (0..<200).map { #""l\#($0)": "\#(text)""# }.joined(separator: ",")
        let folders = try (0..<6).map { number in
            try workshop.pack("big\(number)", ["a.png": "x", "pack.json": #"{"name": {\#(names)}}"#])
        }
        for outcome in try workshop.store().add(folders, time: workshop.time) { _ = try outcome.result.get() }
        let before = try workshop.files(beneath: workshop.storePath)
        let mirror = try #require(URL(string: "https://a.example/"))
        let error = try #require(throws: StoreError.self) { try workshop.store().publish(mirrors: [mirror]) }
        #expect(error.code == .catalogueTooLarge && error.message.hasPrefix("clients would refuse the publication: "))
        #expect(try workshop.files(beneath: workshop.storePath) == before)
    }

    @Test
    func `a changed product changes the index, one shard, and its own files`() throws {
        let names = (0..<300).map { "p\($0)" }
        let folders = try names.map { try workshop.pack($0, ["a.png": $0]) }
        _ = try workshop.store().add(folders, time: workshop.time)
        _ = try workshop.store().publish()
        let before = try workshop.published()
        try addVersion(2, of: "p123")
        #expect(try workshop.store().publish().filesAdded == 3)
        let after = try workshop.published()
        let new = Set(after.keys).subtracting(before.keys).map { $0.prefix { $0 != "/" } }
        #expect(new.sorted() == ["archives", "catalogue", "tables"])
    }

    @Test
    func `readers always see a complete store while it is published repeatedly`() async throws {
        try addVersion(1)
        _ = try workshop.store().publish()
        let workshop = workshop
        async let publishing: Void = BlockingWork(label: "publishing").run {
            for number in 2...20 {
                try workshop.add(
                    workshop.pack("p", ["a.png": "\(number)"]), AddOptions(version: Version("\(number).0.0")))
                _ = try workshop.store().publish()
            }
        }
        for _ in 0..<20 {
            do {
                #expect(try await workshop.catalogue().products.map(\.productIdentifier) == ["p"])
            } catch let error as StoreError where error.code == .catalogueMissing {
                // A reader that is two publications late may miss a shard, and then starts over as clients do.
            }
        }
        try await publishing
        try await checkWhole()
        #expect(try await workshop.catalogue()["p"]?.version == Version("20.0.0"))
    }
}
