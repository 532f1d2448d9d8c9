import StoreModel
import StoreSystem

/// Merges the XML files of a skin and those that it inherits from for one device type, and resolves the names in them.
///
/// Files of ancestors are read first, so that a skin's own definitions override them.
struct SkinResolver {
    private let vocabulary: SkinVocabulary
    private let idiom: SkinIdiom
    private let chain: [SkinDirectory]
    private let files: [SkinFiles]
    /// Returns the asset with a name, in the skin or its nearest ancestor that has it; `nil` if none has it.
    private let findAsset: (String) -> SkinAsset?
    private let sizeLimit: Int
    /// The bytes and the elements of the files that may still be read.
    private var (bytesLeft, elementsLeft) = (SkinLimits.chainSize, SkinLimits.elements)
    private var warnings = WarningList()
    private var constants = SkinConstants()
    private var names = SkinNameTable()
    private var known: KnownNames
    /// The theme files that were read, in order of increasing precedence.
    private var documents: [LocatedDocument] = []
    private var classes: [String: [LocatedDefinition]] = [:]
    /// The instances of known components in the documents, in the same order.
    private var instances: [LocatedDefinition] = []
    private var resolvedClasses: [ClassUse: OperationList] = [:]
    /// The operations of the classes that an attribute `class` names, if all of them exist.
    private var resolvedClassLists: [ClassListUse: OperationList] = [:]

    /// A skin's class as it is applied to a component, which determines the operations that exist.
    private struct ClassUse: Hashable {
        let name: String
        let component: SkinName
    }
    /// The value of an attribute `class` of a component.
    private struct ClassListUse: Hashable {
        let classes: SkinName
        let component: SkinName
    }

    /// Creates a resolver for the files of a skin and its ancestors.
    ///
    /// - Parameters:
    ///   - chain: the skin and its ancestors, the nearest first.
    ///   - files: the files of each skin in the chain.
    ///   - sizeLimit: the maximum size of the result as a style sheet, in bytes.
    init(
        _ chain: [SkinDirectory], files: [SkinFiles], idiom: SkinIdiom, vocabulary: SkinVocabulary, sizeLimit: Int
    ) {
        self.chain = chain
        self.sizeLimit = sizeLimit
        self.files = files
        self.idiom = idiom
        self.vocabulary = vocabulary
        known = KnownNames(vocabulary)
        findAsset = { name in
            for (directory, files) in zip(chain, files) {
                if let path = files.assets.path(of: name, for: idiom) {
                    return SkinAsset(skin: directory.identifier, path: path)
                }
            }
            return nil
        }
    }

    /// Reads all files of the skin and its ancestors, and resolves the names in them.
    ///
    /// - Throws: `skin.too-large`; the error of a file that is rejected; an error of the file system.
    mutating func resolve() throws -> (entities: [SkinEntity], warnings: [SkinWarning]) {
        for (directory, files) in zip(chain, files).reversed() { try read(directory, files) }
        resolveConstants()
        checkClasses()
        var entities: [SkinEntity] = []
        entities.reserveCapacity(instances.count)
        let skin = chain[0].identifier
        var size = 0
        let ordered = InstanceOrder(instances, in: documents)
        for definitions in ordered.groups {
            let (entity, styleSheetSize) = entity(definitions)
            size += styleSheetSize
            guard size <= sizeLimit else {
                throw StoreError(.skinTooManyValues, ["skin": skin, "limit": .bytes(sizeLimit)])
            }
            entities.append(entity)
        }
        return (entities, warnings.all)
    }

    private mutating func resolveConstants() {
        var (constants, found) = (constants, WarningList())
        constants.resolve(names) { value, file, others throws(InvalidValue) in
            try self.value(value, constants: others)
        } warn: {
            found.add($0)
        }
        self.constants = constants
        for warning in found.all { warnings.add(warning) }
    }

    // MARK: Reading

    private mutating func read(_ directory: SkinDirectory, _ files: SkinFiles) throws {
        for theme in files.themes where theme.hasUnknownIdiom {
            let message = "file ignored: unknown idiom, expected phone, tablet or desktop"
            warnings.add(SkinFile(directory, theme.file).warning(.skinUnknownIdiom, nil, message))
        }
        var xml = SkinXML(directory.directory, chainRemaining: bytesLeft)
        bytesLeft -= xml.remaining
        var instancesLeft = SkinLimits.instances
        for theme in files.themes(for: idiom) {
            let file = SkinFile(directory, theme.file)
            var reader = ThemeReader(instancesLeft: instancesLeft, elementsLeft: elementsLeft)
            // Moved to the reader and back: a copy for each of many files would take quadratic time.
            swap(&reader.names, &names)
            try xml.read(theme.file, with: &reader)
            swap(&reader.names, &names)
            instancesLeft -= reader.document.instances.count
            elementsLeft = reader.elementsLeft
            add(LocatedDocument(file: file, document: reader.document))
        }
        bytesLeft += xml.remaining
    }

    private mutating func add(_ located: LocatedDocument) {
        let (file, index) = (located.file, documents.count)
        var document = located.document
        for problem in document.problems { warnings.add(file.warning(problem.code, problem.line, problem.message)) }
        // Not kept with the document: there may be thousands of files with thousands of problems each.
        document.problems = []
        documents.append(LocatedDocument(file: file, document: document))
        for constant in document.constants { constants.add(constant, named: names[constant.name], in: file) }
        for number in document.classes.indices {
            classes[document.classes[number].identifier, default: []].append(
                LocatedDefinition(document: index, index: number))
        }
        instances.reserveCapacity(instances.count + document.instances.count)
        for number in document.instances.indices {
            guard known.component(document.instances[number].component, names) != nil else {
                let definition = document.instances[number]
                warnings.add(
                    file.warning(
                        .skinUnknownComponent, definition.line,
                        "'\(definition.identifier)': unknown component '\(names[definition.component])'"))
                continue
            }
            instances.append(LocatedDefinition(document: index, index: number))
        }
    }

    // MARK: Classes

    /// Adds warnings about operations in the skin's classes that no component supports.
    ///
    /// A class may be shared by components that support only some of its operations.
    private mutating func checkClasses() {
        for located in documents {
            for definition in located.document.classes {
                for operation in located.document.operations[definition.operations]
                where !vocabulary.hasOperation(names[operation.name]) {
                    warnings.add(
                        located.file.warning(
                            .skinUnknownOperation, operation.line,
                            "class '\(definition.identifier)': unknown operation '\(names[operation.name])'"))
                }
            }
        }
    }

    private mutating func operations(ofClass name: String, for component: SkinName) -> OperationList? {
        let use = ClassUse(name: name, component: component)
        if let known = resolvedClasses[use] { return known }
        guard let definitions = classes[name] else { return nil }
        var operations = OperationList()
        for defined in definitions {
            let located = documents[defined.document]
            for index in located.document.classes[defined.index].operations {
                let name = located.document.operations[index].name
                guard let description = known.operation(name, of: component, &names) else { continue }
                if let made = operation(index, description, in: located) { operations.set(made) }
            }
        }
        resolvedClasses[use] = operations
        return operations
    }

    // MARK: Entities

    /// Merges the skin's definitions for one identifier.
    ///
    /// - Parameter definitions: definitions of known components, in order of increasing precedence; not empty.
    /// - Returns: the result, with an estimate of its size in a style sheet, in bytes.
    private mutating func entity(
        _ definitions: ArraySlice<LocatedDefinition>
    ) -> (entity: SkinEntity, styleSheetSize: Int) {
        let last = definitions[definitions.endIndex - 1]
        let identifier = documents[last.document].document.instances[last.index].identifier
        let component = documents[last.document].document.instances[last.index].component
        var operations = OperationList()
        for defined in definitions.reversed() {
            guard let classes = documents[defined.document].document.instances[defined.index].classes else { continue }
            operations = classOperations(classes, of: defined, for: component)
            break
        }
        for defined in definitions {
            let located = documents[defined.document]
            let indices = located.document.instances[defined.index].operations
            operations.reserveCapacity(operations.all.count + indices.count)
            for index in indices {
                let (name, line) = (located.document.operations[index].name, located.document.operations[index].line)
                guard let description = known.operation(name, of: component, &names) else {
                    warnings.add(
                        located.file.warning(
                            .skinUnknownOperation, line,
                            "'\(identifier)': component '\(names[component])' has no operation '\(names[name])'"))
                    continue
                }
                if let made = operation(index, description, in: located) { operations.set(made) }
            }
        }
        let entity = SkinEntity(
            identifier: identifier, componentName: known.component(component, names) ?? .empty,
            operations: operations.all)
        return (entity, operations.styleSheetSize(identifier: identifier))
    }

    /// Merges the operations of the classes that an instance names, as they are applied to a component.
    private mutating func classOperations(
        _ classes: SkinName, of place: LocatedDefinition, for component: SkinName
    ) -> OperationList {
        let use = ClassListUse(classes: classes, component: component)
        if let known = resolvedClassLists[use] { return known }
        let file = documents[place.document].file
        let instance = documents[place.document].document.instances[place.index]
        var isComplete = true
        func warn(_ message: String) {
            isComplete = false
            warnings.add(
                file.warning(.skinUnknownClass, instance.line, "'\(instance.identifier)': \(message)"))
        }
        let all = names[classes].utf8.split(whereSeparator: \.isXMLSpace)
        if all.count > SkinLimits.classes { warn("only the first \(SkinLimits.classes) classes are used") }
        var operations = OperationList()
        for name in all.prefix(SkinLimits.classes).map({ String(Substring($0)) }) {
            guard let shared = self.operations(ofClass: name, for: component) else {
                warn("unknown class '\(name)'")
                continue
            }
            for operation in shared.all { operations.set(operation) }
        }
        // The warnings name the instance, so they have to be repeated for the next one.
        if isComplete { resolvedClassLists[use] = operations }
        return operations
    }

    /// Resolves an operation of a theme file; `nil` if none of its parameters has a valid value.
    ///
    /// - Parameters:
    ///   - index: the index of the operation in the theme file.
    ///   - description: the operation of the component to which it is applied.
    private mutating func operation(
        _ index: Int, _ description: KnownOperation, in located: LocatedDocument
    ) -> SkinEntity.Operation? {
        let indices = located.document.operations[index].parameters
        // The value of each parameter of the description. Nearly all operations have one, which needs no array.
        var leading: SkinValue?
        var others = [SkinValue?](repeating: nil, count: max(0, description.parameters.count - 1))
        for index in indices {
            let parameter = located.document.parameters[index]
            guard let position = description.parameters.firstIndex(where: { $0.name == parameter.name }) else {
                warnings.add(
                    located.file.warning(
                        .skinUnknownParameter, parameter.line,
                        "operation '\(description.name.text)' has no parameter '\(names[parameter.name])'"))
                continue
            }
            do throws(InvalidValue) {
                let value = try value(parameter, expected: description.parameters[position])
                if position == 0 { leading = value } else { others[position - 1] = value }
            } catch {
                warnings.add(located.file.warning(error.code, parameter.line, error.message))
            }
        }
        if indices.isEmpty {
            let line = located.document.operations[index].line
            warnings.add(
                located.file.warning(
                    .skinNameMissing, line, "operation '\(description.name.text)' without parameters"))
        }
        if others.isEmpty {
            guard let leading else { return nil }
            let parameter = SkinEntity.Parameter(internedName: description.parameters[0].internedName, value: leading)
            return SkinEntity.Operation(internedName: description.name, parameters: SkinEntity.Parameters(parameter))
        }
        let parameters = zip(description.parameters, [leading] + others).compactMap { parameter, value in
            value.map { SkinEntity.Parameter(internedName: parameter.internedName, value: $0) }
        }
        return SkinEntity.Parameters(parameters).map {
            SkinEntity.Operation(internedName: description.name, parameters: $0)
        }
    }

    // MARK: Values

    /// Returns the value of a parameter in a skin's theme file.
    ///
    /// - Parameter expected: the parameter of the vocabulary, whose type and items are required; the type is also the
    ///   default.
    private func value(
        _ value: ThemeDocument.Value, expected: KnownParameter
    ) throws(InvalidValue) -> SkinValue {
        // Nearly all parameters have the type that is required, which needs no look-up.
        let isPlain = value.reference == nil && value.items.isEmpty && value.type ?? expected.type == expected.type
        let found =
            isPlain
            ? try read(expected.objectType, named: expected.typeName, value, [])
            : try self.value(value, constants: constants, expected: expected.type)
        if let items = expected.items, !expected.accepts(found, reference: value.reference) {
            throw InvalidValue(.skinBadValue, "\(title(value))expected \(items.count) items of type '\(items.type)'")
        }
        return found
    }

    /// Returns the value of a parameter, constant or array item in a skin's theme file.
    ///
    /// - Parameters:
    ///   - constants: the constants that a reference may name.
    ///   - expected: the required type, which is also the default.
    private func value(
        _ value: ThemeDocument.Value, constants: SkinConstants, expected: SkinName? = nil, isItem: Bool = false
    ) throws(InvalidValue) -> SkinValue {
        let type = (value.type ?? expected).map { names[$0] }
        let objectType = type.flatMap(vocabulary.objectType)
        if let type, objectType == nil {
            throw InvalidValue(.skinUnknownType, "\(title(value))unknown type '\(type)'")
        }
        if let type, let expected = expected.map({ names[$0] }), type != expected {
            throw InvalidValue(
                .skinBadValue, "\(title(value))expected type '\(expected)' instead of '\(type)'")
        }
        if let reference = value.reference.map({ names[$0] }) {
            guard let found = constants.value(reference, isForItem: isItem) else {
                throw InvalidValue(.skinUnknownConstant, "\(title(value))unknown constant '\(reference)'")
            }
            if let type, found.type != type {
                throw InvalidValue(
                    .skinBadValue,
                    "\(title(value))constant '\(reference)' has type '\(found.type)' instead of '\(type)'")
            }
            return found
        }
        guard let objectType else { throw InvalidValue(.skinUnknownType, "\(title(value))missing type") }
        // Counted while they are collected: each item may refer to the same long constant.
        var (items, size): ([SkinValue], Int) = ([], 0)
        for item in value.items {
            let item = try self.value(item, constants: constants, isItem: true)
            size += item.minimumTextSizeAsItem
            guard size <= SkinLimits.valueLength else {
                throw InvalidValue(
                    .skinBadValue, "\(title(value))its items exceed the limit of \(SkinLimits.valueLength) bytes")
            }
            items.append(item)
        }
        return try read(objectType, named: InternedName(objectType.name), value, items)
    }

    private func read(
        _ type: any ObjectType, named name: InternedName, _ value: ThemeDocument.Value, _ items: [SkinValue]
    ) throws(InvalidValue) -> SkinValue {
        let source = ObjectSource(
            text: value.text.trimmed,
            attributes: value.attributes.isEmpty
                ? [:] : Dictionary(value.attributes.map { ($0.name, $0.value) }) { first, _ in first },
            items: items, findAsset: findAsset)
        do throws(ObjectError) {
            let content = try type.content(of: source)
            guard content.maximumTextSize <= SkinLimits.valueLength else {
                throw ObjectError.bad("\(content.maximumTextSize) bytes exceed the limit of \(SkinLimits.valueLength)")
            }
            return SkinValue(type: name, content: content)
        } catch {
            throw InvalidValue(error.code, "\(title(value))\(error.reason)")
        }
    }

    /// The beginning of a message about a value in a skin: the value's name, or `item` for an item of an array.
    private func title(_ value: ThemeDocument.Value) -> String {
        value.name == .empty ? "item: " : "'\(names[value.name])': "
    }
}
