import Foundation
import StoreArchives
import StoreModel
import StoreSystem
import StoreTestSupport

/// A store of format 2 with one product `p`, of whose documents one is changed while the hashes above it are right, so
/// that the change is not found by its hash.
final class HostileStore: Sendable {
    let origin: Origin
    private let folder: TemporaryFolder

    /// A document of the store, from the index down to a file in the archive.
    enum Document: String, CaseIterable, Sendable {
        case index, shard, details, table, archive, information, theme, image, preview, response
    }

    init() throws { (origin, folder) = (try Origin(), try TemporaryFolder()) }

    private static let information = #"""
        {"productIdentifier":"p","kind":"sticker","name":{"en":"Cups","pt":"Chávenas"},"version":"1","cover":"a.gif",
        "permissions":["network"],"stickers":[{"file":"a.gif","emoji":["☕"],"tags":["tea"]},{"file":"b.gif"}]}
        """#
    private static let theme = #"""
        <theme><constants><constant name="ink" type="color">#102030</constant></constants>
        <classes><class id="c"><operation name="textColor"><param name="color" type="color" ref="ink"/></operation></class>
        </classes><instances><uiview id="chat" class="c"><operation name="backgroundColor">
        <param name="color" type="color" format="HEX">#aabbcc</param></operation></uiview></instances></theme>
        """#

    /// Serves the store with a changed document.
    ///
    /// - Parameters:
    ///   - document: the document to change; `nil` serves the valid store.
    ///   - version: the version of the product, different for each call, so that nothing is in a cache.
    func publish(changing document: Document?, version: Int, _ mutator: inout DocumentMutator) throws {
        func text(_ name: Document, _ valid: String) -> [UInt8] {
            document == name ? mutator.json(Array(valid.utf8)) : Array(valid.utf8)
        }
        let isSkin = document == .theme || document != .information && mutator.chance(4)
        let image = document == .image ? mutator.bytes(ImageForge.png(3, 3)) : ImageForge.png(3, 3)
        var forge = ZipForge()
        if isSkin {
            let theme = document == .theme ? mutator.bytes(Array(Self.theme.utf8)) : Array(Self.theme.utf8)
            forge = forge.file("skin.xml", Array(#"<skin identifier="p" name="P" version="1"/>"#.utf8))
                .file("chat.xml", theme, deflated: true).file("assets/a.png", image)
        } else {
            forge = forge.file("pack.json", text(.information, Self.information))
                .file("a.gif", ImageForge.bytes(3_000, seed: UInt64(version))).file("b.gif", ImageForge.bytes(4_000))
                .file("c.png", image, deflated: true)
        }
        let table = try JSON.encode(try entryTable(of: forge.build()))
        let archive = document == .archive ? mutator.archive(forge) : forge.build()
        let servedTable = document == .table ? mutator.json(Array(table)) : Array(table)
        let details = text(
            .details,
            #"{"format":2,"productIdentifier":"p","productDetailsInfo":{"en":"Cups of tea"},"locales":["en"],"#
                + #""productDetailsPreviewImagesURLsArray":["preview","b.png"],"productDetailsImageURL":"preview"}"#)
        let preview = document == .preview ? mutator.bytes(ImageForge.png(4, 4)) : ImageForge.png(4, 4)
        func file(_ name: String, _ path: String, _ bytes: [UInt8]) -> String {
            #""\#(name)URL":"\#(path)","\#(name)Size":\#(bytes.count),"\#(name)SHA256":"\#(SHA256Digest(of: bytes).hex)""#
        }
        let members: [String] = [
            #"{"format":2,"products":[{"productIdentifier":"p","productName":"Cups","version":"1.\#(version)""#,
            #","productType":"\#(isSkin ? "skin" : "sticker")","tags":["tea"],"mirrors":["m.zip"]"#,
            #","publishedAt":"2026-01-31T12:00:00Z","popularity":3,"productPrice":"free","#,
            file("productResource", "p-\(version).zip", archive), ",",
            file("entryTable", "t-\(version).json", servedTable), ",", file("productDetails", "d.json", details),
            #","productDetailsPreviewImagesURLsArray":[{"url":"preview","size":\#(preview.count)"#,
            #","sha256":"\#(SHA256Digest(of: preview).hex)"}]}]}"#,
        ]
        let shard = text(.shard, members.joined())
        let index = text(
            .index,
            #"{"format":2,"name":"Hostile","products":1,"shards":[{"url":"s-\#(version).json","size":\#(shard.count),"#
                + #""sha256":"\#(SHA256Digest(of: shard).hex)","products":1}]}"#)

        for (path, bytes) in [
            ("/p-\(version).zip", archive), ("/t-\(version).json", servedTable), ("/d.json", details),
            ("/preview", preview), ("/b.png", preview), ("/s-\(version).json", shard), ("/catalogue.json", index),
        ] {
            origin.serve(path, bytes)
        }
        for path in ["/p-\(version - 1).zip", "/t-\(version - 1).json", "/s-\(version - 1).json"] {
            origin.remove(path)
        }
        let paths = ["/catalogue.json", "/s-\(version).json", "/d.json", "/preview"]
        for path in paths { origin.script(path, []) }
        if document == .response { origin.script(mutator.pick(paths), [[fault(&mutator)]]) }
    }

    /// A response that breaks HTTP or lies about its content.
    private func fault(_ mutator: inout DocumentMutator) -> OriginFault {
        let faults: [OriginFault] = [
            .status(500), .status(304), .status(204), .status(206), .status(401, ["WWW-Authenticate": "Basic"]),
            .redirect(to: "/catalogue.json"), .redirect(to: "//"), .redirect(to: "file:///etc/passwd"),
            .redirect(to: "gopher://127.0.0.1:1/"), .short(by: 5), .long(by: 5), .chunked, .untilClose, .closeAfter(10),
            .header("Content-Encoding", "gzip"), .header("Content-Type", "text/html"), .header("ETag", "\"\""),
            .header("X-Long", String(repeating: "a", count: 90_000)), .header("Retry-After", "-1"),
            .raw(Array("HTTP/1.1 200\r\n\r\n".utf8)), .raw(Array("nothing\r\n".utf8)), .bytes([]),
            .bytes(Array("<html></html>".utf8)),
        ]
        return mutator.pick(faults)
    }

    private func entryTable(of zip: [UInt8]) throws -> EntryTable {
        try folder.directory.removeTree("valid.zip")
        let file = try folder.directory.createFile("valid.zip")
        try file.write(Data(zip))
        return try Archive(file).entryTable()
    }
}
