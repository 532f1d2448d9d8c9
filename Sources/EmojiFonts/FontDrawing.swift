import StoreImages
import StoreModel
import StoreXML

/// An SVG document of a font (OpenType, table SVG), which draws one glyph or several.
///
/// The element whose identifier is `glyph` and the glyph's number draws that glyph. What the other glyphs need is no part
/// of its picture.
struct FontDrawing {
    private static let xlink = "http://www.w3.org/1999/xlink"
    private static let svg = "http://www.w3.org/2000/svg"
    private static let xml = "http://www.w3.org/XML/1998/namespace"

    private enum Child {
        case element(Int)
        case text(String)
    }

    /// An element of the document; elements of other namespaces than SVG's have no effect and are not here.
    private struct Element {
        let name: String
        let attributes: [(name: String, value: String)]
        let parent: Int?
        var children: [Child] = []
        /// The index of the first element after this one and its descendants.
        var end = 0
        /// The identifiers of the elements that the element refers to.
        var references: Set<String>
    }

    /// The elements in document order; the first is the root.
    private var elements: [Element] = []
    private var indexes: [String: Int] = [:]
    private var styles: [Int] = []
    private var usesXLink = false
    private let limit: Int
    private let palette: FontPalette
    /// The size of the document in bytes, after it was inflated.
    let size: Int

    /// Reads a document, which may be compressed with gzip.
    ///
    /// - Parameter palette: the colours that the document may refer to.
    /// - Throws: `content.image-…` if the document is damaged or beyond the limits, also after it is inflated.
    init(_ bytes: [UInt8], limits: ImageLimits, palette: FontPalette) throws {
        limit = limits.drawingSize
        self.palette = palette
        guard bytes.count <= limit else {
            throw StoreError(.imageFileTooLarge, ["size": .bytes(bytes.count), "limit": .bytes(limit)])
        }
        let document = GzipFile.isRecognized(bytes) ? try GzipFile(bytes).content(limit: limit) : bytes
        size = document.count
        var rules = XMLLimits()
        rules.size = limit
        rules.acceptsEmptyDoctype = true
        var open: [Int] = []
        // The number of open elements of another namespace, and in them.
        var foreign = 0
        do {
            try XMLReader(limits: rules).read(document) { event in
                switch event {
                case .start(let element):
                    if foreign > 0 || !["", Self.svg].contains(element.namespace) {
                        foreign += 1
                    } else {
                        open.append(add(element, to: open.last))
                    }
                case .end:
                    if foreign > 0 { foreign -= 1 } else { elements[open.removeLast()].end = elements.count }
                case .text(let text, _):
                    if foreign == 0, let element = open.last { add(text, to: element) }
                case .instruction: break
                }
            }
        } catch let error as StoreError where error.isXMLError {
            throw StoreError.svg(error)
        }
        guard elements.first?.name == "svg" else { throw StoreError(.svgRootInvalid, ["namespace": Self.svg]) }
    }

    private mutating func add(_ element: XMLElement, to parent: Int?) -> Int {
        let index = elements.count
        var attributes: [(name: String, value: String)] = []
        var references: Set<String> = []
        for attribute in element.attributes {
            let name: String
            switch attribute.namespace {
            case "": name = attribute.name
            case Self.xml: name = "xml:" + attribute.name
            case Self.xlink:
                name = "xlink:" + attribute.name
                usesXLink = true
            default: continue
            }
            let value = palette.resolving(attribute.value)
            if attribute.name == "href", value.first == "#" { references.insert(String(value.dropFirst())) }
            references.formUnion(Self.references(in: value))
            attributes.append((name, value))
        }
        // Of two elements with the same identifier the first is used.
        if let id = element["id"], indexes[id] == nil { indexes[id] = index }
        if element.name == "style" { styles.append(index) }
        elements.append(Element(name: element.name, attributes: attributes, parent: parent, references: references))
        if let parent { elements[parent].children.append(.element(index)) }
        return index
    }

    private mutating func add(_ text: String, to element: Int) {
        let isStyle = elements[element].name == "style"
        let text = isStyle ? palette.resolving(text) : text
        if isStyle { elements[element].references.formUnion(Self.references(in: text)) }
        elements[element].children.append(.text(text))
    }

    /// Returns the identifiers in the references `url(#…)` of a style.
    private static func references(in style: String) -> Set<String> {
        guard style.utf8.contains(UInt8(ascii: "(")) else { return [] }
        return Set(style.matches(of: /[uU][rR][lL]\(\s*+["']?#([^"')\s]++)/).map { String($0.output.1) })
    }

    // MARK: Pictures

    /// Returns an SVG that shows one glyph only; `nil` if the document does not draw the glyph.
    ///
    /// The result is not checked.
    ///
    /// - Parameter box: the part of the design space that the picture shows.
    /// - Throws: `content.image-too-large`.
    func picture(of glyph: UInt32, box: GlyphBox) throws(StoreError) -> [UInt8]? {
        guard let drawn = indexes["glyph\(glyph)"] else { return nil }
        var writer = Writer(elements, limit: limit)
        writer.text = "<svg xmlns=\"\(Self.svg)\"" + (usesXLink ? " xmlns:xlink=\"\(Self.xlink)\"" : "")
        writer.text += " \(box.attributes)>"
        writer.begin("svg", rootAttributes(box, isGlyph: drawn == 0))
        if drawn == 0 {
            try writer.writeContent(of: 0)
        } else {
            let paths = Paths(to: resources(of: drawn), elements.map(\.parent))
            if let children = paths.children[0] {
                writer.begin("defs", [])
                for child in children { try writer.write(child, along: paths) }
                writer.end("defs")
            }
            try writer.write(drawn, in: ancestors(of: drawn))
        }
        writer.text += "</svg></svg>"
        return Array(writer.text.utf8)
    }

    /// Returns the attributes of the document's root as an element within the picture.
    ///
    /// Its viewport is the square of an em, unless it says otherwise, and is not clipped.
    private func rootAttributes(_ box: GlyphBox, isGlyph: Bool) -> [(name: String, value: String)] {
        let own = elements[0].attributes
        func length(_ name: String) -> String {
            guard let value = own.first(where: { $0.name == name })?.value else { return "\(box.unitsPerEm)" }
            guard value.last == "%", let share = Double(value.dropLast()) else { return value }
            return "\(share * Double(box.unitsPerEm) / 100)"
        }
        var replaced: Set = ["x", "y", "width", "height", "overflow"]
        if !isGlyph { replaced.insert("id") }
        return own.filter { !replaced.contains($0.name) }
            + [("width", length("width")), ("height", length("height")), ("overflow", "visible")]
    }

    /// Returns the elements outside of a glyph that its picture needs: style sheets, and what the glyph refers to.
    private func resources(of glyph: Int) -> [Int] {
        var visited: Set<Int> = []
        var inherited: Set<Int> = []
        var found: [Int] = []
        var pending = [glyph] + styles
        func visit(_ index: Int) {
            // A reference to the root would contain itself.
            pending += elements[index].references.compactMap { indexes[$0] }.filter { $0 > 0 }
        }
        visit(0)
        while let next = pending.popLast() {
            if visited.contains(next) { continue }
            if !(glyph..<elements[glyph].end).contains(next) { found.append(next) }
            // Their properties may be inherited.
            for ancestor in ancestors(of: next) where inherited.insert(ancestor).inserted { visit(ancestor) }
            for index in next..<elements[next].end where visited.insert(index).inserted { visit(index) }
        }
        return found.sorted()
    }

    /// Returns the elements between the root and an element, the outermost first.
    private func ancestors(of element: Int) -> [Int] {
        var found: [Int] = []
        var index = element
        while let parent = elements[index].parent, parent > 0 {
            found.append(parent)
            index = parent
        }
        return found.reversed()
    }

    /// The paths from the root of the document to some elements.
    private struct Paths {
        /// The elements at the ends of the paths; none of them contains another.
        private(set) var targets: Set<Int> = []
        /// The next elements on the ways through an element, in document order.
        private(set) var children: [Int: [Int]] = [:]

        /// Creates the ways to elements, which are in document order.
        init(to elements: [Int], _ parents: [Int?]) {
            for element in elements {
                var way = [element]
                while let parent = parents[way[way.count - 1]] { way.append(parent) }
                // In an element that is written as a whole.
                if way.dropFirst().contains(where: targets.contains) { continue }
                targets.insert(element)
                for (child, parent) in zip(way, way.dropFirst()) {
                    let isKnown = children[parent] != nil
                    children[parent, default: []].append(child)
                    if isKnown { break }
                }
            }
        }
    }

    /// Writes elements as XML, up to a number of bytes.
    private struct Writer {
        var text = ""
        private let elements: [Element]
        private let limit: Int

        init(_ elements: [Element], limit: Int) {
            self.elements = elements
            self.limit = limit
        }

        mutating func begin(
            _ name: String, _ attributes: [(name: String, value: String)], isEmpty: Bool = false
        ) {
            text += "<" + name
            for (name, value) in attributes { text += " \(name)=\"\(XMLEscaping.attribute(value))\"" }
            text += isEmpty ? "/>" : ">"
        }

        mutating func end(_ name: String) { text += "</\(name)>" }

        /// Writes an element as a whole.
        private mutating func write(_ index: Int) throws(StoreError) {
            let element = elements[index]
            begin(element.name, element.attributes, isEmpty: element.children.isEmpty)
            try writeContent(of: index)
            if !element.children.isEmpty { end(element.name) }
        }

        mutating func writeContent(of index: Int) throws(StoreError) {
            for child in elements[index].children {
                switch child {
                case .element(let index): try write(index)
                case .text(let content): text += XMLEscaping.content(content)
                }
            }
            guard text.utf8.count <= limit else {
                throw StoreError(.imageFileTooLarge, ["size": .bytes(text.utf8.count), "limit": .bytes(limit)])
            }
        }

        /// Writes the start tag of an element that contains a written one, whose properties that one may inherit.
        private mutating func begin(_ index: Int, as name: String) {
            begin(name, elements[index].attributes.filter { $0.name != "id" })
        }

        /// Writes the elements to which ways lead through an element, each as a whole.
        mutating func write(_ index: Int, along paths: Paths) throws(StoreError) {
            if paths.targets.contains(index) { return try write(index) }
            begin(index, as: elements[index].name)
            for child in paths.children[index] ?? [] { try write(child, along: paths) }
            end(elements[index].name)
        }

        /// Writes an element as a whole, in its ancestors.
        mutating func write(_ index: Int, in ancestors: [Int]) throws(StoreError) {
            // What definitions contain is not drawn, but a glyph is.
            let names = ancestors.map { elements[$0].name == "defs" ? "g" : elements[$0].name }
            for (ancestor, name) in zip(ancestors, names) { begin(ancestor, as: name) }
            try write(index)
            for name in names.reversed() { end(name) }
        }
    }
}

/// The part of a font's design space that the picture of a glyph shows: its advance, from the ascender to the descender.
struct GlyphBox {
    /// The height of a picture in pixels, unless it is scaled.
    private static let pixels = 128

    let unitsPerEm: Int
    private let top: Int
    private let width: Int
    private let height: Int

    /// Creates the box of a glyph from metrics in units of the design space.
    ///
    /// - Parameters:
    ///   - ascender: above the baseline.
    ///   - descender: above the baseline, and so negative in most fonts.
    init(unitsPerEm: Int, advance: Int, ascender: Int, descender: Int) {
        self.unitsPerEm = unitsPerEm
        width = advance > 0 ? advance : unitsPerEm
        (top, height) = ascender > descender ? (-ascender, ascender - descender) : (-unitsPerEm, unitsPerEm)
    }

    /// The attributes of an SVG that shows the box; in SVG, the y axis points down.
    var attributes: String {
        let width = max(1, (Self.pixels * self.width + height / 2) / height)
        return "width=\"\(width)\" height=\"\(Self.pixels)\" viewBox=\"0 \(top) \(self.width) \(height)\""
    }
}
