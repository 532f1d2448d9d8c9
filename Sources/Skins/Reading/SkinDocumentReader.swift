import StoreModel
import XML

/// Makes a ``SkinDocument`` of the events of a theme file.
struct SkinDocumentReader {
    private(set) var document = SkinDocument()
    private var open: [Part] = []
    /// Instances that may still come.
    private let instancesLeft: Int

    private enum Part {
        case theme
        case constants
        case classes
        case instances
        case definition(SkinDocument.Definition)
        case operation(SkinDocument.Operation)
        case value(SkinDocument.Value)
        /// Nothing in it is looked at.
        case ignored
    }

    init(instancesLeft: Int = SkinLimits.instances) { self.instancesLeft = instancesLeft }

    mutating func take(_ event: XMLEvent, in file: String) throws {
        switch event {
        case .start(let element): open.append(try begin(element, in: file))
        case .end: end()
        case .text(let text, _):
            guard case .value(var value)? = open.last else { return }
            value.text += text
            open[open.count - 1] = .value(value)
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
            return .operation(SkinDocument.Operation(name: name, line: element.line))
        case (.ignored?, _): return .ignored
        default: return ignore(element, "An element '\(element.name)' has no meaning here.")
        }
    }

    private mutating func definition(of element: XMLElement, component: String) -> Part {
        guard let identifier = element["id"], isSkinIdentifier(identifier) else { return unnamed(element, "id") }
        return .definition(
            SkinDocument.Definition(
                component: component, identifier: identifier, classes: element["class"], line: element.line))
    }

    private mutating func value(of element: XMLElement, isNamed: Bool) -> Part {
        let name = element["name"] ?? ""
        if isNamed, name.isEmpty { return unnamed(element, "name") }
        return .value(
            SkinDocument.Value(
                name: name, type: element["type"], reference: element["ref"],
                attributes: element.attributes.filter { !["name", "type", "ref"].contains($0.name) },
                line: element.line))
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
        switch (open.popLast(), open.popLast()) {
        case (.definition(let definition)?, let parent?):
            if definition.component.isEmpty {
                document.classes.append(definition)
            } else {
                document.instances.append(definition)
            }
            open.append(parent)
        case (.operation(let operation)?, .definition(var definition)?):
            definition.operations.append(operation)
            open.append(.definition(definition))
        case (.value(let value)?, .operation(var operation)?):
            operation.parameters.append(value)
            open.append(.operation(operation))
        case (.value(let item)?, .value(var value)?):
            value.items.append(item)
            open.append(.value(value))
        case (.value(let constant)?, let parent?):
            document.constants.append(constant)
            open.append(parent)
        case (_, let parent?): open.append(parent)
        case (_, nil): break
        }
    }
}
