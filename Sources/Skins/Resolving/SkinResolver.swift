import StoreModel
import StoreSystem

/// Folds a chain of skins into one for an idiom: reads the files, those of parents first, and looks up in each value
/// what is registered, what constants and classes there are, and which assets.
struct SkinResolver {
    private let vocabulary: SkinVocabulary
    private let idiom: SkinIdiom
    private let chain: [SkinFolder]
    private let files: [SkinFiles]
    private var warnings = WarningList()
    private var constants = SkinConstants()
    private var classes: [String: [Defined]] = [:]
    private var instances: [String: [Defined]] = [:]
    private var operationsOfClasses: [ClassUse: [String: SkinEntity.Operation]] = [:]

    /// A definition with the file that it is in.
    private struct Defined {
        let file: SkinFile
        let definition: SkinDocument.Definition
    }
    private struct ClassUse: Hashable {
        let name: String
        let component: String
    }

    /// - Parameters:
    ///   - chain: the skin itself first.
    ///   - files: of each of the chain.
    init(_ chain: [SkinFolder], files: [SkinFiles], idiom: SkinIdiom, vocabulary: SkinVocabulary) {
        self.chain = chain
        self.files = files
        self.idiom = idiom
        self.vocabulary = vocabulary
    }

    /// - Throws: ``SkinError`` where a file of the chain is refused; what the disk says.
    mutating func run() throws -> (entities: [SkinEntity], warnings: [SkinWarning]) {
        for (folder, files) in zip(chain, files).reversed() { try read(folder, files) }
        settleConstants()
        checkClasses()
        var entities: [SkinEntity] = []
        entities.reserveCapacity(instances.count)
        for (identifier, definitions) in instances {
            if let entity = entity(identifier, definitions) { entities.append(entity) }
        }
        entities.sort { $0.identifier.isBefore($1.identifier) }
        return (entities, warnings.all)
    }

    private mutating func settleConstants() {
        var (constants, found) = (constants, WarningList())
        constants.settle { value, file, others throws(SkinRemark) in
            try self.value(value, constants: others)
        } warn: {
            found.add($0)
        }
        self.constants = constants
        for warning in found.all { warnings.add(warning) }
    }

    // MARK: Reading

    private mutating func read(_ folder: SkinFolder, _ files: SkinFiles) throws {
        for theme in files.themes where theme.isUnknown {
            let message = "The file is for none of the idioms (phone, tablet, desktop): it is left out."
            warnings.add(SkinFile(folder, theme.file).warning(.skinUnknownIdiom, nil, message))
        }
        var xml = SkinXML(folder.directory)
        var instancesLeft = SkinLimits.instances
        for theme in files.themes(for: idiom) {
            let file = SkinFile(folder, theme.file)
            var reader = SkinDocumentReader(instancesLeft: instancesLeft)
            try xml.read(theme.file) { try reader.take($0, in: theme.file) }
            let document = reader.document
            instancesLeft -= document.instances.count
            for remark in document.remarks { warnings.add(file.warning(remark.code, remark.line, remark.message)) }
            for constant in document.constants { constants.add(constant, in: file) }
            for definition in document.classes {
                classes[definition.identifier, default: []].append(Defined(file: file, definition: definition))
            }
            for definition in document.instances { add(definition, in: file) }
        }
    }

    private mutating func add(_ definition: SkinDocument.Definition, in file: SkinFile) {
        guard vocabulary.component(definition.component) != nil else {
            warnings.add(
                file.warning(
                    .skinUnknownComponent, definition.line,
                    "There is no component '\(definition.component)' ('\(definition.identifier)')."))
            return
        }
        instances[definition.identifier, default: []].append(Defined(file: file, definition: definition))
    }

    // MARK: Classes

    /// An operation of a class that one component has and another does not is what sharing brings; one that no component
    /// has is a mistake.
    private mutating func checkClasses() {
        for defined in classes.values.joined() {
            for operation in defined.definition.operations where !vocabulary.hasOperation(operation.name) {
                warnings.add(
                    defined.file.warning(
                        .skinUnknownOperation, operation.line,
                        "There is no operation '\(operation.name)' (class '\(defined.definition.identifier)')."))
            }
        }
    }

    private mutating func operations(ofClass name: String, for component: String) -> [String: SkinEntity.Operation]? {
        let use = ClassUse(name: name, component: component)
        if let known = operationsOfClasses[use] { return known }
        guard let definitions = classes[name] else { return nil }
        var operations: [String: SkinEntity.Operation] = [:]
        for defined in definitions {
            for operation in defined.definition.operations {
                guard let description = vocabulary.operation(operation.name, of: component) else { continue }
                if let made = self.operation(operation, description, in: defined.file) { operations[made.name] = made }
            }
        }
        operationsOfClasses[use] = operations
        return operations
    }

    // MARK: Entities

    /// - Parameter definitions: in the order in which they win over one another, all of components that are known.
    private mutating func entity(_ identifier: String, _ definitions: [Defined]) -> SkinEntity? {
        guard let last = definitions.last else { return nil }
        let component = last.definition.component
        var operations: [String: SkinEntity.Operation] = [:]
        if let named = definitions.last(where: { $0.definition.classes != nil }) {
            operations = classOperations(named, component)
        }
        for defined in definitions {
            for operation in defined.definition.operations {
                guard let description = vocabulary.operation(operation.name, of: component) else {
                    warnings.add(
                        defined.file.warning(
                            .skinUnknownOperation, operation.line,
                            "'\(component)' has no operation '\(operation.name)' ('\(identifier)')."))
                    continue
                }
                if let made = self.operation(operation, description, in: defined.file) { operations[made.name] = made }
            }
        }
        return SkinEntity(
            identifier: identifier, component: component,
            operations: operations.values.sorted { $0.name.isBefore($1.name) })
    }

    private mutating func classOperations(_ named: Defined, _ component: String) -> [String: SkinEntity.Operation] {
        let names = (named.definition.classes ?? "").utf8.split(whereSeparator: \.isXMLSpace)
        if names.count > SkinLimits.classes {
            warnings.add(
                named.file.warning(
                    .skinUnknownClass, named.definition.line,
                    "Of '\(named.definition.identifier)' only the first \(SkinLimits.classes) classes are taken."))
        }
        var operations: [String: SkinEntity.Operation] = [:]
        for name in names.prefix(SkinLimits.classes).map({ String(Substring($0)) }) {
            guard let shared = self.operations(ofClass: name, for: component) else {
                warnings.add(
                    named.file.warning(
                        .skinUnknownClass, named.definition.line,
                        "There is no class '\(name)' ('\(named.definition.identifier)')."))
                continue
            }
            operations.merge(shared) { $1 }
        }
        return operations
    }

    private mutating func operation(
        _ operation: SkinDocument.Operation, _ description: SkinOperation, in file: SkinFile
    ) -> SkinEntity.Operation? {
        var values: [String: SkinValue] = [:]
        for parameter in operation.parameters {
            guard let expected = description[parameter.name] else {
                warnings.add(
                    file.warning(
                        .skinUnknownParameter, parameter.line,
                        "The operation '\(operation.name)' has no parameter '\(parameter.name)'."))
                continue
            }
            do throws(SkinRemark) {
                values[parameter.name] = try value(parameter, constants: constants, expected: expected.type)
            } catch {
                warnings.add(file.warning(error.code, parameter.line, error.message))
            }
        }
        if operation.parameters.isEmpty {
            warnings.add(
                file.warning(.skinNameMissing, operation.line, "The operation '\(operation.name)' has no parameters."))
        }
        let parameters = description.parameters.compactMap { parameter in
            values[parameter.name].map { SkinEntity.Parameter(name: parameter.name, value: $0) }
        }
        return parameters.isEmpty ? nil : SkinEntity.Operation(name: operation.name, parameters: parameters)
    }

    // MARK: Values

    /// - Parameters:
    ///   - constants: what references are looked up in.
    ///   - expected: the type that it must be of, and is where it says none.
    private func value(
        _ value: SkinDocument.Value, constants: SkinConstants, expected: String? = nil, isItem: Bool = false
    ) throws(SkinRemark) -> SkinValue {
        let type = value.type ?? expected
        let objectType = type.flatMap(vocabulary.objectType)
        if let type, objectType == nil {
            throw SkinRemark(.skinUnknownType, "There is no type '\(type)'\(value.title).")
        }
        if let type, let expected, type != expected {
            throw SkinRemark(
                .skinBadValue, "It takes a value of the type '\(expected)' and no '\(type)'\(value.title).")
        }
        if let reference = value.reference {
            guard let found = constants.value(reference, isForItem: isItem) else {
                throw SkinRemark(.skinUnknownConstant, "There is no constant '\(reference)'\(value.title).")
            }
            if let type, found.type != type {
                throw SkinRemark(
                    .skinBadValue, "The constant '\(reference)' is a '\(found.type)' and no '\(type)'\(value.title).")
            }
            return found
        }
        guard let objectType else { throw SkinRemark(.skinUnknownType, "It says no type\(value.title).") }
        var items: [SkinValue] = []
        for item in value.items { items.append(try self.value(item, constants: constants, isItem: true)) }
        return try read(objectType, value, items)
    }

    private func read(
        _ type: some ObjectType, _ value: SkinDocument.Value, _ items: [SkinValue]
    ) throws(SkinRemark) -> SkinValue {
        let source = ObjectSource(
            text: value.text[...].trimmed,
            attributes: Dictionary(value.attributes.map { ($0.name, $0.value) }) { first, _ in first },
            items: items, findAsset: asset)
        do throws(ObjectError) {
            let text = type.text(of: try type.value(of: source))
            guard text.utf8.count <= SkinLimits.valueLength else {
                throw ObjectError.bad("it has \(text.utf8.count) bytes, more than \(SkinLimits.valueLength)")
            }
            return SkinValue(type: type.name, text: text)
        } catch {
            throw SkinRemark(error.code, "The value can't be used: \(error.reason)\(value.title).")
        }
    }

    private func asset(_ name: String) -> SkinAsset? {
        for (folder, files) in zip(chain, files) {
            if let path = files.assets.path(of: name, for: idiom) {
                return SkinAsset(skin: folder.identifier, path: path)
            }
        }
        return nil
    }
}

extension SkinDocument.Value {
    /// Goes on after a sentence's words.
    fileprivate var title: String { name.isEmpty ? " (item)" : " ('\(name)')" }
}
