import FoundationEssentials
import StoreAPI
import StoreModel
import StoreOpenAPI
import Testing

@testable import StoreServer

/// Tests that invalid parameters and bodies are refused with a message that names them.
@Suite struct RequestValidationTests {
    let home: APITestServer

    init() throws { home = try APITestServer() }

    @Test func `every query parameter is validated`() async throws {
        try await home.serve { client in
            var checked = 0
            for route in client.routes where route.method == .get && !route.segments.contains("**") {
                let path = "/" + route.segments.map { $0.hasPrefix(":") ? "1" : String($0) }.joined(separator: "/")
                let unknown = try await client.client.get(path + "?nonsense=1")
                #expect(unknown.status == 400, "\(path)")
                #expect(unknown.text.contains("'nonsense'"), "\(unknown.text)")
                for parameter in route.parameters where parameter.location == .query {
                    let wrong: [String] =
                        switch parameter.schema.shape {
                        case .integer(let range):
                            ["x", "", "1.5", "0x1"] + (range.lowerBound == .min ? [] : ["\(range.lowerBound - 1)"])
                        case .boolean, .enumeration: ["x", "", "True"]
                        case .string(_, let allowsEmpty): allowsEmpty ? [] : [""]
                        default: []
                        }
                    for value in wrong {
                        let answer = try await client.client.get("\(path)?\(parameter.name)=\(value)")
                        #expect(answer.status == 400, "\(path)?\(parameter.name)=\(value)")
                        #expect(answer.text.contains("'\(parameter.name)'"), "\(answer.text)")
                    }
                    let twice = try await client.client.get("\(path)?\(parameter.name)=1&\(parameter.name)=1")
                    #expect(
                        twice.status == 400 && twice.text.contains("'\(parameter.name)'"), "\(path) \(parameter.name)")
                    checked += 1
                }
            }
            #expect(checked >= 20)
        }
    }

    @Test(arguments: [
        ("/v1/status", 200), ("/v1/packs/none", 404), ("/v1/nothing", 404), ("/v1/downloads?limit=x", 400),
        ("/v1/shutdown", 405),
    ])
    func `no response to HEAD has a body`(path: String, status: Int) async throws {
        try await home.serve { client in
            let connection = try client.client.open()
            try await connection.writeApart("HEAD \(path) HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n")
            let response = String(decoding: try await connection.readToEnd(), as: UTF8.self)
            #expect(response.hasPrefix("HTTP/1.1 \(status) ") && response.hasSuffix("\r\n\r\n"), "\(response)")
        }
    }

    @Test(arguments: ["-1", "x", "1.0", "99999999999999999999"])
    func `the number of a preview is validated`(number: String) async throws {
        try await home.serve { client in
            let answer = try await client.ask("GET", "/v1/products/:store/:id/previews/:number", "a", "b", number)
            #expect(answer.status == 400 && answer.text.contains("'number'"), "\(answer.text)")
        }
    }

    @Test func `every body is validated`() async throws {
        try await home.serve { client in
            var checked = 0
            for route in client.routes {
                guard let reference = route.endpoint?.body else { continue }
                checked += 1
                let members = reference.schema.properties
                let path =
                    "/"
                    + route.segments.map { $0.hasPrefix(":") ? "downloads.attempts" : String($0) }
                    .joined(separator: "/")
                func send(_ body: JSONValue) async throws -> TestClient.Answer? {
                    try await client.client.send(route.method.rawValue, path, body: body.asWritten)
                }
                for member in members {
                    // No property of a request has a value of this type.
                    let answer = try await send([member.name: ["a": ["b": 1]]] as JSONValue)
                    #expect(answer?.status == 400, "\(path) \(member.name)")
                    #expect(answer?.text.contains("request.malformed") == true)
                }
                let complete = try #require(
                    DocumentSamples.complete.first { $0.type.schemaName == reference.name })
                guard case .object(var sample) = try complete.json else {
                    Issue.record("\(reference.name) is not an object")
                    continue
                }
                for member in members {
                    var wrong = sample
                    wrong[member.name] = ["a": ["b": 1]]
                    let answer = try await send(.object(wrong))
                    #expect(answer?.status == 400 && answer?.text.contains("'\(member.name)") == true, "\(member.name)")
                }
                sample["nonsense"] = 1
                let unknown = try await send(.object(sample))
                #expect(unknown?.status == 400 && unknown?.text.contains("'nonsense'") == true, "\(path)")
            }
            #expect(checked >= 15)
        }
    }

    @Test(arguments: [
        #"{"productIdentifier":"a","consent":[],"consent":["code"]}"#,
        #"{"productIdentifier":"a","consent":[],"consen\u0074":["code"]}"#,
    ])
    func `a body in which a member occurs twice is refused`(body: String) async throws {
        try await home.serve { client in
            let answer = try await client.ask("POST", "/v1/downloads", body: body)
            #expect(answer.status == 400 && answer.text.contains("'consent' occurs twice"))
        }
    }

    @Test func `a form over the size limit is refused`() async throws {
        try await home.serve { client in
            let answer = try await client.client.send(
                "POST", "/actions/tokens", headers: ["Content-Type": "application/x-www-form-urlencoded"],
                body: String(repeating: "a", count: APIRequest.maximumBodySize + 1))
            #expect(answer?.status == 413, "\(answer?.text ?? "no response")")
        }
    }

    @Test(arguments: [
        "text/plain", "application/x-www-form-urlencoded", "application/jsonp", "",
        "application/json; charset=latin1", "application/json;charset=UTF-16",
    ])
    func `a body of another media type is refused`(type: String) async throws {
        try await home.serve { client in
            let answer = try await client.ask(
                "POST", "/v1/downloads", headers: ["Content-Type": type], body: #"{"productIdentifier":"a"}"#)
            #expect(answer.status == 415 && answer.text.contains("request.media-type"))
        }
    }

    @Test(arguments: [
        "application/json", "Application/JSON; charset=utf-8", "application/json ;charset=utf-8",
        #"application/json; charset="UTF-8""#,
    ])
    func `a body declared as JSON is accepted`(type: String) async throws {
        try await home.serve { client in
            let answer = try await client.ask(
                "POST", "/v1/downloads", headers: ["Content-Type": type], body: #"{"productIdentifier":"none"}"#)
            #expect(answer.status == 404)
        }
    }

    @Test(arguments: [
        ("POST", "/v1/downloads", #"{"productIdentifier":"a"}"#), ("PUT", "/v1/purchases/a", "{}"),
    ])
    func `a body without a media type is refused`(method: String, path: String, body: String) async throws {
        try await home.serve { client in
            let answer = try await client.client.send(method, path, body: body, declaresBody: false)
            #expect(answer?.status == 415 && answer?.text.contains("request.media-type") == true)
        }
    }

    @Test(arguments: [
        ["Origin": "https://other.example"], ["Origin": "null"], ["Origin": "http://test:81"],
        ["Origin": "http://other@test"], ["Sec-Fetch-Site": "cross-site"], ["Sec-Fetch-Site": "same-site"],
        ["Sec-Fetch-Site": "cross-site", "Origin": "http://test"],
    ])
    func `a change that a web page of another origin asks for is refused`(headers: [String: String]) async throws {
        try await home.serve { client in
            for (method, path) in [
                ("PUT", "/v1/purchases/:id"), ("DELETE", "/v1/purchases/:id"), ("POST", "/v1/packs/:id/rollback"),
            ] {
                let answer = try await client.ask(method, path, "a", headers: headers)
                #expect(answer.status == 403 && answer.text.contains("request.cross-origin"), "\(method) \(path)")
            }
            let purchases = try await client.ask("GET", "/v1/purchases")
            #expect(purchases.status == 200 && !purchases.text.contains("productIdentifier"))
        }
    }

    @Test(arguments: [
        [:], ["Origin": "http://test"], ["Origin": "https://TEST"], ["Sec-Fetch-Site": "same-origin"],
        ["Sec-Fetch-Site": "none"], ["Sec-Fetch-Site": "same-origin", "Origin": "https://shown.example"],
    ])
    func `a change that a page of the same origin asks for is made`(headers: [String: String]) async throws {
        try await home.serve { client in
            let answer = try await client.ask("PUT", "/v1/purchases/:id", "a", headers: headers)
            #expect(answer.status == 200)
        }
    }

    @Test func `the hint of an error response names requests, and that of the command line its commands`() async throws
    {
        try await home.serve { client in
            let body = #"{"productIdentifier":"\#(APITestServer.priced)"}"#
            let address = "file://\(home.folder.path)/catalogue.json"
            try await client.ask(
                "POST", "/v1/stores", body: #"{"name":"shop","url":"\#(address)","unsigned":true}"#)
            let problem: ProblemDocument = try await client.ask("POST", "/v1/downloads", body: body).json()
            #expect(problem.hint == "record the purchase with 'PUT /v1/purchases/\(APITestServer.priced)'")
            let command = "record the purchase with 'storectl purchases grant \(APITestServer.priced)'"
            #expect(problem.commandLineHint == command && problem.report.hint == command)
        }
    }

    @Test func `an empty identifier of a product to install is refused`() async throws {
        try await home.serve { client in
            let answer = try await client.ask("POST", "/v1/downloads", body: #"{"productIdentifier":""}"#)
            #expect(answer.status == 400 && answer.text.contains("'productIdentifier' must not be empty"))
        }
    }

    @Test(arguments: [
        ("GET", "/v1/stickers/resolve", "", "reference"), ("DELETE", "/v1/sticker-targets", "", "format"),
        ("DELETE", "/v1/sticker-targets", "?format=kde", "directory"),
    ])
    func `a missing parameter is named as missing`(
        method: String, path: String, query: String, name: String
    ) async throws {
        try await home.serve { client in
            let answer = try #require(try await client.client.send(method, path + query))
            #expect(answer.status == 400 && answer.text.contains(#""request.malformed""#), "\(answer.text)")
            #expect(answer.text.contains("parameter '\(name)' is missing"), "\(answer.text)")
        }
    }

    @Test func `an unknown parameter is answered with all known ones`() async throws {
        try await home.serve { client in
            let answer = try await client.ask("GET", "/v1/products", query: "?q=cups")
            let names = try #require(client.routes.first { $0.path == "/v1/products" }).parameters
                .filter { $0.location == .query }.map { "'\($0.name)'" }.joined(separator: ", ")
            #expect(names.utf8.count > 80 && answer.text.contains("the known ones are \(names)\""), "\(answer.text)")
        }
    }

    @Test func `words are searched for by the same parameter everywhere`() async throws {
        try await home.serve { client in
            let searches = client.routes.filter { route in
                route.method == .get && (route.path == "/v1/products" || route.path.hasSuffix("/search"))
            }
            #expect(searches.count == 3)
            for route in searches {
                #expect(route.parameters.contains { $0.name == "words" }, "\(route.path)")
            }
        }
    }

    @Test func `a cursor that no event has had yet has expired, and the message says why`() async throws {
        try await home.serve { client in
            let answer = try await client.ask("GET", "/v1/events", query: "?after=9000000000000000")
            #expect(answer.status == 410 && answer.text.contains("no event has the number 9000000000000000 yet"))
        }
    }

    @Test func `a page of another origin may send requests that change nothing`() async throws {
        try await home.serve { client in
            let answer = try await client.ask("GET", "/v1/status", headers: ["Origin": "https://other.example"])
            #expect(answer.status == 200)
        }
    }

    @Test func `an endpoint without a body refuses one`() async throws {
        try await home.serve { client in
            #expect(try await client.ask("PUT", "/v1/purchases/:id", "a", body: "{}").status == 200)
            let answer = try await client.ask("PUT", "/v1/purchases/:id", "a", body: #"{"grantedAt":1}"#)
            #expect(answer.status == 400 && answer.text.contains("must not have a body"))
        }
    }

    @Test(arguments: [
        ("BREW / HTTP/1.1\r\nHost: test\r\n\r\n", 501, "request.unknown-method"),
        ("GET / HTTP/1.1\r\nHost: test\r\nno colon\r\n\r\n", 400, "request.malformed"),
        (
            "GET / HTTP/1.1\r\nHost: test\r\nX: " + String(repeating: "x", count: 90_000) + "\r\n\r\n", 431,
            "request.headers-too-large"
        ),
    ])
    func `the response to a request that can't be parsed is a problem document`(
        request: String, status: Int, code: String
    ) async throws {
        try await home.serve { client in
            let connection = try client.client.open()
            try await connection.writeApart(request)
            let response = try await connection.read(until: "}")
            #expect(
                response.hasPrefix("HTTP/1.1 \(status) ") && response.contains(#""code":"\#(code)""#), "\(response)")
            #expect(response.lowercased().contains("content-type: application/problem+json"), "\(response)")
        }
    }

    @Test(arguments: ["OPTIONS", "TRACE", "DELETE", "POST"])
    func `an unsupported method is refused with the list of allowed ones`(method: String) async throws {
        try await home.serve { client in
            let answer = try #require(await client.client.send(method, "/v1/packs/a%2Fb/files/x/y"))
            #expect(answer.status == 405)
            #expect(answer.headers["allow"] == "GET, HEAD")
            let other = try #require(await client.client.send(method, "/v1/packs/a/nothing"))
            #expect(other.status == 404)
        }
    }
}
