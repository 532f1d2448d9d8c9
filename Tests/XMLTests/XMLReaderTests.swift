import StoreModel
import StoreTestSupport
import Testing

@testable import StoreXML

@Suite struct XMLReaderTests {
    /// Returns the events of a document in a short notation.
    private func events(_ document: String, _ limits: XMLLimits = XMLLimits()) throws -> [String] {
        var events: [String] = []
        try XMLReader(limits: limits).read(Array(document.utf8)) { event in
            switch event {
            case .start(let element):
                let attributes = element.attributes.map {
                    " \($0.namespace.isEmpty ? "" : $0.namespace + "|")\($0.name)=\($0.value)"
                }
                let name = element.namespace.isEmpty ? element.name : element.namespace + "|" + element.name
                events.append("<\(name)\(attributes.joined())> \(element.line)")
            case .end: events.append("</>")
            case .text(let text, let line): events.append("\(text.debugDescription) \(line)")
            case .instruction(let target, let line): events.append("<?\(target)> \(line)")
            }
        }
        return events
    }

    private func refusal(_ bytes: [UInt8], _ limits: XMLLimits = XMLLimits()) -> StoreError? {
        do {
            try XMLReader(limits: limits).read(bytes) { _ in }
            return nil
        } catch {
            return error as? StoreError
        }
    }

    private func refusal(_ document: String, _ limits: XMLLimits = XMLLimits()) -> StoreError? {
        refusal(Array(document.utf8), limits)
    }

    // MARK: Accepted

    @Test func `elements, attributes and text are reported in document order`() throws {
        let document = """
            <?xml version="1.0" encoding="UTF-8"?>
            <theme xmlns="urn:t" xmlns:x="urn:x" name="Dark" x:n="2">
              <a/>é&amp;&#x41;<!-- no text --> <![CDATA[<b>]]></theme>
            <?pi more?>
            """
        let found = try events(document)
        #expect(
            found == [
                "<urn:t|theme name=Dark urn:x|n=2> 2", #""\n  " 2"#, "<urn:t|a> 3", "</>", #""é&A <b>" 3"#, "</>",
                "<?pi> 4",
            ])
    }

    @Test func `references in attributes and in text are resolved alike`() throws {
        let references = "&amp;&#38;&#x26;&amp;#38;&amp;amp;&lt;&#60;&gt;&quot;&apos;&#x41;"
        let resolved = #"&&&&#38;&amp;<<>"'A"#
        for doctype in ["", "<!DOCTYPE a SYSTEM 'http://127.0.0.1:1/x.dtd'>"] {
            var limits = XMLLimits()
            limits.acceptsEmptyDoctype = true
            let found = try events("\(doctype)<a b='\(references)'>\(references)</a>", limits)
            #expect(found == ["<a b=\(resolved)> 1", "\(resolved.debugDescription) 1", "</>"])
        }
    }

    @Test func `a byte order mark and a missing declaration are accepted`() throws {
        #expect(try events("\u{FEFF}<a/>") == ["<a> 1", "</>"])
        #expect(try events("<a/>") == ["<a> 1", "</>"])
    }

    @Test func `another declared encoding is accepted for ASCII text only`() throws {
        #expect(try events(#"<?xml version="1.0" encoding="ISO-8859-1"?><a/>"#) == ["<a> 1", "</>"])
        #expect(refusal(#"<?xml version="1.0" encoding="ISO-8859-1"?><a>é</a>"#)?.code == .xmlNotUTF8)
        for encoding in ["UTF-16", "UTF-7", "EBCDIC-US", "ISO-2022-JP", "x"] {
            let error = refusal("<?xml version='1.0' encoding='\(encoding)'?><a/>")
            #expect(error?.code == .xmlNotUTF8 && error?.number("line") == 1, "\(encoding)")
        }
    }

    @Test func `the parts of a document say the same as its events`() throws {
        let document = """
            <a xmlns="urn:a" xmlns:b="urn:b" c="1" b:c="&lt;é" d="">text<!-- --> &amp; text<a c="2"/>
            <?pi x?><b:d/></a>
            """
        var found: [String] = []
        var numbers: [XMLName: String] = [:]
        try XMLReader().readParts(Array(document.utf8)) { part in
            switch part {
            case .start(let tag):
                var text = "<\(tag.text(of: tag.namespace))|\(tag.text(of: tag.name))"
                for index in 0..<tag.attributeCount {
                    let (name, namespace) = (tag.attributeName(at: index), tag.attributeNamespace(at: index))
                    for known in [name, namespace] {
                        #expect(
                            numbers.updateValue(tag.text(of: known), forKey: known) ?? tag.text(of: known)
                                == tag.text(of: known))
                    }
                    let bytes = tag.withValue(at: index) { Array($0) }
                    #expect(bytes == Array(tag.value(at: index).utf8))
                    text += " \(tag.text(of: namespace))|\(tag.text(of: name))=\(tag.value(at: index))"
                }
                found.append(text + "> \(tag.line)")
            case .end: found.append("</>")
            case .text(let text): found.append("\(text.string.debugDescription) \(text.line)")
            case .instruction(let target, let line): found.append("<?\(target)> \(line)")
            }
        }
        #expect(
            found == [
                "<urn:a|a |c=1 urn:b|c=<é |d=> 1", #""text & text" 1"#, "<urn:a|a |c=2> 1", "</>", #""\n" 1"#,
                "<?pi> 2",
                "<urn:b|d> 2", "</>", "</>",
            ])
    }

    @Test func `attributes are counted behind a quoted end of the tag, and after short tags`() {
        var limits = XMLLimits()
        limits.attributes = 10
        let many = (0...10).map { "a\($0)=''" }.joined(separator: " ")
        for document in [
            "<a b='>' \(many)/>", "<a><b/><c \(many)/></a>", "<a></b \(many)></a>", "<a><b c='1'/>=<d \(many)/></a>",
            // A '>' at the start of a comment does not end it, and neither does another section in it begin.
            "<!--><? --><c \(many)/>", "<a><!--><![CDATA[ --><c \(many)/></a>", "<a><!--->--><c \(many)/></a>",
            "<?><!-- ?><c \(many)/>", "<a><![CDATA[]]><!-- ]]><c \(many)/></a>",
        ] {
            let error = refusal(document, limits)
            #expect([.xmlTooLarge, .xmlMalformed].contains(error?.code), "\(document): \(error?.message ?? "taken")")
        }
        #expect(refusal("<a>" + String(repeating: "<b c='='/>=", count: 50) + "</a>", limits) == nil)
        limits.acceptsEmptyDoctype = true
        for literal in ["'<!--'", "\"<!--\"", "'<'", "'<?", "'><!--'", "'[<!--'", "'\"' '<!--'"] {
            let error = refusal("<!DOCTYPE a SYSTEM \(literal)><a \(many)/><!-- -->", limits)
            #expect([.xmlTooLarge, .xmlMalformed, .xmlDoctype].contains(error?.code), "\(literal)")
        }
        #expect(refusal("<!DOCTYPE a PUBLIC '>[' \"it's\"><a \(many)/>", limits)?.code == .xmlTooLarge)
        #expect(refusal("<!DOCTYPE a PUBLIC '-//W3C//DTD SVG 1.1//EN' \"it's\"><a b=''/>", limits) == nil)
    }

    @Test func `an error of the visitor ends reading`() {
        struct Enough: Error {}
        var count = 0
        #expect(throws: Enough.self) {
            try XMLReader().read(Array("<a><b/><c/></a>".utf8)) { _ in
                count += 1
                if count == 2 { throw Enough() }
            }
        }
        #expect(count == 2)
    }

    // MARK: Rejected

    @Test(
        arguments: [
            ("", nil), (" ", 1), ("text", 1), ("<a>\n<b></a>", 2), ("<a", 1), ("<a>\n", 2), ("<a/><b/>", 1),
            ("<a b='1' b='2'/>", 1), ("<a b=c/>", 1), ("<a>\n\n&#0;</a>", 3), ("<a>\u{01}</a>", 1), ("<x:a/>", 1),
            ("<a x:b=''/>", 1), ("<a>]]></a>", 1), ("<a b='<'/>", 1), ("<a><!-- -- --></a>", 1),
        ] as [(String, Int?)])
    func `malformed XML is rejected with its line`(document: String, line: Int?) {
        let error = refusal(document)
        #expect(error?.code == .xmlMalformed, "\(document): \(error?.message ?? "taken")")
        #expect(error?.number("line") == line, "\(document): \(error?.message ?? "")")
    }

    @Test func `data that is not UTF-8 text is rejected`() {
        #expect(refusal("<a>\n\0</a>")?.number("line") == 2)
        #expect(refusal("<a>\0</a>")?.code == .xmlNotUTF8)
        let latin = refusal(Array("<a>\n<b>".utf8) + [0xE9] + Array("</b></a>".utf8))
        #expect(latin?.code == .xmlNotUTF8 && latin?.number("line") == 2)
        // Two ways to write a slash, one of which is malformed.
        #expect(refusal(Array("<a>".utf8) + [0xC0, 0xAF] + Array("</a>".utf8))?.code == .xmlNotUTF8)
        #expect(refusal([0xFF, 0xFE, 0x3C, 0x00, 0x61, 0x00, 0x2F, 0x00, 0x3E, 0x00])?.code == .xmlNotUTF8)
        #expect(refusal([0x4C, 0x6F, 0xA7, 0x94])?.code == .xmlNotUTF8)
    }

    @Test(arguments: [
        ("<!DOCTYPE a><a/>", "xml.doctype"), ("<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>", "xml.doctype"),
        ("<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "xml.doctype"), ("<a>&b;</a>", "xml.entity"),
        ("<a b='&c;'/>", "xml.entity"), ("<a>&nbsp;</a>", "xml.entity"),
    ])
    func `document types and entities are rejected`(document: String, code: String) {
        #expect(refusal(document)?.code.rawValue == code)
    }

    @Test(
        arguments: [
            ("<!DOCTYPE a><a/>", nil),
            ("<!DOCTYPE a PUBLIC '-//W3C//DTD SVG 1.1//EN' 'http://127.0.0.1:1/svg11.dtd'><a/>", nil),
            ("<!DOCTYPE a SYSTEM 'http://127.0.0.1:1/x.dtd'><a>&b;</a>", "xml.entity"),
            ("<!DOCTYPE a SYSTEM 'http://127.0.0.1:1/x.dtd'><a b='&b;'/>", "xml.entity"),
            ("<!DOCTYPE a [<!ENTITY b 'c'>]><a/>", "xml.doctype"),
            ("<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]><a/>", "xml.doctype"),
            ("<!DOCTYPE a [<!ENTITY % b SYSTEM 'http://127.0.0.1:1/x.dtd'>%b;]><a/>", "xml.doctype"),
            ("<!DOCTYPE a [%b;]><a/>", "xml.doctype"),
            ("<!DOCTYPE a [<!ELEMENT a ANY>]><a/>", "xml.doctype"),
            ("<!DOCTYPE a [<!ATTLIST a b (c|d) 'c'>]><a/>", "xml.doctype"),
            ("<!DOCTYPE a [<!NOTATION b SYSTEM 'c'>]><a/>", "xml.doctype"),
            ("<!DOCTYPE a [<!ENTITY b SYSTEM 'c' NDATA d>]><a/>", "xml.doctype"),
        ] as [(String, String?)])
    func `an empty document type is accepted on request`(document: String, code: String?) {
        var limits = XMLLimits()
        limits.acceptsEmptyDoctype = true
        #expect(refusal(document, limits)?.code.rawValue == code)
    }

    @Test func `an entity bomb is rejected at its first declaration`() {
        var document = "<!DOCTYPE a [<!ENTITY a0 'ha'>"
        for step in 1...30 { document += "<!ENTITY a\(step) '&a\(step - 1);&a\(step - 1);'>" }
        var limits = XMLLimits()
        limits.acceptsEmptyDoctype = true
        #expect(refusal(document + "]><a>&a30;</a>", limits)?.code == .xmlDoctype)
    }

    // MARK: Limits

    @Test func `each limit is exact`() throws {
        var limits = XMLLimits()
        limits.size = 100
        #expect(refusal("<a>" + String(repeating: "x", count: 93) + "</a>", limits) == nil)
        #expect(refusal("<a>" + String(repeating: "x", count: 94) + "</a>", limits)?.code == .xmlTooLarge)

        limits = XMLLimits()
        limits.depth = 3
        #expect(refusal("<a><b><c/></b></a>", limits) == nil)
        let deep = refusal("<a><b>\n<c><d/></c></b></a>", limits)
        #expect(deep?.code == .xmlTooLarge && deep?.number("line") == 2)

        limits = XMLLimits()
        limits.elements = 3
        #expect(refusal("<a><b/><b/></a>", limits) == nil)
        #expect(refusal("<a><b/><b/><b/></a>", limits)?.code == .xmlTooLarge)

        limits = XMLLimits()
        limits.attributes = 2
        #expect(refusal("<a b='=====' c='>'><!-- a=b=c=d --><![CDATA[<a b=c=d=e=f]]><?x a=b=c=d?></a>", limits) == nil)
        #expect(refusal("<a b='' c='' d=''/>", limits)?.code == .xmlTooLarge)

        limits = XMLLimits()
        limits.valueLength = 3
        #expect(refusal("<a b='123'>123</a>", limits) == nil)
        #expect(refusal("<a b='1234'/>", limits)?.code == .xmlTooLarge)
        #expect(refusal("<a>12<!-- -->34</a>", limits)?.code == .xmlTooLarge)

        limits = XMLLimits()
        limits.nameLength = 3
        #expect(refusal("<abc abc=''/>", limits) == nil)
        #expect(refusal("<abcd/>", limits)?.code == .xmlTooLarge)
        #expect(refusal("<abc abcd=''/>", limits)?.code == .xmlTooLarge)
        #expect(refusal("<a xmlns='abc' xmlns:abc='abc'/>", limits) == nil)
        #expect(refusal("<a xmlns='abcd'/>", limits)?.code == .xmlTooLarge)
        #expect(refusal("<a xmlns:abcd='abc'/>", limits)?.code == .xmlTooLarge)

        limits = XMLLimits()
        limits.names = 3
        #expect(refusal("<a b=''><b/><c a=''/><?c x?></a>", limits) == nil)
        for fourth in ["<d/>", "<a d=''/>", "<?d x?>", "<a xmlns='urn:d'/>"] {
            #expect(refusal("<a b=''><b/><c/>\(fourth)</a>", limits)?.code == .xmlTooLarge, "\(fourth)")
        }

        limits = XMLLimits()
        limits.namespaces = 2
        #expect(refusal("<a><b xmlns:c='urn:c' xmlns:d='urn:d'/><b xmlns:c='urn:c'/></a>", limits) == nil)
        #expect(refusal("<a xmlns='urn:a'><b xmlns:c='urn:c' xmlns:d='urn:d'/></a>", limits)?.code == .xmlTooLarge)
    }

    @Test(arguments: [
        // A million nested elements.
        String(repeating: "<a>", count: 1_000_000),
        // A value of ten megabytes.
        "<a b='" + String(repeating: "x", count: 10 << 20 - 100) + "'/>",
        "<a>" + String(repeating: "x", count: 10 << 20 - 100) + "</a>",
        "<" + String(repeating: "x", count: 10 << 20 - 100) + "/>",
        // A million attributes, each of which is compared with all others.
        "<a" + (0..<900_000).map { " a\($0)=''" }.joined() + "/>",
        // A million elements with distinct names.
        "<a>" + (0..<900_000).map { "<a\($0)/>" }.joined() + "</a>",
        // The URI of a namespace that many elements or attributes have.
        "<a xmlns='" + String(repeating: "u", count: 5 << 20) + "'>" + String(repeating: "<b/>", count: 400_000)
            + "</a>",
        "<a xmlns:b='" + String(repeating: "u", count: 5 << 20) + "'" + (0..<400).map { " b:a\($0)=''" }.joined()
            + "/>",
        // Elements that are never closed.
        "<a b='" + String(repeating: "<", count: 10 << 20 - 100),
        String(repeating: "<!-- ", count: 2 << 20 - 100),
        "<a>" + String(repeating: "<![CDATA[", count: 1 << 20),
        String(repeating: "<a b='", count: 1 << 20), String(repeating: "&a;", count: 1 << 20),
        "<a>" + String(repeating: "&#x41", count: 1 << 20),
    ])
    func `expensive documents are rejected at once`(document: String) {
        #expect([ErrorCode.xmlTooLarge, .xmlMalformed].contains(refusal(document)?.code), "\(document.prefix(20))")
    }

    @Test func `reading a mutated document always ends`() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        let document = Array(
            #"""
            <?xml version="1.0" encoding="UTF-8"?><!DOCTYPE a PUBLIC "x" "y"><a xmlns="urn:a" xmlns:b="urn:b" b:c="&lt;">
            <b:d e='f'>text &amp; &#x41;</b:d><!-- comment --><![CDATA[ data ]]><?pi x?></a>
            """#.utf8)
        var limits = XMLLimits()
        limits.acceptsEmptyDoctype = true
        for _ in 0..<5000 {
            var changed = document
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<changed.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: changed[place] = UInt8.random(in: 0...255, using: &random)
                case 1: changed = Array(changed.prefix(place + 1))
                case 2: changed.insert(contentsOf: changed.suffix(from: place), at: place)
                default: changed[place] = document.randomElement(using: &random)!
                }
            }
            var open = 0
            #expect(throws: Never.self, "seed \(seed)") {
                do {
                    try XMLReader(limits: limits).read(changed) { event in
                        switch event {
                        case .start: open += 1
                        case .end: open -= 1
                        default: break
                        }
                    }
                    #expect(open == 0, "seed \(seed)")
                } catch is StoreError {}
            }
        }
    }
}
