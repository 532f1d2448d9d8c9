import StoreCXML
import StoreModel

/// The parsing of one XML document with libxml2 (SAX 2), which enforces limits and passes each event to a function.
final class XMLParse {
    private let limits: XMLLimits
    private let visit: (XMLEvent) throws -> Void
    private var context: xmlParserCtxtPtr?
    /// The first error of a callback from libxml2, which calls back a few more times after that error has stopped it.
    private var failure: (any Error)?

    private var elements = 0
    /// The number of namespace declarations of each open XML element, the root first.
    private var declarations: [Int] = []
    private var namespaces = 0
    /// The XML names, and the prefixes and URIs of namespaces, that were seen so far, by the addresses that libxml2 gave
    /// them.
    ///
    /// libxml2 stores each name once and keeps it as long as the context: equal names have one address, and no other text
    /// gets it.
    private var names: [UnsafePointer<xmlChar>: String] = [:]
    private var text: [UInt8] = []
    private var textLine = 1

    init(limits: XMLLimits, visit: @escaping (XMLEvent) throws -> Void) {
        self.limits = limits
        self.visit = visit
    }

    /// Parses an XML document and reports its events.
    ///
    /// - Parameter bytes: the document without a byte order mark, validated by ``XMLScan``.
    /// - Throws: `StoreError` with a code `xml.…`, also for an empty document; or the error that the event handler
    ///   threw.
    func run(_ bytes: UnsafeRawBufferPointer) throws {
        guard let first = bytes.baseAddress, !bytes.isEmpty else { throw StoreError(.xmlEmpty) }
        guard
            let context = xmlCreateMemoryParserCtxt(
                first.assumingMemoryBound(to: CChar.self), Int32(clamping: bytes.count))
        else { throw StoreError(.xmlOutOfMemory) }
        self.context = context
        defer {
            self.context = nil
            // libxml2 allocates a document for declared entities even without a tree; found by fuzzing.
            xmlFreeDoc(context.pointee.myDoc)
            context.pointee.myDoc = nil
            xmlFreeParserCtxt(context)
        }
        // No network access, and the validated encoding instead of the declared one. Only if entities are replaced does
        // libxml2 report '&amp;' in an attribute as '&', and not as '&#38;'; `entity` rejects all but the predefined ones.
        let options = XML_PARSE_NONET.rawValue | XML_PARSE_IGNORE_ENC.rawValue | XML_PARSE_NOENT.rawValue
        xmlCtxtUseOptions(context, Int32(options))
        context.pointee.sax.pointee = XMLParse.callbacks
        try withExtendedLifetime(self) {
            context.pointee.userData = Unmanaged.passUnretained(self).toOpaque()
            xmlParseDocument(context)
            if let failure { throw failure }
            guard context.pointee.wellFormed == 1 else { throw StoreError(.xmlMalformed) }
        }
    }

    // MARK: Callbacks

    private var line: Int {
        guard let input = context?.pointee.input else { return 1 }
        return Int(input.pointee.line)
    }

    /// Runs the body of a callback from libxml2, and stops the parser if it throws.
    ///
    /// After an earlier error it does nothing.
    private func handle(_ body: () throws -> Void) {
        guard failure == nil else { return }
        do {
            try body()
        } catch {
            failure = error
            xmlStopParser(context)
        }
    }

    private func error(_ template: ErrorTemplate, _ arguments: ErrorArguments = [:]) -> StoreError {
        StoreError(template, arguments).located(line: line)
    }

    fileprivate func start(
        name: UnsafePointer<xmlChar>?, namespace: UnsafePointer<xmlChar>?, declared: Int32,
        _ declarations: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, attributes attributeCount: Int32,
        _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
    ) {
        handle {
            try reportText()
            elements += 1
            self.declarations.append(Int(declared))
            namespaces += Int(declared)
            if elements > limits.elements { throw error(.xmlElementsExceeded, ["limit": limits.elements]) }
            if self.declarations.count > limits.depth { throw error(.xmlDepthExceeded, ["limit": limits.depth]) }
            // Every element and attribute is reported with the URI of its namespace: a long one would multiply.
            for index in 0..<(2 * Int(declared)) { _ = try self.name(declarations?[index]) }
            if namespaces > limits.namespaces { throw error(.xmlNamespacesExceeded, ["limit": limits.namespaces]) }
            if Int(attributeCount) > limits.attributes {
                throw error(.xmlAttributesExceeded, ["limit": limits.attributes])
            }
            let converted = try (0..<Int(attributeCount)).map { try attribute(attributes! + 5 * $0) }
            let element = XMLElement(
                name: try self.name(name), namespace: try self.name(namespace), attributes: converted, line: line)
            try visit(.start(element))
        }
    }

    /// Converts an XML attribute from libxml2's five pointers: name, prefix, namespace, start and end of the value.
    ///
    /// - Throws: `xml.too-large` if its value or name is too long, or one name too many; `xml.failed` if it has no
    ///   value.
    private func attribute(_ pointers: UnsafeMutablePointer<UnsafePointer<xmlChar>?>) throws -> XMLAttribute {
        guard let start = pointers[3], let end = pointers[4] else {
            throw error(.xmlLibraryFailed, ["reason": "an attribute has no value"])
        }
        let value = UnsafeBufferPointer(start: start, count: end - start)
        if value.count > limits.valueLength {
            throw error(.xmlValueTooLong, ["size": .bytes(value.count), "limit": .bytes(limits.valueLength)])
        }
        return XMLAttribute(
            name: try name(pointers[0]), namespace: try name(pointers[2]),
            value: String(decoding: value, as: UTF8.self))
    }

    /// Returns an XML name, or a namespace's prefix or URI, as a string; `nil` becomes empty.
    ///
    /// - Throws: `xml.too-large` if it is longer than ``XMLLimits/nameLength``, or more than ``XMLLimits/names`` names
    ///   were seen.
    private func name(_ address: UnsafePointer<xmlChar>?) throws -> String {
        guard let address else { return "" }
        if let known = names[address] { return known }
        let name = text(address)
        names[address] = name
        if names.count > limits.names { throw error(.xmlNamesExceeded, ["limit": limits.names]) }
        if name.utf8.count > limits.nameLength {
            throw error(.xmlNameTooLong, ["size": .bytes(name.utf8.count), "limit": .bytes(limits.nameLength)])
        }
        return name
    }

    private func text(_ text: UnsafePointer<xmlChar>?) -> String { text.map { String(cString: $0) } ?? "" }

    fileprivate func end() {
        handle {
            try reportText()
            namespaces -= declarations.popLast() ?? 0
            try visit(.end)
        }
    }

    fileprivate func characters(_ bytes: UnsafePointer<xmlChar>?, _ count: Int32) {
        handle {
            let chunk = UnsafeBufferPointer(start: bytes, count: Int(count))
            // libxml2 reports a chunk of text after it has read past it.
            if text.isEmpty { textLine = max(1, line - chunk.count { $0 == UInt8(ascii: "\n") }) }
            text.append(contentsOf: chunk)
            if text.count > limits.valueLength {
                throw error(.xmlTextTooLong, ["size": .bytes(text.count), "limit": .bytes(limits.valueLength)])
            }
        }
    }

    private func reportText() throws {
        if text.isEmpty { return }
        defer { text.removeAll(keepingCapacity: true) }
        try visit(.text(String(decoding: text, as: UTF8.self), line: textLine))
    }

    fileprivate func instruction(_ target: UnsafePointer<xmlChar>?) {
        handle {
            try reportText()
            try visit(.instruction(target: name(target), line: line))
        }
    }

    /// Rejects an XML document type, except one without declarations if ``XMLLimits/acceptsEmptyDoctype`` is set.
    ///
    /// - Parameter declares: `true` for a declaration inside the document type, which is always rejected; `false` for
    ///   the document type itself.
    fileprivate func doctype(declares: Bool) {
        handle {
            if limits.acceptsEmptyDoctype, !declares { return }
            throw error(declares ? .xmlDeclaration : .xmlDoctype)
        }
    }

    fileprivate func entity(_ entity: UnsafePointer<xmlChar>?) {
        handle {
            throw error(.xmlEntity, ["entity": .untrusted(text(entity))])
        }
    }

    fileprivate func failed(_ error: xmlError) {
        // Warnings don't make a document invalid.
        guard error.level.rawValue >= XML_ERR_ERROR.rawValue else { return }
        handle {
            let text = error.message.map { String(cString: $0) } ?? "not well-formed"
            let reason = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? text
            let template: ErrorTemplate =
                switch error.code {
                case Int32(XML_ERR_NO_MEMORY.rawValue): .xmlLibraryFailed
                // The limits of libxml2 itself, where they are lower.
                case Int32(XML_ERR_INTERNAL_ERROR.rawValue), Int32(XML_ERR_NAME_TOO_LONG.rawValue): .xmlLibraryLimit
                default: .xmlSyntax
                }
            throw StoreError(template, ["reason": reason])
                .located(line: Int(error.line), column: error.int2 > 0 ? Int(error.int2) : nil)
        }
    }

    // MARK: Registration

    /// The functions that libxml2 calls for each part of an XML document.
    ///
    /// The callbacks for comments, and those that would build a tree, are not set.
    private static var callbacks: xmlSAXHandler {
        var sax = xmlSAXHandler()
        cxml_take_structured_errors(&sax)
        sax.startElementNs = { data, name, _, namespace, declared, declarations, count, _, attributes in
            parse(data).start(
                name: name, namespace: namespace, declared: declared, declarations, attributes: count, attributes)
        }
        sax.endElementNs = { data, _, _, _ in parse(data).end() }
        sax.characters = { data, bytes, count in parse(data).characters(bytes, count) }
        // The same function, so that libxml2 does not decide which white space matters.
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

/// Returns the object of the parse from the user data that libxml2 passes to a callback.
///
/// The parser is retained until libxml2 returns, so the reference is valid in every callback.
private func parse(_ data: UnsafeMutableRawPointer?) -> XMLParse {
    Unmanaged<XMLParse>.fromOpaque(data!).takeUnretainedValue()
}
