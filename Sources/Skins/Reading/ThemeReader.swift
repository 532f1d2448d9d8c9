import StoreModel
import StoreSystem
import StoreXML

/// The content of one theme file (an XML file with definitions of a skin), before the names in it are resolved.
struct ThemeDocument {
    var constants: [Value] = []
    var classes: [Definition] = []
    var instances: [Definition] = []
    var problems: [Problem] = []

    /// A class (shared set of operations) or an instance (definition for an identifier) in a skin's theme file.
    struct Definition {
        /// The component type of an instance, such as `uilabel`; empty for a class.
        let component: String
        let identifier: String
        /// The value of an instance's attribute `class`, names of classes; `nil` if it has none.
        let classes: String?
        let line: Int
        var operations: [Operation] = []
    }

    /// A skin operation (such as `backgroundColor`) with its parameters, as a theme file contains it.
    struct Operation {
        let name: String
        let line: Int
        var parameters: [Value] = []
    }

    /// A value in a theme file of a skin: a parameter, a constant, or an item of an array.
    struct Value {
        /// The name of the skin's parameter or constant; empty for an item of an array.
        let name: String
        let type: String?
        /// The name of the constant that provides the value; `nil` if the theme file contains the value itself.
        let reference: String?
        /// The attributes of the value's XML element other than `name`, `type` and `ref`.
        let attributes: [XMLAttribute]
        let line: Int
        var text = ""
        var items: [Value] = []
    }

    /// A flaw in the structure of a skin's theme file, which becomes a warning.
    struct Problem {
        let code: ErrorCode
        let line: Int?
        let message: String
    }
}

/// A reader of the XML files of one skin, which together may have ``SkinLimits/size`` bytes.
struct SkinXML {
    private let directory: Directory
    /// The number of bytes that may still be read.
    private(set) var remaining: Int
    private let isLimitedByChain: Bool

    /// Creates a reader.
    ///
    /// - Parameter chainRemaining: the number of bytes that may still be read of the skin and its ancestors.
    init(_ directory: Directory, chainRemaining: Int = SkinLimits.chainSize) {
        self.directory = directory
        remaining = min(SkinLimits.size, chainRemaining)
        isLimitedByChain = chainRemaining < SkinLimits.size
    }

    /// Reads an XML file of a skin and passes its events to `visit`.
    ///
    /// - Throws: `skin.too-large`; an XML error with the file and, if known, the line; an error of `visit`.
    mutating func read(_ name: String, _ visit: (XMLEvent) throws -> Void) throws {
        let file = try directory.openFile(name)
        let size = try file.status().size
        guard size <= remaining else {
            if isLimitedByChain {
                throw StoreError(.skinChainTooLarge, ["file": name, "limit": .bytes(SkinLimits.chainSize)])
            }
            throw StoreError(.skinXMLTooLarge, ["file": name, "limit": .bytes(SkinLimits.size)])
        }
        remaining -= size
        try SkinXML.read(file.read(count: size, at: 0), called: name, visit)
    }

    /// Parses the bytes of an XML file of a skin and passes its events to `visit`.
    static func read(_ bytes: [UInt8], called name: String, _ visit: (XMLEvent) throws -> Void) throws {
        do {
            try XMLReader(limits: SkinLimits.xml).read(bytes, visit)
        } catch let error as StoreError where error.isXMLError {
            // The file is not at fault where memory or the XML library failed.
            if error.code == .xmlFailed { throw StoreError(.skinXMLUnread, ["file": name], cause: error) }
            throw StoreError(.skinXMLInvalid, ["file": name], cause: error)
        }
    }
}

/// Builds the content of a skin's theme file, a ``ThemeDocument``, from the XML events of the file.
struct ThemeReader {
    private(set) var document = ThemeDocument()
    private var open: [Scope] = []
    // The elements being read are stored outside the lists: changing them inside an array would copy them each time.
    private var definition: ThemeDocument.Definition?
    private var operation: ThemeDocument.Operation?
    /// The value of the theme file that is being read, and the items nested in it, the innermost last.
    private var values: [ThemeDocument.Value] = []
    /// The number of instances (definitions for an identifier) that may still be read within the skin's limit.
    private let instancesLeft: Int
    /// The number of definitions, operations and values that may still be read of the skin and its ancestors.
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

    init(instancesLeft: Int = SkinLimits.instances, elementsLeft: Int = SkinLimits.elements) {
        self.instancesLeft = instancesLeft
        self.elementsLeft = elementsLeft
    }

    /// Processes one XML event of a skin's theme file.
    ///
    /// - Throws: `skin.too-large` if there are too many instances or elements.
    mutating func process(_ event: XMLEvent, in file: String) throws {
        switch event {
        case .start(let element):
            let scope = try begin(element, in: file)
            open.append(scope)
            switch scope {
            case .definition, .operation, .value: elementsLeft -= 1
            case .theme, .constants, .classes, .instances, .ignored: return
            }
            guard elementsLeft >= 0 else {
                throw StoreError(
                    .skinTooManyElements, ["file": file, "limit": SkinLimits.elements, "line": element.line])
            }
        case .end: end()
        case .text(let text, _):
            if case .value? = open.last { values[values.count - 1].text += text }
        case .instruction: break
        }
    }

    // MARK: Starts

    private mutating func begin(_ element: XMLElement, in file: String) throws -> Scope {
        switch (open.last, element.name) {
        case (nil, "theme"): return .theme
        case (nil, _):
            return ignore(element, "file ignored: its root element is '\(element.name)' instead of 'theme'")
        case (.theme?, "constants"): return .constants
        case (.theme?, "classes"): return .classes
        case (.theme?, "instances"): return .instances
        case (.constants?, "constant"), (.operation?, "param"): return value(of: element, isNamed: true)
        case (.value?, "item"): return value(of: element, isNamed: false)
        case (.classes?, "class"): return definition(of: element, component: "")
        case (.instances?, let component):
            guard document.instances.count < instancesLeft else {
                throw StoreError(
                    .skinTooManyInstances,
                    ["file": file, "limit": SkinLimits.instances, "line": element.line])
            }
            return definition(of: element, component: component)
        case (.definition?, "operation"):
            guard let name = element["name"], !name.isEmpty else { return unnamed(element, "name") }
            operation = ThemeDocument.Operation(name: name, line: element.line)
            return .operation
        case (.ignored?, _): return .ignored
        default: return ignore(element, "unexpected element '\(element.name)'")
        }
    }

    private mutating func definition(of element: XMLElement, component: String) -> Scope {
        guard let identifier = element["id"], isSkinIdentifier(identifier) else { return unnamed(element, "id") }
        definition = ThemeDocument.Definition(
            component: component, identifier: identifier, classes: element["class"], line: element.line)
        return .definition
    }

    private mutating func value(of element: XMLElement, isNamed: Bool) -> Scope {
        let name = element["name"] ?? ""
        if isNamed, name.isEmpty { return unnamed(element, "name") }
        values.append(
            ThemeDocument.Value(
                name: name, type: element["type"], reference: element["ref"],
                attributes: element.attributes.filter { $0.name != "name" && $0.name != "type" && $0.name != "ref" },
                line: element.line))
        return .value
    }

    private mutating func unnamed(_ element: XMLElement, _ attribute: String) -> Scope {
        addProblem(
            .skinNameMissing, element,
            "element '\(element.name)' has no valid '\(attribute)'")
        return .ignored
    }

    private mutating func ignore(_ element: XMLElement, _ message: String) -> Scope {
        addProblem(.skinUnknownElement, element, message)
        return .ignored
    }

    private mutating func addProblem(_ code: ErrorCode, _ element: XMLElement, _ message: String) {
        guard document.problems.count < SkinLimits.warnings else { return }
        document.problems.append(ThemeDocument.Problem(code: code, line: element.line, message: message))
    }

    // MARK: Ends

    private mutating func end() {
        switch open.popLast() {
        case .definition?: endDefinition()
        case .operation?:
            if let ended = operation { definition?.operations.append(ended) }
            operation = nil
        case .value?: endValue()
        case .theme?, .constants?, .classes?, .instances?, .ignored?, nil: break
        }
    }

    private mutating func endDefinition() {
        guard let ended = definition else { return }
        definition = nil
        if ended.component.isEmpty { document.classes.append(ended) } else { document.instances.append(ended) }
    }

    private mutating func endValue() {
        guard let ended = values.popLast() else { return }
        if !values.isEmpty {
            values[values.count - 1].items.append(ended)
        } else if operation != nil {
            operation?.parameters.append(ended)
        } else {
            document.constants.append(ended)
        }
    }
}

extension Substring {
    /// The text without surrounding white space as defined by XML (Extensible Markup Language 1.0, 2.3).
    ///
    /// Compares bytes: a space followed by a combining mark is a single Character, which must not be removed.
    var trimmed: String {
        guard let first = utf8.first, let end = utf8.last else { return "" }
        if !first.isXMLSpace, !end.isXMLSpace { return String(self) }
        let start = utf8.drop(while: \.isXMLSpace)
        guard let last = start.lastIndex(where: { !$0.isXMLSpace }) else { return "" }
        return String(Substring(start[...last]))
    }
}

extension UInt8 {
    /// Whether the byte is white space as XML defines it.
    var isXMLSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }
}
