import FoundationEssentials
import StoreAPI
import StoreModel
import StoreTestSupport
import Testing

@testable import StoreServer

/// Tests conditional requests and pages.
@Suite struct ConditionalRequestTests {
    let home: APITestServer

    init() throws { home = try APITestServer() }

    private func addStore(_ client: ValidatingClient) async throws {
        let body = #"{"name":"shop","url":"file://\#(home.folder.path)/catalogue.json","unsigned":true}"#
        #expect(try await client.ask("POST", "/v1/stores", body: body).status == 201)
    }

    @Test(arguments: [
        "/v1/packs", "/v1/downloads", "/v1/products", "/v1/stickers", "/v1/emoji", "/v1/stores", "/v1/snapshot",
        "/v1/openapi.json",
        "/v1/purchases", "/v1/config", "/v1/operations",
    ])
    func `unchanged content is not sent again`(path: String) async throws {
        try await home.serve { client in
            try await addStore(client)
            let first = try await client.ask("GET", path)
            let tag = try #require(first.headers["etag"])
            #expect(tag.hasPrefix("\""))
            for known in [tag, "\"other\", \(tag)", "W/\(tag)", "*"] {
                let again = try await client.ask("GET", path, headers: ["If-None-Match": known])
                #expect(again.status == 304)
                #expect(again.headers["etag"] == tag)
            }
            #expect(try await client.ask("GET", path, headers: ["If-None-Match": "\"other\""]).text == first.text)
            let head = try #require(await client.client.send("HEAD", path))
            #expect(head.headers["etag"] == tag)
        }
    }

    @Test func `a change or another language changes the entity tag`() async throws {
        try home.folder.directory.put("home/data/packs/one.stickers/pack.json", #"{"name":{"en":"One","pt":"Um"}}"#)
        try await home.serve { client in
            let first = try await client.ask("GET", "/v1/packs", headers: ["Accept-Language": "en"])
            #expect(first.headers["vary"] == "Accept-Language")
            let tag = try #require(first.headers["etag"])
            let other = try await client.ask(
                "GET", "/v1/packs", headers: ["Accept-Language": "pt", "If-None-Match": tag])
            #expect(other.status == 200 && other.headers["etag"] != tag)
            let before = try #require(try await client.ask("GET", "/v1/purchases").headers["etag"])
            try await client.ask("PUT", "/v1/purchases/:id", "a")
            let after = try await client.ask("GET", "/v1/purchases", headers: ["If-None-Match": before])
            #expect(after.status == 200 && after.headers["etag"] != before)
        }
    }

    @Test(arguments: ["name", "newest", "popular", "price"], [1, 2, 4])
    func `the pages of a list make up the whole list`(sort: String, limit: Int) async throws {
        try await home.serve { client in
            try await addStore(client)
            let whole: ProductList = try await client.ask("GET", "/v1/products", query: "?sort=\(sort)").json()
            #expect(whole.products.count == 6 && whole.next == nil)
            var found: [String] = []
            var next: String? = ""
            while let after = next {
                let query = "?sort=\(sort)&limit=\(limit)" + (after.isEmpty ? "" : "&after=\(after)")
                let piece: ProductList = try await client.ask("GET", "/v1/products", query: query).json()
                #expect(piece.products.count <= limit)
                found += piece.products.map(\.productIdentifier)
                next = piece.next
            }
            #expect(found == whole.products.map(\.productIdentifier))
        }
    }

    @Test func `pages neither repeat nor skip elements while the list changes`() async throws {
        for name in ["b", "d", "f", "h"] {
            try home.folder.directory.put("home/data/packs/\(name).stickers/01.png", "x")
        }
        try await home.serve { client in
            func piece(_ query: String) async throws -> PackList {
                try await client.ask("GET", "/v1/packs", query: query).json()
            }
            let names = try await piece("").packs.map(\.name)
            #expect(names.count == 4)
            let first = try await piece("?limit=2")
            #expect(first.packs.map(\.name) == Array(names[..<2]))
            // The last pack of the page is removed, and others are added before and after it.
            try FileManager.default.removeItem(atPath: home.folder.path + "/home/data/packs/d.stickers")
            for name in ["a", "e"] { try home.folder.directory.put("home/data/packs/\(name).stickers/01.png", "x") }
            #expect(
                try await eventually {
                    let rest = try await piece("?limit=9&after=\(try #require(first.next))")
                    return rest.packs.map { $0.path.split(separator: "/").last ?? "" }
                        == ["e.stickers", "f.stickers", "h.stickers"] && rest.next == nil
                })
        }
    }

    @Test func `the history is paginated`() async throws {
        try await home.serve { client in
            try await addStore(client)
            for identifier in APITestServer.products {
                try await client.ask("POST", "/v1/downloads", body: #"{"productIdentifier":"\#(identifier)"}"#)
            }
            let whole: OperationList = try await client.ask("GET", "/v1/operations").json()
            #expect(whole.operations.count == 5)
            var found: [OperationID] = []
            var next: String? = ""
            while let after = next {
                let query = "?limit=2" + (after.isEmpty ? "" : "&after=\(after)")
                let piece: OperationList = try await client.ask("GET", "/v1/operations", query: query).json()
                found += piece.operations.map(\.operation)
                next = piece.next
            }
            #expect(found == whole.operations.map(\.operation))
            let downloads: DownloadList = try await client.ask("GET", "/v1/downloads", query: "?limit=3").json()
            let rest: DownloadList = try await client.ask(
                "GET", "/v1/downloads", query: "?after=\(try #require(downloads.next))"
            ).json()
            #expect(
                (downloads.downloads + rest.downloads).map(\.operation.rawValue)
                    == whole.operations.map(\.operation.rawValue).sorted())
        }
    }

    @Test(arguments: ["/v1/products", "/v1/packs", "/v1/downloads", "/v1/operations"])
    func `an invalid page token is refused`(path: String) async throws {
        try await home.serve { client in
            let answer = try await client.ask("GET", path, query: "?after=nonsense")
            #expect(answer.status == 400 && answer.text.contains("'after'"))
        }
    }
}
