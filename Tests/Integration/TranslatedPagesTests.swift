import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// The pages of a real daemon in German and Arabic, with finished English texts of the daemon on them.
@Suite(.hangGuard) struct TranslatedPagesTests {
    private let home: TestHome
    private let store: TestStore
    private static let german = ["Accept-Language": "de", "Accept": "text/html"]

    /// Creates a store whose newer version of an installed pack needs more space than the limit of the library.
    init() async throws {
        home = try TestHome(settings: ["STORECTL_WEB_PORT": "0"])
        store = try await TestStore()
        try await add("1.0.0", size: 2000)
        try await store.publish()
        try await home.must("store", "add", "shop", "file://" + store.publicPath + "/", "--unsigned")
        try await home.must("install", "cats")
        try await add("2.0.0", size: 6800)
        try await store.publish()
        try await home.must("refresh")
        try await home.must("config", "set", "library.maximumSize", "4300")
    }

    private func add(_ version: String, size: Int) async throws {
        // The image is the only file, and the size of the pack on the disk.
        try await store.add("cats", version: version, files: ["a.png": TestStore.bytes(size, seed: UInt64(size))])
    }

    /// Returns the text of a page without its tags.
    private func text(of answer: WebClient.Answer) -> String {
        answer.body.replacing(/<[^>]*>/, with: "").replacing("&#39;", with: "'").replacing(/\s+/, with: " ")
    }

    @Test func `the warning of a plan is in the reader's language, with its sizes`() async throws {
        let client = try await WebClient.logIn(home)
        let warning =
            "die Bibliothek würde 6,8 kB enthalten, mehr als die Grenze von 4,3 kB (Einstellung library.maximumSize)"
        let plan = try await client.get("/updates?all=true", Self.german)
        #expect(text(of: plan).contains(warning), "\(plan)")
        #expect(plan.body.contains("<dd><bdi>6,8 kB</bdi></dd>"), "\(plan)")
        let english = "the library would hold 6.8 kB, more than the limit of 4.3 kB (setting library.maximumSize)"
        #expect(try await text(of: client.get("/updates?all=true")).contains(english))
        // The document of the interface is English in every language.
        let document = try await home.must("update", "--dry-run", "--json").json
        #expect(document["warnings"]?.elements == [.string(english)])
        let command = try await Programs.run(
            "storectl", ["update", "--dry-run"], environment: home.environment.merging(["LANG": "de_DE.UTF-8"]) { $1 })
        #expect(command.errors.contains(warning), "\(command)")
    }

    @Test func `the error of a download is on the pages, with its hint, in the reader's language`() async throws {
        let client = try await WebClient.logIn(home)
        #expect(try await client.post("/actions/updates", "packs=cats").status == 303)
        let error =
            "Mit 'cats' würde die Bibliothek 6,8 kB enthalten, mehr als die erlaubten 4,3 kB. "
            + "Pakete deinstallieren oder die Grenze mit 'storectl config set library.maximumSize SIZE' erhöhen."
        for path in ["/library", "/store", "/store/shop/cats"] {
            var page = ""
            while !page.contains(error) { page = try await text(of: client.get(path, Self.german)) }
        }
        let library = try await text(of: client.get("/library", Self.german))
        // It is beside the pack and in the history.
        #expect(library.ranges(of: error).count == 2, "\(library)")
        let english = "With 'cats' the library would hold 6.8 kB, more than the limit of 4.3 kB. Uninstall packs, or "
        #expect(try await text(of: client.get("/library")).contains(english))
        // A version that fits takes the place of the error.
        try await home.must("config", "set", "library.maximumSize", "20000")
        try await home.must("update")
        let page = try await text(of: client.get("/store/shop/cats", Self.german))
        #expect(!page.contains("würde die Bibliothek"), "\(page)")
    }

    @Test func `the pages of problems are in the reader's language, also where no session exists`() async throws {
        let client = try await WebClient.logIn(home)
        let refused = try await client.post("/actions/updates", "packs=none", Self.german)
        #expect(text(of: refused).contains("'none' ist nicht installiert"), "\(refused)")
        let stranger = WebClient(origin: client.origin)
        let login = try await stranger.get("/store", Self.german)
        #expect(login.status == 401 && !text(of: login).contains("the "), "\(login)")
    }

    @Test func `scripts get the daemon's texts in the reader's language, and documents stay English`() async throws {
        let client = try await WebClient.logIn(home)
        let problem = try await client.get("/v1/packs/none", ["Accept-Language": "de"])
        #expect(problem.body.contains("'none' is not installed"), "\(problem)")
        func translation(_ text: String, _ language: String) async throws -> WebClient.Answer {
            try await WebClient(origin: client.origin).get(
                "/assets/translation?text=" + PathSegment.encode(text), ["Accept-Language": language])
        }
        let german = try await translation("'none' is not installed", "de")
        #expect(german.status == 200 && german.body == "'none' ist nicht installiert", "\(german)")
        #expect(german.headers["vary"] == "Accept-Language" && german.headers["x-content-type-options"] == "nosniff")
        #expect(german.headers["content-type"] == "text/plain; charset=utf-8")
        #expect(try await translation("'none' is not installed", "nl").body == "'none' is not installed")
        for text in ["<b>not a text of the daemon</b>", "", String(repeating: "x ", count: 3000)] {
            #expect(try await translation(text, "de").body == text)
        }
    }
}
