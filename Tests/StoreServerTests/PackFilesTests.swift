import StoreEngine
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
}
