import Foundation
import StoreImages
import StoreModel
import StoreTestSupport
import Testing

/// Thumbnails and contact sheets through the API and the command, with the real programs.
@Suite(.hangGuard) struct ThumbnailTests {
    private let home: TestHome
    private let server: NginxServer
    private let store: TestStore

    private static let pack = "org.example.moving"

    /// Installs a pack with two images that can be decoded, one that can't be, and one that needs no thumbnail.
    init() async throws {
        store = try await TestStore()
        try await store.add(
            Self.pack, version: "1.0.0",
            files: [
                "1.webp": try TestFiles.data("Packs/faces/01-smile.webp"),
                "2.gif": try TestFiles.data("Images/spin.gif"),
                "3.png": Data(ImageForge.png(20, 20)), "4.svg": Data(ImageForge.svg()),
                "VERSION": Data("1".utf8),
            ])
        try await store.publish()
        server = try await NginxServer(serving: store.publicPath)
        home = try TestHome()
        try await home.must("store", "add", "shop", server.url, "--unsigned")
        try await home.must("install", Self.pack)
    }

    private func stickers() async throws -> [String: JSONValue] {
        let shown = try await home.must("stickers", "show", Self.pack, "--json").json
        let stickers = shown["stickers"]?.elements ?? []
        return Dictionary(uniqueKeysWithValues: stickers.map { ($0["file"].text ?? "", $0) })
    }

    /// A response of the daemon.
    private struct Answer {
        let status: Int
        let headers: [String: String]
        let body: [UInt8]

        var facts: ImageFacts? { try? ImageReader().read(body) }
    }

    private func get(_ path: String, _ headers: String...) async throws -> Answer {
        let (head, body) = (home.folder.path + "/head", home.folder.path + "/body")
        let arguments = ["-s", "-S", "--unix-socket", home.path + "/run/stored.sock", "-D", head, "-o", body]
        let result = try await Programs.run(
            "/usr/bin/curl", arguments + headers.flatMap { ["-H", $0] } + ["http://stored" + path], environment: [:])
        try #require(result.exit == 0, "\(result)")
        let lines = try String(contentsOfFile: head, encoding: .utf8).split(whereSeparator: \.isNewline)
        let fields = lines.dropFirst().compactMap { line -> (String, String)? in
            let parts = line.split(separator: ":", maxSplits: 1)
            return parts.count == 2 ? (parts[0].lowercased(), parts[1].trimmingCharacters(in: .whitespaces)) : nil
        }
        let status = Int(try #require(lines.first).split(separator: " ")[1]) ?? 0
        // Without a body, curl leaves the file as it was.
        let bytes = status == 304 ? [] : Array(try Data(contentsOf: URL(filePath: body)))
        return Answer(status: status, headers: Dictionary(fields) { $1 }, body: bytes)
    }

    private var cached: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: home.path + "/cache/thumbnails").sorted() }
    }

    @Test func `the thumbnails of a pack are made once, and removed beyond their limit`() async throws {
        let stickers = try await stickers()
        #expect(try cached.isEmpty)
        let path = try #require(stickers["1.webp"]?["thumbnail"].text)
        let answer = try await get(path)
        #expect(answer.status == 200 && answer.headers["content-type"] == "image/webp")
        #expect(answer.headers["content-location"] == nil && answer.headers["x-content-type-options"] == "nosniff")
        #expect(answer.facts.map { [$0.width, $0.height, $0.frames] } == [128, 128, 1])
        let small = try await get(path + "&size=64")
        #expect(small.facts?.width == 64)
        let names = try cached
        #expect(names.count == 2 && names.allSatisfy { $0.hasSuffix("-128.webp") || $0.hasSuffix("-64.webp") })

        // From the cache, which may be damaged at any time.
        let tag = try #require(answer.headers["etag"])
        #expect(try await get(path, "If-None-Match: \(tag)").status == 304)
        for name in names {
            try Data("no image".utf8).write(to: URL(filePath: home.path + "/cache/thumbnails/" + name))
        }
        #expect(try await get(path).body == answer.body)

        let moving = try #require(stickers["2.gif"]?["thumbnail"].text)
        #expect(try await get(moving).facts?.frames == 1)
        #expect(try await get(moving + "&animated=true").facts?.frames == 6)
        #expect(try await get(path + "&size=100").status == 400)
        #expect(try await get("/v1/packs/\(Self.pack)/thumbnails/none.png").status == 404)
        #expect(try await get("/v1/packs/\(Self.pack)/thumbnails/.receipt.json").status == 404)

        try await home.must("config", "set", "images.thumbnailCacheSize", "0")
        #expect(try cached.isEmpty)
        #expect(try await get(path).body == answer.body)
        #expect(try cached.isEmpty)

        try await home.must("uninstall", Self.pack)
        #expect(try await get(path).status == 404)
    }

    @Test func `an image without a thumbnail is shown itself`() async throws {
        let stickers = try await stickers()
        for (file, type) in [("3.png", "image/png"), ("4.svg", "image/svg+xml")] {
            let sticker = try #require(stickers[file])
            let answer = try await get(try #require(sticker["thumbnail"].text))
            #expect(answer.status == 200 && answer.headers["content-type"] == type)
            #expect(answer.headers["content-location"] == sticker["url"].text)
            let original = try #require(sticker["path"].text)
            #expect(try Data(contentsOf: URL(filePath: original)) == Data(answer.body))
        }
        let version = try await get("/v1/packs/\(Self.pack)/thumbnails/VERSION")
        let problem = try JSONDecoder().decode(JSONValue.self, from: Data(version.body))
        #expect(version.status == 422 && problem["code"].text == "thumbnail.failed", "only images are served as images")
    }

    @Test func `a contact sheet has all stickers of a pack`() async throws {
        let path = home.folder.path + "/sheet.png"
        let shown = try await home.must("stickers", "show", Self.pack, "--picture", path)
        #expect(shown.output.contains("sheet.png"))
        let bytes = Array(try Data(contentsOf: URL(filePath: path)))
        let facts = try ImageReader().read(bytes)
        // Two columns and two rows of 128 pixels, with margins of 8 pixels.
        #expect(facts.format == .png && [facts.width, facts.height] == [280, 280])
        let answer = try await get("/v1/stickers/\(Self.pack)/sheet")
        #expect(answer.headers["content-type"] == "image/png" && answer.body == bytes)
        let missing = try await home.storectl("stickers", "show", "org.example.none", "--picture", path)
        #expect(missing.exit == 3)
    }

    @Test func `the status says whether thumbnails can be made`() async throws {
        func thumbnails() async throws -> JSONValue {
            try #require(try await home.must("daemon", "status", "--json").json["thumbnails"])
        }
        // Before and after the first one.
        for _ in 1...2 {
            let found = try await thumbnails()
            #expect(found["available"] == .bool(true))
            #expect(found["inEffect"].elements.contains(.string("fileSystem")), "\(found)")
            let path = try #require(try await stickers()["1.webp"]?["thumbnail"].text)
            #expect(try await get(path).headers["content-type"] == "image/webp")
        }
        let text = try await home.must("daemon", "status")
        #expect(text.output.contains("Thumbnails are drawn in confined processes."), "\(text)")
    }

    @Test func `covers, sprites of skins and images of emoji have thumbnails`() async throws {
        let image = try TestFiles.data("Packs/faces/01-smile.webp")
        try await home.must("daemon", "stop")
        let packs = URL(filePath: home.path + "/data/packs")
        for (path, data) in [
            ("covered.stickers/tray.webp", image), ("covered.stickers/1.png", Data(ImageForge.png())),
            ("covered.stickers/pack.json", Data(#"{"cover":"tray.webp"}"#.utf8)),
            ("faces.emoji/1f600.webp", image), ("dark.purchasedTheme/sprites/corner.webp", image),
        ] {
            let file = packs.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try data.write(to: file)
        }
        let shown = try await home.must("stickers", "show", "covered", "--json").json
        #expect(shown["cover"]?.text == "tray.webp")
        for path in [
            "/v1/packs/covered/thumbnails/tray.webp", "/v1/packs/dark/thumbnails/sprites/corner.webp",
            "/v1/emoji/faces/images/0", "/v1/emoji/faces/pictures/1f600",
        ] {
            let answer = try await get(path + "?size=64")
            #expect(answer.status == 200 && answer.headers["content-type"] == "image/webp", "\(path)")
            #expect(answer.facts.map { [$0.width, $0.height] } == [64, 64], "\(path)")
            #expect(answer.headers["x-content-type-options"] == "nosniff")
        }
        #expect(try await get("/v1/emoji/faces/images/0").body == Array(image))
        #expect(try await get("/v1/emoji/faces/images/0?size=65").status == 400)
        // All are of the same image.
        #expect(try cached.count == 1)
    }

    /// Writes a blue PNG without a colour profile to a file.
    private static let blueImage = """
        import struct, sys, zlib
        chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        rows = (b"\\0" + b"\\0\\0\\xff" * 64) * 64
        with open(sys.argv[1], "wb") as file:
            file.write(b"\\x89PNG\\r\\n\\x1a\\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 64, 64, 8, 2, 0, 0, 0))
                       + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
        """

    /// Prints red, green and blue of a pixel of a PNG of 8 bits, with or without opacity; without its place, of the middle.
    private static let printPixel = """
        import struct, sys, zlib
        data, offset, packed = open(sys.argv[1], "rb").read(), 8, b""
        width, height = struct.unpack(">II", data[16:24])
        column, line = map(int, sys.argv[2:]) if len(sys.argv) > 2 else (width // 2, height // 2)
        while offset < len(data):
            size = struct.unpack(">I", data[offset:offset + 4])[0]
            if data[offset + 4:offset + 8] == b"IDAT": packed += data[offset + 8:offset + 8 + size]
            offset += size + 12
        bands = {2: 3, 6: 4}[data[25]]
        raw, above, length = zlib.decompress(packed), bytes(width * bands), width * bands
        for y in range(line + 1):
            kind, row = raw[y * (length + 1)], bytearray(raw[y * (length + 1) + 1:(y + 1) * (length + 1)])
            for x in range(length):
                a, b, c = (row[x - bands] if x >= bands else 0), above[x], (above[x - bands] if x >= bands else 0)
                nearest = min((a, b, c), key=lambda value: abs(a + b - c - value))
                row[x] = (row[x] + (0, a, b, (a + b) // 2, nearest)[kind]) % 256
            above = row
        print(*above[column * bands:column * bands + 3])
        """

    @Test func `a contact sheet has the colours of its images`() async throws {
        let (image, sheet) = (home.folder.path + "/blue.png", home.folder.path + "/sheet.png")
        _ = try await Programs.run("/usr/bin/python3", ["-c", Self.blueImage, image], environment: [:])
        try await store.add("org.example.blue", files: ["1.png": Data(contentsOf: URL(filePath: image))])
        try await store.publish()
        try await home.must("install", "org.example.blue")
        try await home.must("stickers", "show", "org.example.blue", "--picture", sheet)
        let result = try await Programs.run(
            "/usr/bin/python3", ["-c", Self.printPixel, sheet], environment: [:])
        let colours = result.output.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        // The thumbnail is encoded with losses.
        #expect(colours.count == 3 && colours[0] < 20 && colours[1] < 20 && colours[2] > 235, "\(result)")
    }

    @Test func `a WebM sticker has a still, a moving thumbnail, and a cell of the contact sheet`() async throws {
        let (pack, sheet) = ("org.example.videos", home.folder.path + "/sheet.png")
        try await store.add(
            pack, files: ["1.webm": TestFiles.data("Images/bars-vp9.webm")])
        try await store.publish()
        try await home.must("install", pack)
        let shown = try await home.must("stickers", "show", pack, "--json").json
        let stickers = shown["stickers"]?.elements ?? []
        let path = try #require(stickers.first?["thumbnail"].text)
        let still = try await get(path)
        #expect(still.status == 200 && still.headers["content-type"] == "image/webp")
        #expect(still.facts.map { [$0.width, $0.height, $0.frames] } == [96, 64, 1])
        let moving = try await get(path + "&size=64&animated=true")
        #expect(moving.facts.map { [$0.width, $0.height, $0.frames] } == [64, 43, 6])

        // The picture is in the middle of a cell of 128 pixels, in a margin of 8, on white.
        try await home.must("stickers", "show", pack, "--picture", sheet)
        for (column, line, expected) in [
            (24 + 24, 40 + 24, [255, 0, 0]), (24 + 72, 40 + 24, [0, 0, 255]), (24 + 24, 40 + 48, [255, 255, 255]),
            (24 + 72, 40 + 48, [127, 127, 255]),
        ] {
            let result = try await Programs.run(
                "/usr/bin/python3", ["-c", Self.printPixel, sheet, "\(column)", "\(line)"], environment: [:])
            let colours = result.output.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
            #expect(
                colours.count == 3 && zip(colours, expected).allSatisfy { abs($0 - $1) < 20 },
                "\(colours) instead of \(expected) at \(column), \(line)")
        }
    }

    @Test func `without the program, images are shown themselves and there is no contact sheet`() async throws {
        await home.killDaemon()
        let programs = home.folder.path + "/bin"
        try FileManager.default.createDirectory(atPath: programs, withIntermediateDirectories: true)
        for name in ["stored", "store-worker"] { try Programs.copy(name, to: programs + "/" + name) }
        let daemon = try Programs.start(programs + "/stored", [], environment: home.environment)
        defer { daemon.signal(SIGTERM) }
        try #require(await eventually { home.daemonPID == daemon.pid })

        let sticker = try #require(try await stickers()["1.webp"])
        let answer = try await get(try #require(sticker["thumbnail"].text))
        #expect(answer.status == 200 && answer.headers["content-location"] == sticker["url"].text)
        let sheet = try await home.storectl(
            "stickers", "show", Self.pack, "--picture", home.folder.path + "/sheet.png", "--json")
        #expect(sheet.exit == 1)
        #expect(try sheet.json["error"]?["code"].text == "thumbnail.unavailable")
    }
}
