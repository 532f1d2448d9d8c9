import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// The links with which pages and messages propose the installation of a product.
@Suite struct InstallLinkTests {
    private static let digest = SHA256Digest(of: "root".utf8)

    @Test func `a link names a product, and the store by the fingerprint of its root`() throws {
        let plain = try InstallLink(parsing: "storectl:install/org.example.cups")
        #expect(plain.productIdentifier == "org.example.cups" && plain.store == nil)
        #expect(plain.text == "storectl:install/org.example.cups")
        let text = "storectl:install/a%2Fb%20%F0%9F%98%80?store=\(Self.digest.hex)"
        let link = try InstallLink(parsing: text)
        #expect(link.productIdentifier == "a/b 😀" && link.store == Self.digest)
        #expect(link.text == text)
    }

    @Test func `equivalent percent-encodings make the same link`() throws {
        let link = try InstallLink(parsing: "storectl:install/a%2fb")
        #expect(try InstallLink(parsing: "storectl:install/%61%2F%62") == link && link.text == "storectl:install/a%2Fb")
    }

    @Test func `hostile links are refused with a hint, or name a product and nothing else`() throws {
        let links = try HostileLinks.load()
        #expect(links.refused.count >= 100)
        for text in links.refused {
            let error = try #require(throws: StoreError.self, "\(text)") { try InstallLink(parsing: text) }
            #expect(error.code == .linkInvalid && error.hint != nil, "\(text): \(error)")
            // A message repeats at most what a link may be long.
            #expect(error.message.utf8.count < 3 * InstallLink.maximumLength, "\(text)")
        }
        for text in links.pages {
            let link = try InstallLink(parsing: text)
            #expect(try InstallLink(parsing: link.text) == link, "\(text)")
        }
    }

    @Test(arguments: ["storectl:", "storectl://", "storectl://install/a", "storectl:/install/a", "storectl:?store=a"])
    func `a link without an action says which form links have`(text: String) throws {
        let error = try #require(throws: StoreError.self) { try InstallLink(parsing: text) }
        #expect(error.message == "the link names no action")
        #expect(error.hint == "a link has the form 'storectl:install/ID', without '//'")
    }

    @Test func `random identifiers survive the text`() throws {
        var random = SeededGenerator(seed: 18)
        let pieces = [
            "a", "Z", "0", ".", "-", "_", "~", "%", "/", "?", "#", "&", "=", " ", "ü", "😂", "\u{200D}", "字", "%2F",
            "..",
        ]
        for _ in 0..<2_000 {
            let identifier = (0..<Int.random(in: 1...8, using: &random))
                .map { _ in pieces.randomElement(using: &random)! }.joined()
            let store = Bool.random(using: &random) ? Self.digest : nil
            guard identifier != ".", identifier != ".." else { continue }
            let link = try #require(InstallLink(productIdentifier: identifier, store: store), "\(identifier)")
            #expect(try InstallLink(parsing: link.text) == link)
            #expect(link.text.utf8.allSatisfy(Self.allowed.contains), "\(link.text)")
        }
    }

    @Test func `a link with any byte changed is refused, or is the link of its own text`() throws {
        let text = "storectl:install/a%2Fb?store=\(Self.digest.hex)"
        let bytes = Array(text.utf8)
        var accepted = 0
        for index in bytes.indices {
            for byte in UInt8(0)...0x7F where byte != bytes[index] {
                var changed = bytes
                changed[index] = byte
                guard let link = try? InstallLink(parsing: String(decoding: changed, as: UTF8.self)) else { continue }
                #expect(try InstallLink(parsing: link.text) == link)
                accepted += 1
            }
            let beginning = String(decoding: bytes[..<index], as: UTF8.self)
            let link = try? InstallLink(parsing: beginning)
            #expect(link == nil || link?.store == nil, "\(beginning)")
        }
        #expect(accepted > 100)
    }

    @Test func `identifiers that no link can have make none`() {
        for identifier in ["", ".", "..", "a\nb", "\u{202E}a", "\u{0}", String(repeating: "ü", count: 400)] {
            #expect(InstallLink(productIdentifier: identifier) == nil, "\(identifier)")
        }
    }

    private static let allowed = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~%:/?=".utf8)
}
