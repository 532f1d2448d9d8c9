import FoundationEssentials
import Glibc
import StoreAPI
import StoreModel
import StoreTestSupport
import Testing

@testable import StoreServer

@Suite struct StaticFileServerTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func serve(_ body: @escaping @Sendable (TestClient) async throws -> Void) async throws {
        let site = StaticFileServer(directory: folder.path + "/public", port: 0)
        let (ready, continuation) = AsyncStream.makeStream(of: URL.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await site.run { continuation.yield($0) } }
            group.addTask {
                for await url in ready { return try await body(TestClient(port: url.port!)) }
            }
            try await group.next()
            group.cancelAll()
        }
    }

    @Test func `a file is served with type, length, tag and time`() async throws {
        try folder.directory.put("public/sub/catalogue.json", #"{"a":1}"#)
        try await serve { client in
            let answer = try await client.get("/sub/catalogue.json")
            #expect(answer.status == 200)
            #expect(answer.text == #"{"a":1}"#)
            #expect(answer.headers["content-type"] == "application/json")
            #expect(answer.headers["content-length"] == "7")
            #expect(answer.headers["accept-ranges"] == "bytes")
            #expect(answer.headers["etag"]?.hasPrefix("\"") == true)
            #expect(answer.headers["last-modified"]?.hasSuffix(" GMT") == true)
        }
    }

    @Test func `unchanged content is not sent again`() async throws {
        try folder.directory.put("public/a.zip", "bytes")
        try await serve { client in
            let first = try await client.get("/a.zip")
            let tag = try #require(first.headers["etag"])
            let time = try #require(first.headers["last-modified"])
            for headers in [
                ["If-None-Match": tag], ["If-None-Match": "\"other\", W/\(tag)"], ["If-None-Match": "*"],
                ["If-Modified-Since": time],
            ] {
                let again = try await client.get("/a.zip", headers: headers)
                #expect(again.status == 304, "\(headers)")
                #expect(again.body.isEmpty)
                #expect(again.headers["etag"] == tag)
            }
            #expect(try await client.get("/a.zip", headers: ["If-None-Match": "\"other\""]).status == 200)
            // The entity tag takes precedence over the time.
            let both = ["If-None-Match": "\"other\"", "If-Modified-Since": time]
            #expect(try await client.get("/a.zip", headers: both).status == 200)
        }
    }

    @Test func `a range is served if the file is unchanged`() async throws {
        try folder.directory.put("public/a.zip", "0123456789")
        try await serve { client in
            let part = try await client.get("/a.zip", headers: ["Range": "bytes=2-5"])
            #expect(part.status == 206)
            #expect(part.text == "2345")
            #expect(part.headers["content-range"] == "bytes 2-5/10")
            let tag = try #require(part.headers["etag"])
            let same = try await client.get("/a.zip", headers: ["Range": "bytes=-2", "If-Range": tag])
            #expect(same.text == "89")
            let other = try await client.get("/a.zip", headers: ["Range": "bytes=-2", "If-Range": "\"other\""])
            #expect(other.status == 200)
            #expect(other.text == "0123456789")
            let behind = try await client.get("/a.zip", headers: ["Range": "bytes=10-"])
            #expect(behind.status == 416)
            #expect(behind.headers["content-range"] == "bytes */10")
            let head = try await client.send("HEAD", "/a.zip", headers: ["Range": "bytes=2-5"])
            #expect(head?.status == 200 && head?.headers["content-length"] == "10")
        }
    }

    @Test func `a large file is served completely`() async throws {
        let text = String(repeating: "0123456789abcdef", count: 100_000)
        try folder.directory.put("public/large.bin", text)
        try await serve { client in
            #expect(try await client.get("/large.bin").text == text)
            let part = try await client.get("/large.bin", headers: ["Range": "bytes=300001-1300000"])
            #expect(part.body.count == 1_000_000)
            #expect(part.text.hasPrefix("123456789abcdef0"))
        }
    }

    @Test func `an empty file is served`() async throws {
        try folder.directory.put("public/empty", "")
        try await serve { client in
            let answer = try await client.get("/empty")
            #expect(answer.status == 200)
            #expect(answer.headers["content-length"] == "0")
        }
    }

    @Test func `the response to HEAD has no body`() async throws {
        try folder.directory.put("public/a.txt", "12345")
        try await serve { client in
            let answer = try await client.send("HEAD", "/a.txt")
            #expect(answer?.status == 200)
            #expect(answer?.headers["content-length"] == "5")
            #expect(answer?.body.isEmpty == true)
        }
    }

    @Test(arguments: [
        "/../secret", "/%2e%2e/secret", "/..%2Fsecret", "/sub/../../secret", "/link", "/linked/secret", "/sub", "/",
        "/nothing",
        "/a.txt/", "/a%00.txt", "/%zz",
    ])
    func `no file outside the directory is served`(path: String) async throws {
        try folder.directory.put("secret", "secret")
        try folder.directory.put("public/sub/inside", "inside")
        symlink("../secret", folder.path + "/public/link")
        symlink("..", folder.path + "/public/linked")
        try await serve { client in
            let answer = try await client.get(path)
            #expect([404, 400].contains(answer.status))
            #expect(!answer.text.contains("secret\n") && answer.text != "secret")
            #expect(answer.headers["content-type"] == "application/problem+json")
        }
    }

    @Test func `a missing file has a code of its own`() async throws {
        try folder.directory.put("public/a.txt", "1")
        try await serve { client in
            let problem: ProblemDocument = try await client.get("/nothing").json()
            #expect((problem.status, problem.code, problem.title) == (404, "request.file", "Not Found"))
        }
    }

    @Test func `an escaped file name is decoded once`() async throws {
        try folder.directory.put("public/a%20b é.txt", "odd")
        try await serve { client in
            let answer = try await client.get("/a%2520b%20%C3%A9.txt")
            #expect(answer.text == "odd")
        }
    }

    @Test func `methods other than GET and HEAD are refused`() async throws {
        try folder.directory.put("public/a.txt", "1")
        try await serve { client in
            let answer = try await client.send("PUT", "/a.txt", body: "2")
            #expect(answer?.status == 405)
            #expect(answer?.headers["allow"] == "GET, HEAD")
        }
    }

    @Test func `a port in use is an error that names it`() async throws {
        try folder.directory.put("public/a.txt", "1")
        let path = folder.path + "/public"
        try await serve { client in
            let port = client.portNumber
            let error = await #expect(throws: StoreError.self) {
                try await StaticFileServer(directory: path, port: port).run { _ in }
            }
            #expect(error?.code == .siteAddress)
            #expect(error?.message.contains("\(port)") == true)
        }
    }

    @Test func `dates are in the format of the RFC`() {
        #expect(Date(timeIntervalSince1970: 784_111_777).httpFormatted == "Sun, 06 Nov 1994 08:49:37 GMT")
        // The modification time of a file may be any.
        for seconds in [0x1p63, -0x1p63, .infinity, 1e300] {
            let date = Date(timeIntervalSince1970: seconds)
            #expect(date.httpFormatted.hasSuffix(" GMT") && !date.localFormatted("%Y").isEmpty)
        }
    }
}
