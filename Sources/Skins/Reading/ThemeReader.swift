import StoreModel
import StoreXML

/// Builds the content of a skin's theme file, a ``ThemeDocument``, from the parts of the XML file.
struct ThemeReader {
    private(set) var document = ThemeDocument()
    /// The names in the theme files of the skin: set before reading to those of the files that were read before.
    var names = SkinNameTable()
    private var open: [Scope] = []
    /// The class or instance being read, which is added to the document when it ends.
    private var definition: ThemeDocument.Definition?
    /// The value of the theme file that is being read, and the items nested in it, the innermost last.
    private var values: [ThemeDocument.Value] = []
    /// The words that the XML names of the document are, by the numbers of the names; `nil` if not yet looked up.
    private var words: [Word?] = []
    /// The number of instances (definitions for an identifier) that may still be read within the skin's limit.
    private let instancesLeft: Int
    /// The number of definitions, operations, values and different names that may still be read of the skin and its ancestors.
    private(set) var elementsLeft: Int

    /// The kind of XML element of a theme file that is being read.
    private enum Scope {
        case theme
        case constants
        case classes
        case instances
        case definition
        case operation
        case value
        /// The reader of the theme file is in an unknown element, whose content is skipped.
        case ignored
    }

    /// A name that the format of theme files gives to an XML element or attribute.
    private enum Word: String {
        case theme, constants, classes, instances, constant, `class`, operation, param, item
        case name, type, ref, id
        /// Any other name, such as that of a component.
        case other = ""
    }

    /// Creates a reader for one theme file.
    init(instancesLeft: Int, elementsLeft: Int) {
        self.instancesLeft = instancesLeft
        self.elementsLeft = elementsLeft
    }

    /// Allocates the document's arrays for a file of so many bytes, so that they are rarely moved while they grow.
    mutating func reserveCapacity(forFileOf size: Int) {
        // An operation with its parameter takes about 100 bytes of XML, and an instance has two or more.
        let (operations, instances) = (min(size / 100, elementsLeft), min(size / 200, instancesLeft))
        document.operations.reserveCapacity(operations)
        document.parameters.reserveCapacity(operations)
        document.instances.reserveCapacity(instances)
    }

    /// Processes one part of the XML of a skin's theme file.
    ///
    /// - Throws: `skin.too-large` if there are too many instances or elements.
    mutating func process(_ part: borrowing XMLPart, in file: String) throws {
        switch part {
        case .start(let tag): try start(tag, in: file)
        case .end: end()
        case .text(let text):
            guard case .value? = open.last else { return }
            // A value has several texts if there are elements or instructions between them.
            if values[values.count - 1].text.isEmpty {
                values[values.count - 1].text = text.string
            } else {
                values[values.count - 1].text += text.string
            }
        case .instruction: break
        }
    }

    // MARK: Starts

    private mutating func start(_ tag: borrowing XMLTag, in file: String) throws {
        let namesBefore = names.count
        let scope = try begin(tag, in: file)
        open.append(scope)
        switch scope {
        case .definition, .operation, .value: elementsLeft -= 1 + names.count - namesBefore
        case .theme, .constants, .classes, .instances, .ignored: return
        }
        guard elementsLeft >= 0 else {
            throw StoreError(.skinTooManyElements, ["file": file, "limit": SkinLimits.elements, "line": tag.line])
        }
    }

    private mutating func begin(_ tag: borrowing XMLTag, in file: String) throws -> Scope {
        switch (open.last, word(tag.name, of: tag)) {
        case (nil, .theme): return .theme
        case (nil, _):
            return ignore(
                tag, "file ignored: its root element is '\(tag.text(of: tag.name))' instead of 'theme'")
        case (.theme?, .constants): return .constants
        case (.theme?, .classes): return .classes
        case (.theme?, .instances): return .instances
        case (.constants?, .constant), (.operation?, .param): return value(of: tag, isNamed: true)
        case (.value?, .item): return value(of: tag, isNamed: false)
        case (.classes?, .class): return definition(of: tag, isInstance: false)
        case (.instances?, _):
            guard document.instances.count < instancesLeft else {
                throw StoreError(
                    .skinTooManyInstances, ["file": file, "limit": SkinLimits.instances, "line": tag.line])
            }
            return definition(of: tag, isInstance: true)
        case (.definition?, .operation):
            guard let name = name(attributes(of: tag).name, in: tag), name != .empty else {
                return unnamed(tag, "name")
            }
            let next = document.parameters.count
            document.operations.append(ThemeDocument.Operation(name: name, line: tag.line, parameters: next..<next))
            return .operation
        case (.ignored?, _): return .ignored
        default: return ignore(tag, "unexpected element '\(tag.text(of: tag.name))'")
        }
    }

    private mutating func definition(of tag: borrowing XMLTag, isInstance: Bool) -> Scope {
        let attributes = attributes(of: tag)
        guard let index = attributes.id else { return unnamed(tag, "id") }
        let identifier = tag.value(at: index)
        guard isSkinIdentifier(identifier) else { return unnamed(tag, "id") }
        let next = document.operations.count
        // The name of an element that is ignored is not stored.
        let component = isInstance ? names.name(tag.text(of: tag.name)) : .empty
        definition = ThemeDocument.Definition(
            component: component, identifier: identifier, classes: name(attributes.classes, in: tag), line: tag.line,
            operations: next..<next)
        return .definition
    }

    private mutating func value(of tag: borrowing XMLTag, isNamed: Bool) -> Scope {
        let attributes = attributes(of: tag)
        let name = name(attributes.name, in: tag) ?? .empty
        if isNamed, name == .empty { return unnamed(tag, "name") }
        values.append(
            ThemeDocument.Value(
                name: name, type: self.name(attributes.type, in: tag), reference: self.name(attributes.ref, in: tag),
                attributes: attributes.hasOthers ? otherAttributes(of: tag) : [], line: tag.line))
        return .value
    }

    private mutating func unnamed(_ tag: borrowing XMLTag, _ attribute: String) -> Scope {
        addProblem(.skinNameMissing, tag, "element '\(tag.text(of: tag.name))' has no valid '\(attribute)'")
        return .ignored
    }

    private mutating func ignore(_ tag: borrowing XMLTag, _ message: String) -> Scope {
        addProblem(.skinUnknownElement, tag, message)
        return .ignored
    }

    private mutating func addProblem(_ code: ErrorCode, _ tag: borrowing XMLTag, _ message: String) {
        guard document.problems.count < SkinLimits.warnings else { return }
        document.problems.append(ThemeDocument.Problem(code: code, line: tag.line, message: message))
    }

    // MARK: Names and attributes

    /// Returns the word of the format that an XML name is; each name of the document is compared with the words once.
    private mutating func word(_ name: XMLName, of tag: borrowing XMLTag) -> Word {
        if name.number < words.count, let known = words[name.number] { return known }
        while words.count <= name.number { words.append(nil) }
        let word = Word(rawValue: tag.text(of: name)) ?? .other
        words[name.number] = word
        return word
    }

    /// The indices of a tag's attributes that the format knows; `nil` for those that the tag does not have.
    private struct Attributes {
        var name: Int?
        var type: Int?
        var ref: Int?
        var id: Int?
        var classes: Int?
        /// Whether there may be attributes other than `name`, `type` and `ref`.
        var hasOthers = false
    }

    private mutating func attributes(of tag: borrowing XMLTag) -> Attributes {
        var found = Attributes()
        for index in 0..<tag.attributeCount {
            guard tag.attributeNamespace(at: index) == .empty else {
                found.hasOthers = true
                continue
            }
            switch word(tag.attributeName(at: index), of: tag) {
            case .name: found.name = index
            case .type: found.type = index
            case .ref: found.ref = index
            case .id: (found.id, found.hasOthers) = (index, true)
            case .class: (found.classes, found.hasOthers) = (index, true)
            default: found.hasOthers = true
            }
        }
        return found
    }

    /// Returns the value of the attribute at an index, which is itself a name; `nil` if the index is.
    private mutating func name(_ index: Int?, in tag: borrowing XMLTag) -> SkinName? {
        guard let index else { return nil }
        return tag.withValue(at: index) { names.name($0) }
    }

    /// Returns the attributes of a value's tag other than `name`, `type` and `ref`.
    private mutating func otherAttributes(of tag: borrowing XMLTag) -> [(name: String, value: String)] {
        var others: [(name: String, value: String)] = []
        for index in 0..<tag.attributeCount {
            let name = tag.attributeName(at: index)
            switch word(name, of: tag) {
            case .name, .type, .ref: break
            default: others.append((tag.text(of: name), tag.value(at: index)))
            }
        }
        return others
    }

    // MARK: Ends

    private mutating func end() {
        switch open.popLast() {
        case .definition?: endDefinition()
        case .operation?:
            let last = document.operations.count - 1
            document.operations[last].parameters =
                document.operations[last].parameters.lowerBound..<document.parameters.count
        case .value?: endValue()
        case .theme?, .constants?, .classes?, .instances?, .ignored?, nil: break
        }
    }

    private mutating func endDefinition() {
        guard var ended = definition.take() else { return }
        ended.operations = ended.operations.lowerBound..<document.operations.count
        if ended.component == .empty { document.classes.append(ended) } else { document.instances.append(ended) }
    }

    private mutating func endValue() {
        guard let ended = values.popLast() else { return }
        switch open.last {
        case .value?: values[values.count - 1].items.append(ended)
        case .operation?: document.parameters.append(ended)
        default: document.constants.append(ended)
        }
    }
}
