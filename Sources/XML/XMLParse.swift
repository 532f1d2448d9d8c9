import StoreCXML
import StoreModel

/// One run of libxml2 over a document: takes what it tells of, holds it to the limits, and hands it on.
final class XMLParse {
    private let limits: XMLLimits
    private let visit: (XMLEvent) throws -> Void
    private var context: xmlParserCtxtPtr?
    /// The first reason to end; libxml2 tells of some more things until it notices that it was stopped.
    private var failure: (any Error)?

    private var elements = 0
    /// How many namespaces each open element declares.
    private var declarations: [Int] = []
    private var namespaces = 0
    /// libxml2 keeps each name once, and so its place tells it.
    private var names: Set<UnsafePointer<xmlChar>> = []
    private var text: [UInt8] = []
    private var textLine = 1

    init(limits: XMLLimits, visit: @escaping (XMLEvent) throws -> Void) {
        self.limits = limits
        self.visit = visit
    }

    /// - Parameter bytes: checked by ``XMLScan``.
    func run(_ bytes: UnsafeRawBufferPointer) throws {
        guard let first = bytes.baseAddress, !bytes.isEmpty else { throw XMLError(.xmlMalformed, "it is empty") }
        guard
            let context = xmlCreateMemoryParserCtxt(
                first.assumingMemoryBound(to: CChar.self), Int32(clamping: bytes.count))
        else { throw XMLError(.xmlFailed, "libxml2 has no memory for it. Free some and try again") }
        self.context = context
        defer {
            self.context = nil
            // Made for entities that a document declares, although nobody asked for a tree; found by fuzzing.
            xmlFreeDoc(context.pointee.myDoc)
            context.pointee.myDoc = nil
            xmlFreeParserCtxt(context)
        }
        // Nothing is fetched, and the encoding is the one that was checked, whatever the document says.
        xmlCtxtUseOptions(context, Int32(XML_PARSE_NONET.rawValue | XML_PARSE_IGNORE_ENC.rawValue))
        context.pointee.sax.pointee = XMLParse.callbacks
        try withExtendedLifetime(self) {
            context.pointee.userData = Unmanaged.passUnretained(self).toOpaque()
            xmlParseDocument(context)
            if let failure { throw failure }
            guard context.pointee.wellFormed == 1 else { throw XMLError(.xmlMalformed, "it is not well-formed") }
        }
    }

    // MARK: What libxml2 tells

    private var line: Int {
        guard let input = context?.pointee.input else { return 1 }
        return Int(input.pointee.line)
    }

    /// Does what one callback asks for, unless reading has ended.
    private func step(_ body: () throws -> Void) {
        guard failure == nil else { return }
        do {
            try body()
        } catch {
            failure = error
            xmlStopParser(context)
        }
    }

    private func tooLarge(_ what: String) -> XMLError {
        XMLError(.xmlTooLarge, "\(what), more than are read", line: line)
    }

    fileprivate func start(
        name: UnsafePointer<xmlChar>?, namespace: UnsafePointer<xmlChar>?, declared: Int32,
        _ declarations: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, attributes count: Int32,
        _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
    ) {
        step {
            try tellText()
            elements += 1
            self.declarations.append(Int(declared))
            namespaces += Int(declared)
            if elements > limits.elements { throw tooLarge("it has more than \(limits.elements) elements") }
            if self.declarations.count > limits.depth { throw tooLarge("elements lie \(self.declarations.count) deep") }
            for place in 0..<(2 * Int(declared)) { try know(declarations?[place]) }
            if namespaces > limits.namespaces { throw tooLarge("\(namespaces) namespaces hold here") }
            if Int(count) > limits.attributes { throw tooLarge("an element has \(count) attributes") }
            let made = try (0..<Int(count)).map { try attribute(attributes! + 5 * $0) }
            let element = XMLElement(
                name: try self.name(name), namespace: text(namespace), attributes: made, line: line)
            try visit(.start(element))
        }
    }

    /// Five pointers an attribute: name, prefix, namespace, start and end of the value.
    private func attribute(_ parts: UnsafeMutablePointer<UnsafePointer<xmlChar>?>) throws -> XMLAttribute {
        guard let start = parts[3], let end = parts[4] else { throw XMLError(.xmlFailed, "libxml2 gave no value") }
        let value = UnsafeBufferPointer(start: start, count: end - start)
        if value.count > limits.valueLength { throw tooLarge("an attribute has \(value.count) bytes") }
        return XMLAttribute(
            name: try name(parts[0]), namespace: text(parts[2]), value: String(decoding: value, as: UTF8.self))
    }

    /// Counts a name, or an address of a namespace, where it is a new one.
    private func know(_ name: UnsafePointer<xmlChar>?) throws {
        guard let name, names.insert(name).inserted, names.count > limits.names else { return }
        throw tooLarge("it has more than \(limits.names) different names")
    }

    private func name(_ name: UnsafePointer<xmlChar>?) throws -> String {
        try know(name)
        let name = text(name)
        if name.utf8.count > limits.nameLength { throw tooLarge("a name has \(name.utf8.count) bytes") }
        return name
    }

    private func text(_ text: UnsafePointer<xmlChar>?) -> String { text.map { String(cString: $0) } ?? "" }

    fileprivate func end() {
        step {
            try tellText()
            namespaces -= declarations.popLast() ?? 0
            try visit(.end)
        }
    }

    fileprivate func characters(_ bytes: UnsafePointer<xmlChar>?, _ count: Int32) {
        step {
            let piece = UnsafeBufferPointer(start: bytes, count: Int(count))
            // libxml2 tells of a piece once it is behind it.
            if text.isEmpty { textLine = max(1, line - piece.count { $0 == UInt8(ascii: "\n") }) }
            text.append(contentsOf: piece)
            if text.count > limits.valueLength { throw tooLarge("text has \(text.count) bytes") }
        }
    }

    private func tellText() throws {
        if text.isEmpty { return }
        defer { text.removeAll(keepingCapacity: true) }
        try visit(.text(String(decoding: text, as: UTF8.self), line: textLine))
    }

    fileprivate func instruction(_ target: UnsafePointer<xmlChar>?) {
        step {
            try tellText()
            try visit(.instruction(target: name(target), line: line))
        }
    }

    /// - Parameter declares: whether it is what a document type declares, and not only that there is one.
    fileprivate func doctype(declares: Bool) {
        step {
            if limits.takesEmptyDoctype, !declares { return }
            throw XMLError(
                .xmlDoctype, declares ? "its document type declares something" : "it has a document type", line: line)
        }
    }

    fileprivate func entity(_ entity: UnsafePointer<xmlChar>?) {
        step {
            throw XMLError(.xmlEntity, "the entity '&\(text(entity).prefix(60));' is none that is known", line: line)
        }
    }

    fileprivate func failed(_ error: xmlError) {
        // Warnings are about what is odd and not wrong.
        guard error.level.rawValue >= XML_ERR_ERROR.rawValue else { return }
        step {
            let said = error.message.map { String(cString: $0) } ?? "it is not well-formed"
            let reason = said.split(whereSeparator: \.isNewline).first.map(String.init) ?? said
            let code: ErrorCode =
                switch error.code {
                case Int32(XML_ERR_NO_MEMORY.rawValue): .xmlFailed
                // Where libxml2's own limits are lower than ours.
                case Int32(XML_ERR_INTERNAL_ERROR.rawValue), Int32(XML_ERR_NAME_TOO_LONG.rawValue): .xmlTooLarge
                default: .xmlMalformed
                }
            throw XMLError(code, reason, line: Int(error.line), column: error.int2 > 0 ? Int(error.int2) : nil)
        }
    }

    // MARK: The door

    /// All that is not set here is not wanted: comments, and what builds a tree.
    private static var callbacks: xmlSAXHandler {
        var sax = xmlSAXHandler()
        cxml_take_structured_errors(&sax)
        sax.startElementNs = { data, name, _, namespace, declared, declarations, count, _, attributes in
            parse(data).start(
                name: name, namespace: namespace, declared: declared, declarations, attributes: count, attributes)
        }
        sax.endElementNs = { data, _, _, _ in parse(data).end() }
        sax.characters = { data, bytes, count in parse(data).characters(bytes, count) }
        // The same function, so that libxml2 does not guess which white space matters.
        sax.ignorableWhitespace = sax.characters
        sax.cdataBlock = sax.characters
        sax.processingInstruction = { data, target, _ in parse(data).instruction(target) }
        sax.internalSubset = { data, _, _, _ in parse(data).doctype(declares: false) }
        sax.entityDecl = { data, _, _, _, _, _ in parse(data).doctype(declares: true) }
        sax.unparsedEntityDecl = { data, _, _, _, _ in parse(data).doctype(declares: true) }
        sax.notationDecl = { data, _, _, _ in parse(data).doctype(declares: true) }
        sax.elementDecl = { data, _, _, _ in parse(data).doctype(declares: true) }
        sax.attributeDecl = { data, _, _, _, _, _, values in
            xmlFreeEnumeration(values)
            parse(data).doctype(declares: true)
        }
        sax.getParameterEntity = { data, _ in
            parse(data).doctype(declares: true)
            return nil
        }
        sax.getEntity = { data, name in
            parse(data).entity(name)
            return nil
        }
        sax.serror = { data, error in
            if let error { parse(data).failed(error.pointee) }
        }
        return sax
    }
}

/// libxml2 hands back what it was given; the run outlives it.
private func parse(_ data: UnsafeMutableRawPointer?) -> XMLParse {
    Unmanaged<XMLParse>.fromOpaque(data!).takeUnretainedValue()
}
