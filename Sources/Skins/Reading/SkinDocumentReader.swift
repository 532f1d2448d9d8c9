import StoreModel
import StoreXML

/// Makes a ``SkinDocument`` of the events of a theme file.
struct SkinDocumentReader {
    private(set) var document = SkinDocument()
    private var open: [Part] = []
    // What is being read, in places of its own: taken out of a list, changed and put back, it would be copied each time.
    private var definition: SkinDocument.Definition?
    private var operation: SkinDocument.Operation?
    /// A value, and items in it.
    private var values: [SkinDocument.Value] = []
    /// Instances that may still come.
    private let instancesLeft: Int

    private enum Part {
        case theme
        case constants
        case classes
        case instances
        case definition
        case operation
        case value
        /// Nothing in it is looked at.
        case ignored
    }

    init(instancesLeft: Int = SkinLimits.instances) { self.instancesLeft = instancesLeft }

    mutating func take(_ event: XMLEvent, in file: String) throws {
        switch event {
        case .start(let element): open.append(try begin(element, in: file))
        case .end: end()
        case .text(let text, _):
            if case .value? = open.last { values[values.count - 1].text += text }
        case .instruction: break
        }
    }

    // MARK: Starts

    private mutating func begin(_ element: XMLElement, in file: String) throws -> Part {
        switch (open.last, element.name) {
        case (nil, "theme"): return .theme
        case (nil, _):
            return ignore(element, "The file's root is '\(element.name)' and not 'theme': it is left out.")
        case (.theme?, "constants"): return .constants
        case (.theme?, "classes"): return .classes
        case (.theme?, "instances"): return .instances
        case (.constants?, "constant"), (.operation?, "param"): return value(of: element, isNamed: true)
        case (.value?, "item"): return value(of: element, isNamed: false)
        case (.classes?, "class"): return definition(of: element, component: "")
        case (.instances?, let component):
            guard document.instances.count < instancesLeft else {
                throw SkinError(
                    .skinTooLarge,
                    "'\(file)' goes over the \(SkinLimits.instances) instances that are read of a skin. Tell its author.",
                    file: file, line: element.line)
            }
            return definition(of: element, component: component)
        case (.definition?, "operation"):
            guard let name = element["name"], !name.isEmpty else { return unnamed(element, "name") }
            operation = SkinDocument.Operation(name: name, line: element.line)
            return .operation
        case (.ignored?, _): return .ignored
        default: return ignore(element, "An element '\(element.name)' has no meaning here.")
        }
    }

    private mutating func definition(of element: XMLElement, component: String) -> Part {
        guard let identifier = element["id"], isSkinIdentifier(identifier) else { return unnamed(element, "id") }
        definition = SkinDocument.Definition(
            component: component, identifier: identifier, classes: element["class"], line: element.line)
        return .definition
    }

    private mutating func value(of element: XMLElement, isNamed: Bool) -> Part {
        let name = element["name"] ?? ""
        if isNamed, name.isEmpty { return unnamed(element, "name") }
        values.append(
            SkinDocument.Value(
                name: name, type: element["type"], reference: element["ref"],
                attributes: element.attributes.filter { !["name", "type", "ref"].contains($0.name) },
                line: element.line))
        return .value
    }

    private mutating func unnamed(_ element: XMLElement, _ attribute: String) -> Part {
        remark(
            .skinNameMissing, element,
            "An element '\(element.name)' has no '\(attribute)', or one that can't be used as such.")
        return .ignored
    }

    private mutating func ignore(_ element: XMLElement, _ message: String) -> Part {
        remark(.skinUnknownElement, element, message)
        return .ignored
    }

    private mutating func remark(_ code: ErrorCode, _ element: XMLElement, _ message: String) {
        guard document.remarks.count < SkinLimits.warnings else { return }
        document.remarks.append(SkinDocument.Remark(code: code, line: element.line, message: message))
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
