import Foundation
import StoreClient
import StoreModel
import StoreTestSupport
import Testing

/// Archives and images of a store whose content is as large as the limits allow.
@Suite(.hangGuard) struct HostilePackTests {
    /// The content of an archive, named after what it has as much of as is allowed.
    enum Content: String, CaseIterable, Sendable {
        case files, pathLength, elements, attributes, text, stickers

        var archive: [UInt8] {
            let image = ImageForge.bytes(40)
            let forge = ZipForge().file("a.gif", image)
            func drawing(_ content: String) -> [UInt8] {
                let text = #"<svg xmlns="http://www.w3.org/2000/svg">\#(content)</svg>"#
                return forge.file("a.svg", Array(text.utf8)).build()
            }
            switch self {
            case .files: return Self.files(19_990, beside: forge) { "\($0).gif" }
            case .pathLength:
                let folders = Array(repeating: String(repeating: "x", count: 240), count: 4).joined(separator: "/")
                return Self.files(4_000, beside: forge) { "\(folders)/\($0).gif" }
            case .elements: return drawing(String(repeating: "<g/>", count: 499_000))
            case .attributes:
                let attributes = (0..<500).map { #"a\#($0)="x""# }.joined(separator: " ")
                return drawing(String(repeating: "<g \(attributes)/>", count: 500))
            case .text: return drawing("<text>\(String(repeating: "x", count: 4_000_000))</text>")
            case .stickers:
                let stickers = (0..<20_000).map { #"{"file":"a.gif","id":"s\#($0)","tags":["t"]}"# }
                let information = #"{"kind":"sticker","stickers":[\#(stickers.joined(separator: ","))]}"#
                return forge.file("pack.json", Array(information.utf8)).build()
            }
        }

        /// Returns an archive with many copies of its only file.
        private static func files(
            _ count: Int, beside forge: ZipForge, named name: (Int) -> String
        ) -> [UInt8] {
            forge.with { forge in
                let entry = forge.entries[0]
                for number in 0..<count {
                    var copy = entry
                    copy.both { $0.name = Array(name(number).utf8) }
                    forge.entries.append(copy)
                }
            }.build()
        }
    }

    private func expectLittleMemory(_ daemon: LimitedDaemon, _ what: String) async throws {
        let most = try daemon.mostMemory
        print("\(what): \(most >> 20) MB at most")
        #expect(!Sanitizers.canCheckMemory() || most < LimitedDaemon.mostMemory, "\(most >> 20) MB")
        try await daemon.home.must("daemon", "stop")
    }

    @Test(arguments: Content.allCases)
    func `an archive as large as the limits allow is installed within the memory`(content: Content) async throws {
        let (origin, daemon) = (try Origin(), try await LimitedDaemon())
        StoreDocuments.formatTwo("p", archive: content.archive, on: origin)
        try await daemon.home.must("store", "add", "hostile", origin.address, "--unsigned")
        _ = try await daemon.attempt("install") { try await $0.install("p").finished() }.get()
        #expect(try await daemon.attempt("verify") { try await $0.verify("p") }.get().intact)
        if content == .stickers {
            let pack = try await daemon.attempt("stickers") { try await $0.stickerPack("p") }.get()
            #expect(pack.stickers.count == 20_000)
        }
        try await expectLittleMemory(daemon, "Archive with many \(content)")
    }

    @Test func `previews as large as the limit allows are sent to several clients within the memory`() async throws {
        let (origin, daemon) = (try Origin(), try await LimitedDaemon())
        let images = (0..<6).map { ImageForge.bytes((16 << 20) - 1, seed: $0) }
        let previews = images.enumerated().map { number, image in
            origin.serve("/\(number)", image)
            return ["url": "/\(number)", "size": image.count, "sha256": StoreDocuments.hash(image)] as [String: Any]
        }
        StoreDocuments.formatTwo(
            "p", archive: StoreDocuments.pack(), on: origin, with: ["productDetailsPreviewImagesURLsArray": previews])
        try await daemon.home.must("store", "add", "hostile", origin.address, "--unsigned")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, image) in images.enumerated() {
                group.addTask {
                    let preview = try await daemon.attempt("preview") {
                        try await $0.preview(number, of: "p", store: "hostile").image
                    }.get()
                    #expect(preview == Data(image))
                }
            }
            try await group.waitForAll()
        }
        try await expectLittleMemory(daemon, "Previews of \(images[0].count) bytes")
    }
}
