import Foundation
import StoreEngine
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

@testable import StoreServer

@Suite struct PackFilesTests {
    @Test(
        arguments: [
            (ImageForge.png(), "a.gif", "image/png"), (ImageForge.apng(), "a.png", "image/apng"),
            (ImageForge.gif(), "a.html", "image/gif"), (ImageForge.jpeg(), "a", "image/jpeg"),
            (ImageForge.animatedWebP(), "a.js", "image/webp"), (ImageForge.svg("<script/>"), "a.png", "image/svg+xml"),
            (Array("<html/>".utf8), "a.html", "text/plain; charset=utf-8"),
            (Array("<html/>".utf8), "a.svg", "text/plain; charset=utf-8"),
            (Array("<?xml version='1.0'?><a/>".utf8), "a.xml", "text/plain; charset=utf-8"),
            (Array("alert(1)".utf8), "a.js", "text/plain; charset=utf-8"),
            (Array("{}".utf8), "a.json", "application/json"),
            (Array("text".utf8), "README", "text/plain; charset=utf-8"), ([], "a.txt", "text/plain; charset=utf-8"),
            (Array("text".utf8), "a.png", "image/png"), ([0, 1, 2], "a.html", "application/octet-stream"),
            ([0, 1, 2], "a.pdf", "application/octet-stream"), ([0, 1, 2], "a.swf", "application/octet-stream"),
        ])
    func `a file has a media type that no browser executes`(bytes: [UInt8], name: String, type: String) {
        let suffix = name.split(separator: ".").count > 1 ? String(name.split(separator: ".").last ?? "") : ""
        #expect(MediaTypes.ofUntrustedFile(head: bytes, suffix: suffix) == type, "\(name)")
    }

    @Test func `a file of a pack that is removed meanwhile is looked for in its successor`() async throws {
        let folder = try TemporaryFolder()
        try folder.directory.put("pack/a.txt", "1")
        let removed = try Directory.open(folder.path + "/pack")
        func mediaType(of path: String, in directories: [Directory]) async throws -> String {
            var rest = directories[...]
            return try await FileResponse.withPackFile(path) {
                guard let next = rest.popFirst() else { throw StoreError(.packNotInstalled, ["product": "pack"]) }
                return next
            } _: {
                try await $0.mediaType()
            }
        }
        #expect(try await mediaType(of: "a.txt", in: [removed]) == "text/plain; charset=utf-8")
        await #expect { try await mediaType(of: "b.txt", in: [removed, removed]) } throws: {
            ($0 as? StoreError)?.code == .servedFileMissing
        }
        // The pack is in the trash, and its files are being deleted.
        try folder.directory.rename("pack", to: folder.directory, as: "trash")
        try FileManager.default.removeItem(atPath: folder.path + "/trash/a.txt")
        await #expect { try await mediaType(of: "a.txt", in: [removed]) } throws: {
            ($0 as? StoreError)?.code == .packMissing
        }
        // The home was moved, so that no directory is in place.
        await #expect { try await mediaType(of: "a.txt", in: Array(repeating: removed, count: 100)) } throws: {
            ($0 as? StoreError)?.code == .servedFileMissing
        }
        try folder.directory.put("pack/a.txt", "2")
        let new = try Directory.open(folder.path + "/pack")
        #expect(try await mediaType(of: "a.txt", in: [removed, new]) == "text/plain; charset=utf-8")
    }
}
