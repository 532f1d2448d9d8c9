import Foundation
import StoreArchives
import StoreClient
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

/// Content that is as large as the limits allow, or larger: what a daemon needs for it is limited.
@Suite(.hangGuard) struct HostileContentTests {
    /// A skin whose style sheet is as large as the limit allows, named after what it is made of.
    enum Skin: String, CaseIterable, Sendable {
        case longValues, manyValues

        var theme: String {
            let (count, text) = self == .longValues ? (2_600, String(repeating: "x", count: 4_000)) : (74_000, "Sans")
            let instances = (0..<count).map { "<uilabel id='p\($0)' class='c'/>" }.joined()
            return
                "<theme><classes><class id='c'><operation name='font'><param name='font' type='font'>\(text); 12</param>"
                + "</operation><operation name='textColor'><param name='color' type='color' format='HEX'>#a0b1c2</param>"
                + "</operation></class></classes><instances>\(instances)</instances></theme>"
        }
    }

    @Test(arguments: Skin.allCases)
    func `a skin as large as the limit allows does not exhaust the daemon in any form`(skin: Skin) async throws {
        let (origin, daemon) = (try Origin(), try await LimitedDaemon())
        let archive = ZipForge().file("skin.xml", Array("<skin identifier='p' name='P' version='1'/>".utf8))
            .file("a.xml", Array(skin.theme.utf8)).build()
        StoreDocuments.formatTwo("p", archive: archive, on: origin, with: ["productType": "skin"])
        try await daemon.home.must("store", "add", "hostile", origin.address, "--unsigned")
        _ = try await daemon.attempt("install") { try await $0.install("p").finished() }.get()
        let sheet = try await daemon.attempt("css") { try await $0.skinStyleSheet("p", for: .css) }.get()
        #expect(sheet.count > 4 << 20, "the skin is far below the limit")
        _ = try await daemon.attempt("gtk") { try await $0.skinStyleSheet("p", for: .gtk) }.get()
        let values = try await daemon.attempt("values") { try await $0.skin("p") }.get()
        #expect(values.identifiers.count == (skin == .longValues ? 2_600 : 74_000))
        _ = try await daemon.attempt("use") { try await $0.useSkin("p") }.get()
        let most = try daemon.mostMemory
        print("Skin \(skin): \(most >> 20) MB at most, style sheet of \(sheet.count >> 20) MB")
        #expect(!Sanitizers.canCheckMemory() || most < LimitedDaemon.mostMemory, "\(most >> 20) MB")
        try await daemon.home.must("daemon", "stop")
    }

    @Test(arguments: [0, 1])
    func `an entry table as large as the limit is read within the memory, and a larger one is not`(
        excess: Int
    ) async throws {
        let (origin, folder) = (try Origin(), try TemporaryFolder())
        let daemon = try await LimitedDaemon(settings: ["STORECTL_DOWNLOADS_KEPT_ARCHIVES": "0"])
        let archive = ZipForge().file("a.gif", ImageForge.bytes(20_000, seed: 1))
            .file("b.gif", ImageForge.bytes(90_000, seed: 2)).build()
        let file = try folder.directory.createFile("a.zip")
        try file.write(Data(archive))
        var text = String(decoding: try JSON.encode(Archive(file).entryTable()), as: UTF8.self)
        // As many entries of files that the archive has not as have room.
        let hash = SHA256Digest(of: []).hex
        let filler = (0..<120_000).lazy.map {
            #",{"path":"\#($0)","method":"stored","offset":0,"compressedSize":0,"size":0,"sha256":"\#(hash)"}"#
        }
        let end = try #require(text.range(of: "]", options: .backwards))
        let rest = String(text[end.lowerBound...])
        text = String(text[..<end.lowerBound])
        text.reserveCapacity(17 << 20)
        let limit = 16 << 20
        for entry in filler {
            guard text.utf8.count + entry.utf8.count + rest.utf8.count <= limit else { break }
            text += entry
        }
        text += rest
        let table = Array(text.utf8) + Array(repeating: UInt8(ascii: " "), count: limit - text.utf8.count + excess)
        origin.serve("/table.json", table)
        let reference: [String: Any] = [
            "entryTableURL": "/table.json", "entryTableSize": table.count,
            "entryTableSHA256": StoreDocuments.hash(table),
        ]
        StoreDocuments.formatTwo("p", archive: archive, on: origin, with: reference)
        try await daemon.home.must("store", "add", "hostile", origin.address, "--unsigned")
        let pack = try await daemon.attempt("install") { try await $0.install("p").finished() }.get()
        try Data("damaged".utf8).write(to: URL(filePath: pack.path + "/a.gif"))
        let installation = try await daemon.attempt("repair") { try await $0.beginRepair("p") }.get()
        #expect(try await daemon.end(of: installation).state == .finished)
        #expect(try Data(contentsOf: URL(filePath: pack.path + "/a.gif")) == Data(ImageForge.bytes(20_000, seed: 1)))
        // Only a part of the archive is fetched if the table was read.
        let ranges = origin.requests(to: "/1.0.0.zip").dropFirst().map(\.range)
        #expect(ranges.count == 1 && (ranges[0] == nil) == (excess > 0), "\(ranges)")
        let most = try daemon.mostMemory
        print("Entry table of \(table.count) bytes: \(most >> 20) MB at most")
        #expect(!Sanitizers.canCheckMemory() || most < LimitedDaemon.mostMemory, "\(most >> 20) MB")
        try await daemon.home.must("daemon", "stop")
    }
}
