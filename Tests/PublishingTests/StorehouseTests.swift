import FoundationEssentials
import StoreArchives
import StoreCatalogue
import StoreLibrary
import StoreModel
import StorePublishing
import StoreSystem
import Testing

@Suite
struct StorehouseTests {
    let workshop: Workshop
    init() throws { workshop = try Workshop() }

    static let cups = [
        "pack.json": #"""
        {"productIdentifier":"org.example.cups","name":{"en":"Cups","pt":"Chávenas"},"version":"1.2.0",
         "publisher":"Example","license":"CC-BY-4.0","cover":"img/tray.png","description":{"en":"They smile"},
         "dependencies":["org.example.base"],"categories":["food"],"tags":["cup"],"stickers":[]}
        """#,
        "img/tray.png": "not really a picture", "01_smile.webp": "smile",
    ]

    func code(_ body: () throws -> some Any) -> ErrorCode? {
        do {
            _ = try body()
            return nil
        } catch {
            return (error as? any CodedError)?.code
        }
    }

    @Test
    func `a client sees the published information of a pack, and every referenced file matches its hash`() async throws
    {
        try workshop.add(workshop.pack("cups", Self.cups))
        let published = try workshop.store().publish()
        #expect(published.products == 1)
        #expect(published.changed)

        let item = try #require(try await workshop.catalogue()["org.example.cups"])
        #expect(item.defect == nil)
        #expect(item.productName.text(in: ["pt"]) == "Chávenas")
        #expect(item.version == Version("1.2.0"))
        #expect(item.kind == .sticker)
        #expect(item.productPrice.isFree)
        #expect(item.publisher == "Example")
        #expect(item.license == "CC-BY-4.0")
        #expect(item.locales == ["en", "pt"])
        #expect(item.dependencies == ["org.example.base"])
        #expect(item.categories == ["food"])
        #expect(item.publishedAt == workshop.time)

        for reference in [item.resource, item.entryTable, item.image, item.details] {
            let reference = try #require(reference)
            let data = try OpenFile.open(reference.url.path).readAll(limit: 1 << 20)
            #expect(data.count == reference.size)
            #expect(SHA256Digest(of: data) == reference.sha256)
        }
        let archive = try Archive(OpenFile.open(item.resource!.url.path))
        let table: EntryTable = try JSON.decode(
            from: OpenFile.open(item.entryTable!.url.path).readAll(limit: 1 << 20))
        #expect(try archive.entryTable() == table)
        #expect(Set(table.entries.map(\.path)) == Set(Self.cups.keys))
        let files = table.entries.map { Receipt.File(path: $0.path, size: $0.size, sha256: $0.sha256) }
        #expect(item.filesSHA256 == SHA256Digest(ofFiles: files))
        let details = try DetailsDocument.parse(
            OpenFile.open(item.details!.url.path).readAll(limit: 1 << 20), url: item.details!.url)
        #expect(details.info.text() == "They smile")
        #expect(details.image?.absoluteURL.standardizedFileURL.path == item.image?.url.standardizedFileURL.path)
        #expect(details.changes == nil)
    }

    @Test func `the details of a product say what its offered version changes`() async throws {
        let workshop = try Workshop()
        for (version, changes) in [("1.0.0", "First"), ("1.1.0", "New: a tray")] {
            let information = #"{"version":"\#(version)","changes":{"en":"\#(changes)"}}"#
            try workshop.add(workshop.pack("cups", ["pack.json": information, "a.png": "smile"]))
        }
        _ = try workshop.store().publish()
        let item = try #require(try await workshop.catalogue()["cups"])
        let reference = try #require(item.details)
        let details = try DetailsDocument.parse(
            OpenFile.open(reference.url.path).readAll(limit: 1 << 20), url: reference.url)
        #expect(details.changes?.text() == "New: a tray")
    }

    @Test
    func `without an information file the directory's name and the defaults apply`() async throws {
        try workshop.add(workshop.pack("my-cups", ["1.png": "x"]))
        _ = try workshop.store().publish()
        let item = try #require(try await workshop.catalogue()["my-cups"])
        #expect(item.productName == "my-cups")
        #expect(item.kind == .sticker)
        #expect(item.version == Version("1.0.0"))
        #expect(item.productPrice.isFree)
    }

    @Test
    func `options take precedence over the information file`() async throws {
        let options = AddOptions(
            productIdentifier: "..x", kind: .skin, name: "Mine", version: Version("3"), price: Price("2 EUR"))
        try workshop.add(workshop.pack("cups", Self.cups), options)
        _ = try workshop.store().publish()
        let item = try #require(try await workshop.catalogue()["..x"])
        #expect(item.productName == "Mine")
        #expect(item.kind == .skin)
        #expect(item.version == Version("3"))
        #expect(item.productPrice.amount == "2 EUR")
        #expect(try workshop.published().keys.allSatisfy { !$0.contains("..") })
    }

    @Test
    func `the same packs and time give the same bytes in any order of adding`() throws {
        let other = try Workshop()
        for (shop, names) in [(workshop, ["a", "b", "cups"]), (other, ["cups", "b", "a"])] {
            for name in names {
                try shop.add(shop.pack(name, name == "cups" ? Self.cups : ["\(name).png": name, "x/y.txt": "text"]))
            }
            _ = try shop.store().publish()
        }
        let (one, two) = (try workshop.published(), try other.published())
        #expect(one.count == 1 + 1 + 3 + 3 + 3 + 1)
        #expect(one == two)
    }

    @Test
    func `SOURCE_DATE_EPOCH is used, and an invalid value is refused`() throws {
        #expect(try PublicationTime.now(environment: ["SOURCE_DATE_EPOCH": "86400"]).timeIntervalSince1970 == 86400)
        for nonsense in ["", "today", "-1", "1.5", "999999999999999"] {
            #expect(code { try PublicationTime.now(environment: ["SOURCE_DATE_EPOCH": nonsense]) } == .badEpoch)
        }
        #expect(try PublicationTime.now(environment: [:]).timeIntervalSince1970 > 1_700_000_000)
    }

    @Test
    func `a price is visible after the next publication, and stays when a version is added`() async throws {
        try workshop.add(workshop.pack("cups", Self.cups))
        _ = try workshop.store().publish()
        try workshop.store().setPrice(Price("1.99 EUR"), of: "org.example.cups")
        #expect(try await workshop.catalogue()["org.example.cups"]?.productPrice.isFree == true)
        _ = try workshop.store().publish()
        #expect(try await workshop.catalogue()["org.example.cups"]?.productPrice.amount == "1.99 EUR")
        let options = AddOptions(productIdentifier: "org.example.cups", version: Version("2.0.0"))
        try workshop.add(workshop.pack("cups", ["a.png": "new"]), options)
        _ = try workshop.store().publish()
        let item = try await workshop.catalogue()["org.example.cups"]
        #expect(item?.productPrice.amount == "1.99 EUR")
        #expect(item?.productName.text() == "Cups")
        #expect(item?.version == Version("2.0.0"))
        #expect(code { try workshop.store().setPrice(.free, of: "nothing") } == .noProduct)
    }

    @Test
    func `a withdrawn product is listed without files, and is offered again when it is added`() async throws {
        let folder = try workshop.pack("cups", Self.cups)
        try workshop.add(folder)
        _ = try workshop.store().publish()
        try workshop.store().withdraw("org.example.cups")
        _ = try workshop.store().publish()
        var item = try await workshop.catalogue()["org.example.cups"]
        #expect(item?.withdrawn == true)
        #expect(item?.resource == nil)
        #expect(item?.defect == nil)
        #expect(try workshop.store().products()[0].publishedVersion == nil)
        _ = try workshop.store().publish()
        #expect(Set(try workshop.published().keys.map { $0.prefix { $0 != "/" } }) == ["catalogue.json", "catalogue"])

        #expect(try workshop.add(folder).change == .unchanged)
        _ = try workshop.store().publish()
        item = try await workshop.catalogue()["org.example.cups"]
        #expect(item?.withdrawn == false)
        #expect(item?.resource != nil)
        #expect(code { try workshop.store().withdraw("nothing") } == .noProduct)
    }

    @Test
    func `a version with other contents is refused, and with the same contents it is unchanged`() throws {
        try workshop.add(workshop.pack("cups", Self.cups))
        let before = try workshop.files(beneath: workshop.storePath)
        #expect(try workshop.add(workshop.path + "/cups").change == .unchanged)
        #expect(try workshop.files(beneath: workshop.storePath) == before)

        let changed = try workshop.pack("cups", Self.cups.merging(["01_smile.webp": "other"]) { $1 })
        #expect(code { try workshop.add(changed) } == .versionChanged)
        #expect(ErrorCode.versionChanged.exitCode == .refused)
        // The same version in another spelling.
        #expect(code { try workshop.add(changed, AddOptions(version: Version("1.2"))) } == .versionChanged)
        #expect(try workshop.add(changed, AddOptions(version: Version("1.2.1"))).change == .added)
        // A version of an earlier publication can't be replaced either.
        let third = try workshop.pack("cups", Self.cups.merging(["01_smile.webp": "third"]) { $1 })
        #expect(code { try workshop.add(third) } == .versionChanged)
    }

    @Test
    func `publishing compares versions with the published ones, even if the state was lost`() throws {
        try workshop.add(workshop.pack("cups", Self.cups))
        let state = try Directory.open(workshop.storePath).read("store.json")
        _ = try workshop.store().publish()
        // The state is lost, and the same version is built from other files.
        let fresh = try Workshop()
        try Directory.open(workshop.storePath).replace(
            "store.json", with: Directory.open(fresh.storePath).read("store.json"))
        try workshop.add(workshop.pack("cups", Self.cups.merging(["more.png": "more"]) { $1 }))
        let before = try workshop.published()
        #expect(code { try workshop.store().publish() } == .versionChanged)
        #expect(try workshop.published() == before)
        try Directory.open(workshop.storePath).replace("store.json", with: state)
        #expect(try workshop.store().publish().changed == false)
    }

    @Test
    func `the highest version is offered`() async throws {
        for version in ["1.10.0", "1.9.0"] {
            let folder = try workshop.pack("p", ["a.png": version])
            let change = try workshop.add(folder, AddOptions(version: Version(version))).change
            #expect(change == (version == "1.10.0" ? .added : .belowOffered(Version("1.10.0"))))
        }
        _ = try workshop.store().publish()
        #expect(try await workshop.catalogue()["p"]?.version?.text == "1.10.0")
    }

    @Test
    func `a refused directory does not prevent the others and leaves no files`() throws {
        let good = try workshop.pack("good", ["a.png": "x"])
        let empty = try workshop.pack("empty", [:])
        let information = try workshop.pack("information", ["pack.json": "{"])
        let cover = try workshop.pack("cover", ["pack.json": #"{"cover":"none.png"}"#])
        let climbing = try workshop.pack("climbing", ["pack.json": #"{"cover":"../good/a.png"}"#])
        let script = try workshop.pack("script", ["pack.json": #"{"cover":"a.html"}"#, "a.html": "x"])
        let linked = try workshop.pack("linked", ["a.png": "x"])
        try FileManager.default.createSymbolicLink(atPath: linked + "/b.png", withDestinationPath: "/etc/passwd")
        let folders = [empty, information, cover, climbing, script, linked, workshop.path + "/nothing", good]
        let outcomes = try workshop.store().add(folders, time: workshop.time)
        let codes = outcomes.map { outcome in
            if case .failure(let report) = outcome.result { report.code.rawValue } else { "" }
        }
        #expect(
            codes == [
                "archive.nothing-to-pack", "content.bad-information", "publish.bad-picture", "file.escapes",
                "publish.bad-picture", "archive.link", "publish.no-pack", "",
            ])
        #expect(try workshop.store().products().map(\.productIdentifier) == ["good"])
        _ = try workshop.store().publish()
        #expect(try workshop.files(beneath: workshop.storePath + "/objects").count == 4)
    }

    @Test
    func `nothing private is served, and an archive has no receipt`() throws {
        let folder = try workshop.pack("p", ["a.png": "x", ".receipt.json": "{}", ".hidden": "h"])
        #expect(try workshop.add(folder).leftOut == [".hidden"])
        #expect(try workshop.published().isEmpty)
        _ = try workshop.store().publish()
        let archive = try #require(try workshop.published().keys.first { $0.hasSuffix(".zip") })
        let entries = try Archive(OpenFile.open(workshop.publicPath + "/" + archive)).entries.map(\.path)
        #expect(entries == ["a.png"])
    }

    @Test
    func `a store can be renamed, which clients see after the next publication`() async throws {
        try workshop.add(workshop.pack("cups", Self.cups))
        _ = try workshop.store().publish()
        try workshop.store().setName("Other")
        #expect(try await workshop.catalogue().name == nil)
        #expect(try workshop.store().publish().changed)
        #expect(try await workshop.catalogue().name == "Other")
        #expect(try workshop.store().products().count == 1)
    }

    @Test
    func `a directory with other files is refused, and an existing store stays as it is`() throws {
        let other = try workshop.pack("other", ["a.txt": "x"])
        #expect(code { try Storehouse.create(at: other) } == .notEmpty)
        try workshop.add(workshop.pack("cups", Self.cups))
        #expect(try Storehouse.create(at: workshop.storePath) == false)
        #expect(try workshop.store().products().count == 1)
        #expect(code { try Storehouse(path: other) } == .noStore)
        #expect(code { try Storehouse(path: workshop.path + "/nothing") } == .noStore)
    }
}
