import FoundationEssentials
import StoreTestSupport
import Testing

@testable import StoreImages

@Suite struct DrawingTests {
    private static func picture(_ bytes: [UInt8], _ type: String = "image/png") -> String {
        "data:\(type);base64," + Data(bytes).base64EncodedString()
    }

    @Test(arguments: [
        "", "<!-- <script> -->", "<title>url(http://example.org)</title>",
        ##"<path id="a" d="M0 0L1 1" style="fill:url(#b);stroke:URL( '#c' )" fill="url(#c)"/>"##,
        ##"<defs><linearGradient id="a"/></defs><rect fill="url(&quot;#a&quot;) none"/>"##,
        ##"<a href="#top"><use xlink:href="#b"/></a>"##, #"<use href=""/>"#,
        "<style>@namespace svg; .a{fill:red;} @media print {a:hover{fill:url(#x)}}</style>",
        #"<text style="font-family:'\5b8b\4f53'">@import is a word here</text>"#,
        #"<image href="\#(picture(Forge.png(4, 4)))"/><feImage xlink:href="\#(picture(Forge.gif(), ""))"/>"#,
        #"<animate attributeName="x" values="0;1" onlyx_y="1"/><set attributeName="fill" to="red"/>"#,
        #"<x:meta xmlns:x="urn:x" x:onload="1" href="http://example.org"><x:script/><x:a src="y"/></x:meta>"#,
        #"<switch><foreignObject requiredExtensions="http://ns.adobe.com/AdobeIllustrator/10.0/"/></switch>"#,
        "<style>a{fill:url( '' );stroke:url()}</style>",
        "<?xpacket x?>", ##"<rect fill="url(#a"/>"##, "<style>a{fill:url(#b)}<x/>b{fill:red}</style>",
    ])
    func `SVG images without active content are accepted`(content: String) {
        #expect(refusal(Forge.svg(content)) == nil, "\(content)")
    }

    @Test func `SVG images with common prologs are accepted`() throws {
        let root = #"<svg xmlns="http://www.w3.org/2000/svg" width="1in" height="72pt"/>"#
        for start in [
            "", "\u{FEFF}", " \n", #"<?xml version="1.0" encoding="UTF-8" standalone="no"?>"#,
            "<?xml version='1.0'?>\n<!-- Made <svg> by -->\n",
            #"<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">"#,
        ] {
            let found = try facts(Array((start + root).utf8))
            #expect(found == ImageFacts(format: .svg, width: 96, height: 96, frames: 1), "\(start)")
        }
        #expect(
            try facts(Array(#"<s:svg xmlns:s="http://www.w3.org/2000/svg" viewBox="0,0 7 6.5"/>"#.utf8)).height == 7)
        #expect(try facts(Array("<svg/>".utf8)).width == 0)
    }

    @Test(arguments: [
        "<script>alert(1)</script>", "<script/>", "<SCRIPT/>", #"<x:script xmlns:x="http://www.w3.org/2000/svg"/>"#,
        #"<x:script xmlns:x="http://www.w3.org/1999/xhtml"/>"#, #"<p xmlns="http://www.w3.org/1999/xhtml"/>"#,
        #"<script xmlns=""/>"#, "<foreignObject/>", #"<foreignObject requiredExtensions="urn:x"/>"#,
        #"<script requiredExtensions="http://ns.adobe.com/AdobeIllustrator/10.0/">alert(1)</script>"#,
        "<iframe/>", "<handler/>", "<video/>", "<audio/>", "<embed/>", "<object/>",
        #"<g onload="x()"/>"#, #"<g OnClick="x()"/>"#, #"<set onbegin="x()"/>"#,
        #"<use href="http://example.org/a.svg#b"/>"#, #"<use xlink:href="a.svg#b"/>"#, #"<use href="//a/b"/>"#,
        #"<image href="a.png"/>"#, #"<image href="file:///etc/passwd"/>"#, #"<a href="javascript:x()"/>"#,
        #"<a href=" java&#10;script:x()"/>"#, #"<a xlink:href="data:text/html,x"/>"#, #"<g xml:base="http://a"/>"#,
        #"<use href="\#(picture(Forge.svg(), "image/svg+xml"))"/>"#,
        #"<image href="\#(picture(Forge.svg("<script/>"), "image/svg+xml"))"/>"#,
        #"<image href="\#(picture(Array("<html/>".utf8)))"/>"#, #"<image href="data:image/png,abc"/>"#,
        #"<g style="fill:url(http://example.org)"/>"#, #"<g fill="url(a.svg#b)"/>"#, #"<g cursor="url('a.cur')"/>"#,
        #"<g style="fill:u\72l(a.svg)"/>"#, #"<g style="fill:\000075rl(a)"/>"#, "<style>@import 'a.css';</style>",
        #"<style>@\69mport url(a)</style>"#, "<style><![CDATA[@import 'a.css';]]></style>",
        "<style>@font-face{src:url(data:font/woff2;base64,d09GMg)}</style>", "<style>a{b:expression(1)}</style>",
        "<style>a{-moz-binding:url(#x)}</style>", "<style>a{fill:image-set('a' 1x)}</style>",
        "<style>@imp<!-- -->ort 'a.css';</style>", "<style>@im<g/>port 'a.css';</style>",
        "<style>@im<?x y?>port 'a.css';</style>", "<style>a{fill:ur<style/>l(http://example.org)}</style>",
        #"<g fill="\#(String(repeating: "url(#", count: 100_000))"/>"#,
        ##"<style>a{content:"url(#b"}b{fill:url(http://example.org)}</style>"##,
        ##"<style>/* url(#b */ a{fill:url(http://example.org)}</style>"##,
        "<style>a{fill:url(#b)\u{301};background:url(http://example.org)}</style>",
        "<style>a{fill:url(\(String(repeating: " ", count: 2000))http://example.org)}</style>",
        "<style>a{fill:url(')/../x')}</style>", #"<style>a{fill:url(")/../x")}</style>"#,
        ##"<a href="#b"><animate attributeName="href" to="javascript:x()"/></a>"##,
        ##"<a href="#b"><set attributeName="xlink:href" to="#c"/></a>"##,
        #"<set attributeName="onload" to="x()"/>"#, #"<animate attributeName="x" values="1;javascript:x()"/>"#,
    ])
    func `SVG images with active content are rejected`(content: String) {
        #expect(refusal(Forge.svg(content)) == "content.svg-active", "\(content)")
    }

    @Test func `SVG images with style sheets or entities are rejected`() {
        let root = String(decoding: Forge.svg(), as: UTF8.self)
        for start in [
            "<?xml-stylesheet href='a.css'?>", "<!DOCTYPE svg [<!ENTITY a 'b'>]>",
            "<!DOCTYPE svg [<!ENTITY % a SYSTEM 'http://127.0.0.1:1/'>%a;]>",
        ] { #expect(refusal(Array((start + root).utf8)) == "content.svg-active", "\(start)") }
        #expect(refusal(Forge.svg("&nbsp;")) == "content.svg-active")
        #expect(refusal(Array(root.utf8) + Array("<html/>".utf8)) == "content.image-damaged")
        #expect(refusal(Array("<svg xmlns='urn:other'/>".utf8)) == "content.image-damaged")
        #expect(refusal(Array("<svg><g></svg>".utf8)) == "content.image-damaged")
    }

    @Test func `SVG images that expand excessively are rejected`() {
        func bomb(_ levels: Int, _ link: (Int) -> String) -> [UInt8] {
            Forge.svg(
                (1...levels).map { #"<g id="a\#($0)">\#(link($0 - 1))</g>"# }.joined() + #"<path id="a0" d="M0 0"/>"#)
        }
        let twice: (Int) -> String = { ##"<use href="#a\##($0)"/><use href="#a\##($0)"/>"## }
        #expect(refusal(bomb(8, twice)) == nil)
        #expect(refusal(bomb(30, twice)) == "content.svg-active")
        let patterns: (Int) -> String = { ##"<rect fill="url(#a\##($0))"/><rect style="mask:url(#a\##($0))"/>"## }
        #expect(refusal(bomb(30, patterns)) == "content.svg-active")
        // Far deeper than a recursive parser could handle.
        #expect(refusal(bomb(50_000) { ##"<use href="#a\##($0)"/>"## }) == "content.svg-active")
        #expect(
            refusal(Forge.svg(##"<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>"##))
                == "content.svg-active")
        let many = String(repeating: ##"<use href="#a"/>"##, count: 2000)
        #expect(
            refusal(Forge.svg(#"<g id="a">"# + String(repeating: "<g/>", count: 1000) + "</g>" + many))
                == "content.svg-active")
    }

    /// Each reference would be looked up again for each of the groups around it.
    @Test func `references to missing elements count for the limit of an SVG`() {
        let groups = 150
        let references = String(repeating: "url(#x)", count: 500_000)
        let uses = (0..<groups).map { ##"<use href="#g\##($0)"/>"## }.joined()
        let nested = (0..<groups).map { #"<g id="g\#($0)">"# }.joined()
        let path = #"<path style="fill:\#(references)" d="M0 0"/>"#
        #expect(
            refusal(Forge.svg(uses + nested + path + String(repeating: "</g>", count: groups))) == "content.svg-active")
    }

    @Test func `the depth of SVG references is limited in any order of the elements`() {
        func chain(_ length: Int, reversed: Bool) -> [UInt8] {
            let links = (1..<length).map { ##"<g id="a\##($0)"><use href="#a\##($0 - 1)"/></g>"## }
            let elements = [#"<path id="a0" d="M0 0"/>"#] + links
            return Forge.svg((reversed ? elements.reversed() : elements).joined())
        }
        for isReversed in [false, true] {
            #expect(refusal(chain(41, reversed: isReversed)) == nil)
            #expect(refusal(chain(43, reversed: isReversed)) == "content.svg-active")
        }
    }

    @Test func `embedded pictures count against the pixel limit`() {
        var limits = ImageLimits()
        limits.pixels = 64
        #expect(refusal(Forge.svg(#"<image href="\#(Self.picture(Forge.png(8, 8)))"/>"#), limits) == nil)
        #expect(
            refusal(Forge.svg(#"<image href="\#(Self.picture(Forge.png(9, 8)))"/>"#), limits)
                == "content.image-too-large")
        limits.allPixels = 100
        let two = String(repeating: #"<image href="\#(Self.picture(Forge.png(8, 8)))"/>"#, count: 2)
        #expect(refusal(Forge.svg(two), limits) == "content.image-too-large")
        #expect(
            refusal(Forge.svg(#"<image href="\#(Self.picture(Array(Forge.png().dropLast())))"/>"#))
                == "content.image-damaged")
    }
}
