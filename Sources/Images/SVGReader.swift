import FoundationEssentials
import StoreModel
import StoreXML

/// A validator of SVG images (W3C, SVG 2): no scripts, no external references, no excessive expansion.
struct SVGReader {
    static let namespace = "http://www.w3.org/2000/svg"
    private static let xlink = "http://www.w3.org/1999/xlink"
    private static let xhtml = "http://www.w3.org/1999/xhtml"
    private static let xml = "http://www.w3.org/XML/1998/namespace"

    private let limits: ImageLimits
    /// The names of the open elements of the SVG; empty for an element of another namespace than SVG's.
    private var open: [String] = []
    /// The texts of the open `style` elements, each with the line on which it begins.
    ///
    /// Elements and instructions may divide the text of a style, which browsers join.
    private var styles: [(text: String, line: Int)] = []
    private var references = SVGReferences()
    private var size: (width: Int, height: Int)?
    /// The number of pixels of all raster images that are embedded in the SVG.
    private var innerPixels = 0

    private init(_ limits: ImageLimits) { self.limits = limits }

    static func read(_ bytes: ImageBytes, limits: ImageLimits) throws -> ImageFacts {
        guard bytes.count <= limits.drawingSize else {
            throw StoreError(
                .imageFileTooLarge, ["size": .bytes(bytes.count), "limit": .bytes(limits.drawingSize)])
        }
        var bytes = bytes
        var reader = SVGReader(limits)
        var rules = XMLLimits()
        rules.size = limits.drawingSize
        rules.acceptsEmptyDoctype = true
        do {
            try XMLReader(limits: rules).read(Array(bytes.bytes(at: 0, bytes.count))) { try reader.take($0) }
        } catch let error as StoreError where error.isXMLError {
            throw StoreError.svg(error)
        }
        try reader.references.check()
        return ImageFacts(
            format: .svg, width: reader.size?.width ?? 0, height: reader.size?.height ?? 0, frames: 1)
    }

    private mutating func take(_ event: XMLEvent) throws {
        switch event {
        case .start(let element): try start(element)
        case .end:
            references.end()
            if open.removeLast() == "style" {
                let style = styles.removeLast()
                try checkStyle(style.text, line: style.line)
            }
        case .text(let text, let line):
            guard open.last == "style", let last = styles.indices.last else { return }
            if styles[last].text.isEmpty { styles[last].line = line }
            styles[last].text += text
        case .instruction(let target, let line):
            guard target.lowercased() != "xml-stylesheet" else { throw StoreError(.svgStyleSheet, ["line": line]) }
        }
    }

    // MARK: Elements

    /// The names of SVG elements that run code or embed other content, which are rejected.
    private static let forbidden: Set<String> = [
        "script", "handler", "listener", "foreignobject", "iframe", "object", "embed", "applet", "audio", "video",
        "canvas", "link", "meta", "base", "portal",
    ]
    private static let animations: Set<String> = [
        "animate", "set", "animatecolor", "animatemotion", "animatetransform",
    ]

    private mutating func start(_ element: XMLElement) throws {
        let name = element.name.lowercased()
        if open.isEmpty {
            // Some old files lack the namespace; they are accepted, although browsers don't render them.
            guard element.name == "svg", [SVGReader.namespace, ""].contains(element.namespace) else {
                throw StoreError(.svgRootInvalid, ["namespace": SVGReader.namespace])
            }
            size = SVGSize(element).map { ($0.width, $0.height) }
            if let size, size.width > 0, size.height > 0 { try limits.check(width: size.width, height: size.height) }
        }
        // Elements of other namespaces are data of drawing programs, without effect.
        let isDrawing = [SVGReader.namespace, ""].contains(element.namespace)
        // What an element requires has an effect on elements that are shown only: a script is executed in any case.
        let isExempt = name == "foreignobject" && SVGReader.isNeverShown(element)
        let isForbidden = isDrawing && SVGReader.forbidden.contains(name) && !isExempt
        guard !isForbidden, element.namespace != SVGReader.xhtml else {
            throw StoreError(.svgElement, ["line": element.line, "element": .untrusted(element.name)])
        }
        open.append(isDrawing ? name : "")
        if isDrawing, name == "style" { styles.append(("", element.line)) }
        references.start(id: element["id"])
        for attribute in element.attributes { try check(attribute, of: element, isDrawing: isDrawing) }
    }

    /// Returns whether browsers never show a `foreignObject`, because it requires extensions of Adobe's programs.
    ///
    /// Adobe's programs use such elements for data of their own.
    private static func isNeverShown(_ element: XMLElement) -> Bool {
        let extensions = element["requiredExtensions"]?.split(separator: " ") ?? []
        return !extensions.isEmpty && extensions.allSatisfy { $0.hasPrefix("http://ns.adobe.com/") }
    }

    private mutating func check(_ attribute: XMLAttribute, of element: XMLElement, isDrawing: Bool) throws {
        let name = attribute.name.lowercased()
        let isOwn = attribute.namespace.isEmpty
        if isOwn, name.hasPrefix("on"), name.allSatisfy(\.isLetter) {
            throw StoreError(.svgEventAttribute, ["line": element.line, "attribute": .untrusted(attribute.name)])
        }
        if attribute.namespace == SVGReader.xml, name == "base" {
            throw StoreError(.svgBaseAttribute, ["line": element.line])
        }
        guard isDrawing else { return }
        if ["href", "src"].contains(name), isOwn || attribute.namespace == SVGReader.xlink {
            try checkReference(attribute.value, from: element)
        }
        if SVGReader.animations.contains(element.name.lowercased()) {
            try checkAnimation(name, attribute.value, element.line)
        }
        if isOwn { try checkStyle(attribute.value, line: element.line) { references.refer(to: $0) } }
    }

    /// Rejects an SVG animation that changes a reference or an event attribute.
    private func checkAnimation(_ name: String, _ value: String, _ line: Int) throws {
        let value = value.lowercased()
        if name == "attributename" {
            let target = value.split(separator: ":").last.map { $0.filter { !$0.isWhitespace } } ?? ""
            if target.hasSuffix("href") || target.hasPrefix("on") || target == "src" {
                throw StoreError(.svgAnimatedAttribute, ["line": line, "attribute": .untrusted(target)])
            }
        } else if ["to", "from", "by", "values"].contains(name), value.contains("script:") {
            throw StoreError(.svgAnimatedAddress, ["line": line])
        }
    }

    // MARK: References

    private mutating func checkReference(_ address: String, from element: XMLElement) throws {
        let address = address.trimmingPrefix(while: \.isWhitespace)
        if address.isEmpty { return }
        if address.first == "#" {
            if ["use", "feImage", "pattern", "tref"].contains(element.name) {
                references.refer(to: String(address.dropFirst()))
            }
            return
        }
        guard ["image", "feImage"].contains(element.name), address.prefix(5).lowercased() == "data:" else {
            throw StoreError(.svgReference, ["line": element.line, "address": .untrusted(address)])
        }
        try checkInner(address, element.line)
    }

    /// Validates a raster image that is embedded in the SVG as a `data:` URL, as if it were a file.
    private mutating func checkInner(_ address: Substring, _ line: Int) throws {
        let parts = address.split(separator: ",", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased().filter({ !$0.isWhitespace }).hasSuffix(";base64"),
            let data = Data(base64Encoded: String(parts[1].filter { !$0.isWhitespace }))
        else { throw StoreError(.svgPictureEncoding, ["line": line]) }
        let bytes = Array(data)
        guard let format = ImageFormat(head: bytes.prefix(ImageFormat.headLength)), format != .svg else {
            throw StoreError(.svgPictureFormat, ["line": line])
        }
        let facts = try ImageReader(limits: limits).read(bytes, as: format)
        innerPixels += facts.width * facts.height * facts.frames
        guard innerPixels <= limits.allPixels else {
            throw StoreError(.svgPicturesTooLarge, ["limit": limits.allPixels])
        }
    }

    /// Rejects active content in a CSS style of the SVG.
    ///
    /// - Parameter refer: called with the identifier of each element that the style refers to.
    private func checkStyle(_ style: String, line: Int, refer: (String) -> Void = { _ in }) throws {
        do {
            try StyleReferences.visit(style, refer)
        } catch {
            throw StoreError(.svgStyle, ["line": line, "text": .untrusted(error.text)])
        }
    }
}
