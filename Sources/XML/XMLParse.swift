import StoreCXML
import StoreModel

/// The parsing of one XML document with libxml2 (SAX 2), which enforces limits and passes each part to a function.
///
/// It is a value to which libxml2 gets a pointer: the fields of an object would be checked for overlapping access at each
/// use, which takes a tenth of the time of parsing.
struct XMLParse {
    private let limits: XMLLimits
    private let visit: (borrowing XMLPart) throws -> Void
    private var context: xmlParserCtxtPtr?
    /// The first error of a callback from libxml2, which calls back a few more times after that error has stopped it.
    private var failure: (any Error)?

    private var elements = 0
    /// The number of namespace declarations of each open XML element, the root first.
    private var declarations: [Int] = []
    private var namespaces = 0
    private var names = XMLNameTable()
    /// The attributes of the start tag that is being reported, followed by those of earlier tags that had more.
    private var attributes: [XMLTag.Attribute] = []
    private var text: [UInt8] = []
    private var textLine = 1

    init(limits: XMLLimits, visit: @escaping (borrowing XMLPart) throws -> Void) {
        self.limits = limits
        self.visit = visit
    }

    /// Parses an XML document and reports its parts.
    ///
    /// - Parameter bytes: the document without a byte order mark, validated by ``XMLScan``.
    /// - Throws: `StoreError` with a code `xml.…`, also for an empty document; or the error that the function threw that
    ///   receives the parts.
    mutating func run(_ bytes: UnsafeRawBufferPointer) throws {
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
        // The pointer is valid until libxml2 returns, and nothing else accesses this value meanwhile.
        withUnsafeMutablePointer(to: &self) { parse in
            context.pointee.userData = UnsafeMutableRawPointer(parse)
            xmlParseDocument(context)
            context.pointee.userData = nil
        }
        if let failure { throw failure }
        guard context.pointee.wellFormed == 1 else { throw StoreError(.xmlMalformed) }
    }

    // MARK: Callbacks

    private var line: Int {
        guard let input = context?.pointee.input else { return 1 }
        return Int(input.pointee.line)
    }

    /// Runs the body of a callback from libxml2, and stops the parser if it throws.
    ///
    /// After an earlier error it does nothing.
    ///
    /// - Parameter data: the user data that libxml2 passes to a callback: the pointer to the parse.
    private static func handle(_ data: UnsafeMutableRawPointer?, _ body: (inout XMLParse) throws -> Void) {
        guard let parse = data?.assumingMemoryBound(to: XMLParse.self), parse.pointee.failure == nil else { return }
        do {
            try body(&parse.pointee)
        } catch {
            parse.pointee.failure = error
            xmlStopParser(parse.pointee.context)
        }
    }

    private func error(_ template: ErrorTemplate, _ arguments: ErrorArguments = [:]) -> StoreError {
        StoreError(template, arguments).located(line: line)
    }

    private mutating func start(
        name: UnsafePointer<xmlChar>?, namespace: UnsafePointer<xmlChar>?, declared: Int32,
        _ declarations: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, attributes attributeCount: Int32,
        _ pointers: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
    ) throws {
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
        let count = pointers == nil ? 0 : Int(attributeCount)
        for index in 0..<count {
            let attribute = try attribute(pointers! + 5 * index)
            if index < attributes.count { attributes[index] = attribute } else { attributes.append(attribute) }
        }
        let (name, namespace) = (try self.name(name), try self.name(namespace))
        try attributes.withUnsafeBufferPointer { attributes in
            try names.texts.withUnsafeBufferPointer { texts in
                try visit(
                    .start(
                        XMLTag(
                            name: name, namespace: namespace, line: line,
                            attributes: UnsafeBufferPointer(rebasing: attributes[..<count]), names: texts)))
            }
        }
    }

    /// Converts an XML attribute from libxml2's five pointers: name, prefix, namespace, start and end of the value.
    ///
    /// - Throws: `xml.too-large` if its value or name is too long, or one name too many; `xml.failed` if it has no
    ///   value.
    private mutating func attribute(
        _ pointers: UnsafeMutablePointer<UnsafePointer<xmlChar>?>
    ) throws -> XMLTag.Attribute {
        guard let start = pointers[3], let end = pointers[4] else {
            throw error(.xmlLibraryFailed, ["reason": "an attribute has no value"])
        }
        let value = UnsafeBufferPointer(start: start, count: end - start)
        if value.count > limits.valueLength {
            throw error(.xmlValueTooLong, ["size": .bytes(value.count), "limit": .bytes(limits.valueLength)])
        }
        return XMLTag.Attribute(name: try name(pointers[0]), namespace: try name(pointers[2]), value: value)
    }

    /// Returns an XML name, or a namespace's prefix or URI; `nil` becomes empty.
    ///
    /// - Throws: `xml.too-large` if it is longer than ``XMLLimits/nameLength``, or more than ``XMLLimits/names`` names
    ///   were seen.
    private mutating func name(_ address: UnsafePointer<xmlChar>?) throws -> XMLName {
        guard let address else { return .empty }
        if let known = names.known(address) { return known }
        let name = names.add(address)
        if names.count > limits.names { throw error(.xmlNamesExceeded, ["limit": limits.names]) }
        let size = names.texts[name.number].utf8.count
        if size > limits.nameLength {
            throw error(.xmlNameTooLong, ["size": .bytes(size), "limit": .bytes(limits.nameLength)])
        }
        return name
    }

    private func text(_ text: UnsafePointer<xmlChar>?) -> String { text.map { String(cString: $0) } ?? "" }

    private mutating func end() throws {
        try reportText()
        namespaces -= declarations.popLast() ?? 0
        try visit(.end)
    }

    private mutating func characters(_ bytes: UnsafePointer<xmlChar>?, _ count: Int32) throws {
        let chunk = UnsafeBufferPointer(start: bytes, count: Int(count))
        // libxml2 reports a chunk of text after it has read past it.
        if text.isEmpty { textLine = max(1, line - chunk.count { $0 == UInt8(ascii: "\n") }) }
        text.append(contentsOf: chunk)
        if text.count > limits.valueLength {
            throw error(.xmlTextTooLong, ["size": .bytes(text.count), "limit": .bytes(limits.valueLength)])
        }
    }

    private mutating func reportText() throws {
        if text.isEmpty { return }
        defer { text.removeAll(keepingCapacity: true) }
        try text.withUnsafeBufferPointer { try visit(.text(XMLText(bytes: $0, line: textLine))) }
    }

    private mutating func instruction(_ target: UnsafePointer<xmlChar>?) throws {
        try reportText()
        let name = try name(target)
        try visit(.instruction(target: names.texts[name.number], line: line))
    }

    /// Rejects an XML document type, except one without declarations if ``XMLLimits/acceptsEmptyDoctype`` is set.
    ///
    /// - Parameter declares: `true` for a declaration inside the document type, which is always rejected; `false` for
    ///   the document type itself.
    private func doctype(declares: Bool) throws {
        if limits.acceptsEmptyDoctype, !declares { return }
        throw error(declares ? .xmlDeclaration : .xmlDoctype)
    }

    private func entity(_ entity: UnsafePointer<xmlChar>?) throws {
        throw error(.xmlEntity, ["entity": .untrusted(text(entity))])
    }

    private func failed(_ error: xmlError) throws {
        // Warnings don't make a document invalid.
        guard error.level.rawValue >= XML_ERR_ERROR.rawValue else { return }
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

    // MARK: Registration

    /// The functions that libxml2 calls for each part of an XML document.
    ///
    /// The callbacks for comments, and those that would build a tree, are not set.
    private static var callbacks: xmlSAXHandler {
        var sax = xmlSAXHandler()
        cxml_take_structured_errors(&sax)
        sax.startElementNs = { data, name, _, namespace, declared, declarations, count, _, attributes in
            XMLParse.handle(data) {
                try $0.start(
                    name: name, namespace: namespace, declared: declared, declarations, attributes: count, attributes)
            }
        }
        sax.endElementNs = { data, _, _, _ in XMLParse.handle(data) { try $0.end() } }
        sax.characters = { data, bytes, count in XMLParse.handle(data) { try $0.characters(bytes, count) } }
        // The same function, so that libxml2 does not decide which white space matters.
        sax.ignorableWhitespace = sax.characters
        sax.cdataBlock = sax.characters
        sax.processingInstruction = { data, target, _ in XMLParse.handle(data) { try $0.instruction(target) } }
        sax.internalSubset = { data, _, _, _ in XMLParse.handle(data) { try $0.doctype(declares: false) } }
        sax.entityDecl = { data, _, _, _, _, _ in XMLParse.handle(data) { try $0.doctype(declares: true) } }
        sax.unparsedEntityDecl = { data, _, _, _, _ in XMLParse.handle(data) { try $0.doctype(declares: true) } }
        sax.notationDecl = { data, _, _, _ in XMLParse.handle(data) { try $0.doctype(declares: true) } }
        sax.elementDecl = { data, _, _, _ in XMLParse.handle(data) { try $0.doctype(declares: true) } }
        sax.attributeDecl = { data, _, _, _, _, _, values in
            xmlFreeEnumeration(values)
            XMLParse.handle(data) { try $0.doctype(declares: true) }
        }
        sax.getParameterEntity = { data, _ in
            XMLParse.handle(data) { try $0.doctype(declares: true) }
            return nil
        }
        sax.getEntity = { data, name in
            XMLParse.handle(data) { try $0.entity(name) }
            return nil
        }
        sax.serror = { data, error in
            guard let error else { return }
            XMLParse.handle(data) { try $0.failed(error.pointee) }
        }
        return sax
    }
}
