import FoundationEssentials
import StoreAPI
import StoreModel
import StoreOpenAPI
import StoreTestSupport
import Testing

@testable import StoreServer

/// Compares the responses of the interface with its OpenAPI document.
@Suite struct OpenAPIConformanceTests {
    let home: APITestServer

    init() throws { home = try APITestServer() }

    private func addStore(_ client: ValidatingClient) async throws {
        let body = #"{"name":"shop","url":"file://\#(home.folder.path)/catalogue.json","unsigned":true}"#
        let answer = try await client.ask("POST", "/v1/stores", body: body)
        #expect(answer.status == 201)
    }

    private func install(_ identifier: String, _ client: ValidatingClient) async throws {
        let answer = try await client.ask(
            "POST", "/v1/downloads", body: #"{"productIdentifier":"\#(identifier)"}"#)
        #expect(answer.status == 202)
        #expect(
            try await eventually {
                let download: DownloadStatus = try await client.ask("GET", "/v1/downloads/:id", identifier).json()
                return download.state == .finished
            })
    }

    @Test func `the document has every route and no other`() async throws {
        try await home.serve { client in
            let answer = try await client.ask("GET", "/v1/openapi.json")
            guard case .object(let document) = try answer.json(JSONValue.self),
                case .object(let paths) = document["paths"]
            else { return #expect(Bool(false), "the document has no paths") }
            #expect(document["openapi"] == "3.1.0")
            var described: Set<String> = []
            for case (let path, .object(let item)) in paths {
                for method in item.keys { described.insert("\(method.uppercased()) \(path)") }
            }
            let registered = client.routes.filter { $0.method != .head }.map { "\($0.method.rawValue) \($0.template)" }
            #expect(described == Set(registered))
            #expect(Set(registered).count == registered.count)
            let names = client.routes.filter { $0.method != .head }.compactMap(\.endpoint?.name)
            #expect(Set(names).count == names.count)
            // Every schema is referred to, except that of the event stream, and every reference has a target.
            let text = answer.text
            guard case .object(let components) = document["components"],
                case .object(let schemas) = components["schemas"]
            else { return #expect(Bool(false), "the document has no components") }
            for name in schemas.keys where name != Event.schemaName {
                #expect(text.contains("\"#/components/schemas/\(name)\""), "\(name)")
            }
            for reference in text.split(separator: "\"#/components/schemas/").dropFirst() {
                #expect(schemas[String(reference.prefix { $0 != "\"" })] != nil, "\(reference.prefix(30))")
            }
        }
    }

    @Test func `the document has every code of a response, and the access that each operation needs`() async throws {
        try await home.serve { client in
            let document: JSONValue? = try await client.ask("GET", "/v1/openapi.json").json()
            let text = try #require(document).asWritten
            let declared = try #require(DocumentedErrorCodes.of("StoreServer")).keys.filter {
                $0.hasPrefix("request.") || $0.hasPrefix("web.")
            }
            #expect(declared.count > 15)
            // The daemon does not start with invalid tokens.
            for code in declared where code != "web.malformed-tokens" {
                #expect(text.contains("`\(code)`") || text.contains("\"\(code)\""), "\(code)")
            }
            func member(_ path: String...) -> JSONValue? {
                path.reduce(document) { value, name in
                    if case .object(let members)? = value { members[name] } else { nil }
                }
            }
            guard case .object(let schemes) = member("components", "securitySchemes") else {
                return #expect(Bool(false), "the document has no security schemes")
            }
            #expect(Set(schemes.keys) == ["token", "session"])
            func security(_ path: String, _ method: String) -> JSONValue? { member("paths", path, method, "security") }
            for (path, method, scope) in [
                ("/v1/packs", "get", "read"), ("/v1/downloads", "post", "install"), ("/v1/plans", "post", "read"),
                ("/v1/emoji-text", "post", "read"), ("/v1/sticker-text", "post", "read"),
                ("/v1/config/{key}", "put", "settings"),
            ] {
                let expected: JSONValue = [[:], ["session": [.string(scope)]], ["token": [.string(scope)]]]
                #expect(security(path, method) == expected, "\(path)")
            }
            #expect(security("/v1/web/tokens", "post") == [[:]])
        }
    }

    private func askForStickers(of product: String, _ client: ValidatingClient) async throws {
        let sticker = #"{"productIdentifier":"\#(product)","sticker":"01"}"#
        #expect(try await client.ask("POST", "/v1/stickers/sent", body: #"{"stickers":[\#(sticker)]}"#).status == 200)
        #expect(try await client.ask("PUT", "/v1/stickers/favourites/:id/:sticker", product, "01").status == 204)
        #expect(try await client.ask("PUT", "/v1/stickers/order", body: #"{"packs":["\#(product)"]}"#).status == 200)
        for list in ["recents", "frequent", "favourites", "order"] {
            #expect(try await client.ask("GET", "/v1/stickers/\(list)").status == 200, "\(list)")
        }
        #expect(try await client.ask("GET", "/v1/stickers/search", query: "?words=01&limit=5").status == 200)
        for query in ["", "?size=64&animated=true"] {
            // The thumbnail, or the image itself.
            let thumbnail = try await client.ask("GET", "/v1/packs/:id/thumbnails/**", product, "01.png", query: query)
            #expect(thumbnail.status == 200)
        }
        #expect(
            try await client.ask("GET", "/v1/packs/:id/thumbnails/**", product, "01.png", query: "?size=1").status
                == 400)
        try await client.ask("GET", "/v1/stickers/:id/sheet", product)
        let reference: StickerReferenceDocument = try await client.ask(
            "GET", "/v1/stickers/:id/:sticker/reference", product, "01"
        ).json()
        let query = "?reference=" + reference.reference
        #expect(try await client.ask("GET", "/v1/stickers/resolve", query: query).status == 200)
        let text = #"{"text":"Look: \#(reference.reference)."}"#
        let found: MessageTextDocument<StickerReferenceSpan> = try await client.ask(
            "POST", "/v1/sticker-text", body: text
        ).json()
        #expect(found.spans.map(\.reference.text) == [reference.reference] && found.spans.first?.start == 6)
        let body = #"{"reference":"\#(reference.reference)"}"#
        #expect(try await client.ask("POST", "/v1/stickers/resolve", body: body).status == 200)
        #expect(try await client.ask("POST", "/v1/stickers/resolve", body: #"{"reference":"x"}"#).status == 400)
        let none = SHA256Digest(of: []).hex
        #expect(try await client.ask("GET", "/v1/stickers/cached/:sha256", none).status == 404)
        #expect(try await client.ask("DELETE", "/v1/stickers/favourites/:id/:sticker", product, "01").status == 204)
        #expect(try await client.ask("DELETE", "/v1/stickers/recents/:id/:sticker", product, "01").status == 204)
        #expect(try await client.ask("DELETE", "/v1/stickers/recents").status == 204)
        #expect(try await client.ask("GET", "/v1/snapshot").status == 200)
    }

    @Test func `every response matches the document`() async throws {
        try home.addSkin()
        try await home.serve { client in
            try await client.ask("GET", "/v1/status")
            try await addStore(client)
            try await client.ask("GET", "/v1/stores")
            try await client.ask("GET", "/v1/stores/:name", "shop")
            try await client.ask("POST", "/v1/refresh", query: "?store=shop")
            let (a, b) = (APITestServer.products[0], APITestServer.products[1])
            try await client.ask("GET", "/v1/products", query: "?words=name+0&kind=sticker&free=true&sort=price")
            try await client.ask("GET", "/v1/products", query: "?named=\(a)")
            try await client.ask("GET", "/v1/products", query: "?store=shop")
            #expect(try await client.ask("GET", "/v1/categories", query: "?store=shop&cached=true").status == 200)
            try await client.ask("GET", "/v1/products/:store/:id", "shop", a)
            try await client.ask("GET", "/v1/products/:id", a)
            try await client.ask("GET", "/v1/packs", query: "?unneeded=true")
            let preview = try await client.ask("GET", "/v1/products/:store/:id/previews/:number", "shop", a, "0")
            #expect(preview.status == 200)
            try await install(a, client)
            try await install(b, client)
            let again = try await client.ask("POST", "/v1/downloads", body: #"{"productIdentifier":"\#(a)"}"#)
            #expect(again.status == 200)
            let several = #"{"productIdentifiers":["\#(a)","none"],"store":null,"priority":1}"#
            #expect(try await client.ask("POST", "/v1/installations", body: several).status == 202)
            for path in [
                "/v1/downloads", "/v1/packs", "/v1/snapshot", "/v1/updates", "/v1/stickers", "/v1/emoji", "/v1/config",
                "/v1/operations", "/v1/purchases",
            ] { #expect(try await client.ask("GET", path).status == 200) }
            for path in ["/v1/packs/:id", "/v1/stickers/:id", "/v1/downloads/:id"] {
                #expect(try await client.ask("GET", path, a).status == 200)
            }
            try await askForStickers(of: a, client)
            for request in [
                #"{"action":"install","products":[{"productIdentifier":"none"},{"file":"/none.zip"}]}"#,
                #"{"action":"install","products":[{"productIdentifier":"\#(APITestServer.products[2])","store":"shop"}]}"#,
                #"{"action":"update"}"#, #"{"action":"update","products":[{"productIdentifier":"\#(a)"}]}"#,
                #"{"action":"uninstall","products":[{"productIdentifier":"\#(a)"}],"use":"night"}"#,
            ] { #expect(try await client.ask("POST", "/v1/plans", body: request).status == 200, "\(request)") }
            #expect(try await client.ask("POST", "/v1/packs/:id/verify", a).status == 200)
            try await client.ask("POST", "/v1/packs/:id/repair", a)
            #expect(try await client.ask("PATCH", "/v1/packs/:id", a, body: #"{"held":true}"#).status == 200)
            let file = try await client.ask(
                "GET", "/v1/packs/:id/files/**", a, "01.png", headers: ["Range": "bytes=1-2"])
            #expect(file.status == 206)
            let behind = try await client.ask(
                "GET", "/v1/packs/:id/files/**", a, "01.png", headers: ["Range": "bytes=99999-"])
            #expect(behind.status == 416 && behind.headers["content-range"]?.hasPrefix("bytes */") == true)
            #expect(behind.text.contains("request.range"))
            #expect(try await client.ask("PUT", "/v1/purchases/:id", b).status == 200)
            try await client.ask("GET", "/v1/purchases")
            #expect(try await client.ask("DELETE", "/v1/purchases/:id", b).status == 204)
            #expect(try await client.ask("POST", "/v1/updates", body: "{}").status == 202)
            try await client.ask("POST", "/v1/updates", body: #"{"productIdentifiers":["\#(a)","none"]}"#)
            #expect(try await client.ask("PUT", "/v1/skin", body: #"{"identifier":"night"}"#).status == 200)
            for path in ["/v1/skins", "/v1/skin", "/v1/skin/css", "/v1/skin/page"] {
                #expect(try await client.ask("GET", path).status == 200)
            }
            for path in ["/v1/skins/:id", "/v1/skins/:id/css", "/v1/skins/:id/gtk", "/v1/skins/:id/picture"] {
                #expect(try await client.ask("GET", path, "night", query: "?idiom=phone").status == 200)
            }
            #expect(try await client.ask("GET", "/v1/skins/:id/page", "night").status == 200)
            let old = try await client.ask("GET", "/v1/skins/:id/picture", "night", query: "?version=0")
            #expect(old.status == 404)
            for (version, status) in [("1", 200), ("0", 404)] {
                let image = try await client.ask(
                    "GET", "/v1/skins/:id/files/**", "night", "assets/a.svg", query: "?version=\(version)")
                #expect(image.status == status)
            }
            #expect(try await client.ask("POST", "/v1/skins/:id/compile", "night").status == 200)
            #expect(
                try await client.ask("POST", "/v1/skin/check", body: #"{"folder":"\#(home.skin)"}"#).status == 200)
            #expect(try await client.ask("DELETE", "/v1/skin").status == 200)
            let set = try await client.ask(
                "PUT", "/v1/config/:key", "downloads.attempts", body: #"{"value":"7"}"#)
            #expect(set.status == 200)
            try await client.ask("GET", "/v1/config/:key", "downloads.attempts")
            let unset: SettingDocument = try await client.ask(
                "DELETE", "/v1/config/:key", "downloads.attempts"
            ).json()
            #expect(unset.value == "4" && unset.origin == "default")
            #expect(try await client.ask("DELETE", "/v1/packs/:id", b, query: "?agreed=none").status == 409)
            let plan: ChangePlan = try await client.ask(
                "POST", "/v1/plans", body: #"{"action":"uninstall","products":[{"productIdentifier":"\#(b)"}]}"#
            ).json()
            let step = try #require(plan.steps.first?.id)
            let removed: OperationRecord = try await client.ask(
                "DELETE", "/v1/packs/:id", b, query: "?agreed=\(step)"
            ).json()
            try await client.ask("GET", "/v1/operations/:operation", removed.operation.rawValue)
            #expect(try await client.ask("DELETE", "/v1/stores/:name", "shop").status == 204)
            #expect(try await client.ask("POST", "/v1/shutdown").status == 202)
        }
    }

    @Test func `every error response matches the document`() async throws {
        try await home.serve { client in
            try await addStore(client)
            let expected: [(status: Int, method: String, path: String, part: String, body: String?)] = [
                (404, "GET", "/v1/stores/:name", "none", nil), (404, "DELETE", "/v1/stores/:name", "none", nil),
                (404, "GET", "/v1/products/:id", "none", nil), (404, "GET", "/v1/downloads/:id", "none", nil),
                (404, "DELETE", "/v1/downloads/:id", "none", nil),
                (404, "PATCH", "/v1/downloads/:id", "none", #"{"paused":true}"#),
                (404, "POST", "/v1/downloads", "", #"{"productIdentifier":"none"}"#),
                (404, "POST", "/v1/downloads", "", #"{"productIdentifier":"","file":"/none.zip"}"#),
                (402, "POST", "/v1/downloads", "", #"{"productIdentifier":"\#(APITestServer.priced)"}"#),
                (
                    409, "POST", "/v1/downloads", "",
                    #"{"productIdentifier":"\#(APITestServer.products[0])","agreed":[]}"#
                ),
                (400, "POST", "/v1/plans", "", #"{"action":"install"}"#),
                (400, "POST", "/v1/plans", "", #"{"action":"install","products":[{"store":"shop"}]}"#),
                (400, "POST", "/v1/plans", "", #"{"action":"update","products":[{"file":"/a.zip"}]}"#),
                (400, "POST", "/v1/plans", "", #"{"action":"update","use":"night"}"#),
                (404, "GET", "/v1/packs/:id", "none", nil), (404, "DELETE", "/v1/packs/:id", "none", nil),
                (404, "PATCH", "/v1/packs/:id", "none", #"{"held":false}"#),
                (404, "POST", "/v1/packs/:id/rollback", "none", nil),
                (404, "POST", "/v1/packs/:id/verify", "none", nil), (404, "POST", "/v1/packs/:id/repair", "none", nil),
                (404, "GET", "/v1/stickers/:id", "none", nil), (404, "GET", "/v1/emoji/:id", "none", nil),
                (404, "GET", "/v1/emoji/:id/categories", "none", nil),
                (404, "GET", "/v1/emoji/:id/search", "none", nil),
                (404, "PUT", "/v1/emoji-set", "", #"{"identifier":"none"}"#),
                (404, "GET", "/v1/operations/:operation", "none", nil),
                (404, "GET", "/v1/skins/:id", "none", nil), (404, "GET", "/v1/skins/:id/css", "none", nil),
                (404, "GET", "/v1/skins/:id/picture", "none", nil), (404, "GET", "/v1/skins/:id/page", "none", nil),
                (404, "GET", "/v1/skins/:id/gtk", "none", nil), (404, "POST", "/v1/skins/:id/compile", "none", nil),
                (404, "PUT", "/v1/skin", "", #"{"identifier":"none"}"#), (404, "GET", "/v1/skin/css", "", nil),
                (422, "POST", "/v1/skin/check", "", #"{"folder":"\#(home.folder.path)"}"#),
                (404, "POST", "/v1/skin/check", "", #"{"folder":"00"}"#),
                (404, "POST", "/v1/skin/check", "", #"{"folder":"/nowhere/at/all"}"#),
                (404, "DELETE", "/v1/purchases/:id", "none", nil), (400, "GET", "/v1/config/:key", "none", nil),
                (400, "PUT", "/v1/config/:key", "downloads.attempts", #"{"value":"many"}"#),
                (400, "DELETE", "/v1/config/:key", "none", nil),
                (400, "POST", "/v1/stores", "", #"{"name":"a/b","url":"http://127.0.0.1/"}"#),
                (400, "POST", "/v1/stores", "", #"{"name":"a","url":"mailto:a"}"#),
                (409, "POST", "/v1/stores", "", #"{"name":"shop","url":"http://127.0.0.1:1/"}"#),
                (502, "POST", "/v1/stores", "", #"{"name":"a","url":"file:///none/","unsigned":true}"#),
            ]
            for one in expected {
                let answer = try await client.ask(one.method, one.path, one.part, body: one.body)
                #expect(answer.status == one.status, "\(one) \(answer.text)")
            }
            for path in ["/v1/products", "/v1/categories"] {
                #expect(try await client.ask("GET", path, query: "?store=none").status == 404)
            }
            let picture = try await client.ask(
                "GET", "/v1/products/:store/:id/previews/:number", "shop", APITestServer.products[0], "9")
            #expect(picture.status == 404)
        }
    }
}
