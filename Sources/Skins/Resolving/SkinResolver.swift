import StoreModel
import StoreSystem

/// A reader that creates skins from their XML files, with the components and types that they may use.
public struct SkinReader: Sendable {
    /// The components, operations and object types that the XML files of skins may use.
    public let vocabulary: SkinVocabulary
    /// The maximum size of a skin with its inherited values as a style sheet, estimated, in bytes.
    public let sizeLimit: Int

    /// The default of ``sizeLimit``, 32 MiB.
    public static let defaultSizeLimit = 32 << 20

    /// Creates a reader for skins that may use the components and types of a vocabulary.
    ///
    /// - Parameter sizeLimit: the maximum size of a skin as a style sheet, in bytes. The files of a skin do not limit it:
    ///   thousands of instances may have the same class.
    public init(vocabulary: SkinVocabulary = .standard, sizeLimit: Int = SkinReader.defaultSizeLimit) {
        self.vocabulary = vocabulary
        self.sizeLimit = sizeLimit
    }

    /// Reads a skin from XML files, with everything that it inherits from other skins.
    ///
    /// Blocks while the files are read.
    ///
    /// - Parameters:
    ///   - chain: the result of ``SkinDirectory/chain(of:find:)``; not empty.
    ///   - cache: stores the images for which the skin requests caching.
    /// - Returns: the skin, and a warning for each item that was skipped.
    /// - Throws: the error of a file that is rejected, with file and line; an error of the file system.
    public func read(
        _ chain: [SkinDirectory], for idiom: SkinIdiom, cache: AssetCache = AssetCache(limit: 0)
    ) throws -> (skin: ResolvedSkin, warnings: [SkinWarning]) {
        try read(chain, files: chain.map { try SkinFiles($0.directory) }, for: idiom, cache: cache)
    }

    func read(
        _ chain: [SkinDirectory], files: [SkinFiles], for idiom: SkinIdiom, cache: AssetCache
    ) throws -> (skin: ResolvedSkin, warnings: [SkinWarning]) {
        var resolver = SkinResolver(chain, files: files, idiom: idiom, vocabulary: vocabulary, sizeLimit: sizeLimit)
        let (entities, warnings) = try resolver.resolve()
        let links = chain.map {
            ResolvedSkin.Link(identifier: $0.identifier, name: $0.information.name, version: $0.information.version)
        }
        let skin = ResolvedSkin(
            idiom: idiom, chain: links, store: EntityList(entities: entities), assets: SkinAssets(chain, cache: cache))
        return (skin, warnings)
    }

    /// Reads a skin from XML files for every device idiom (phone, tablet, desktop), to find all warnings.
    ///
    /// Blocks while the files are read.
    ///
    /// - Returns: the distinct warnings about the skin's own files and those of its ancestors.
    /// - Throws: the error of a file that is rejected, with file and line; an error of the file system.
    public func check(_ chain: [SkinDirectory]) throws -> [SkinWarning] {
        let files = try chain.map { try SkinFiles($0.directory) }
        var warnings = WarningList()
        for idiom in SkinIdiom.all {
            for warning in try read(chain, files: files, for: idiom, cache: AssetCache(limit: 0)).warnings {
                warnings.add(warning)
            }
        }
        return warnings.all
    }
}

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
    private var classes: [String: [LocatedDefinition]] = [:]
    private var instances: [String: [LocatedDefinition]] = [:]
    private var resolvedClasses: [ClassUse: OperationList] = [:]

    /// A class or an instance in a skin's theme file, with the file that defines it.
    private struct LocatedDefinition {
        let file: SkinFile
        let definition: ThemeDocument.Definition
    }
    /// A skin's class as it is applied to a component, which determines the operations that exist.
    private struct ClassUse: Hashable {
        let name: String
        let component: String
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
        for (identifier, definitions) in instances {
            guard let entity = entity(identifier, definitions) else { continue }
            size += entity.styleSheetSize
            guard size <= sizeLimit else {
                throw StoreError(.skinTooManyValues, ["skin": skin, "limit": .bytes(sizeLimit)])
            }
            entities.append(entity)
        }
        entities.sort { $0.identifier.isBefore($1.identifier) }
        return (entities, warnings.all)
    }

    private mutating func resolveConstants() {
        var (constants, found) = (constants, WarningList())
        constants.resolve { value, file, others throws(InvalidValue) in
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
            try xml.read(theme.file) { try reader.process($0, in: theme.file) }
            let document = reader.document
            instancesLeft -= document.instances.count
            elementsLeft = reader.elementsLeft
            for problem in document.problems { warnings.add(file.warning(problem.code, problem.line, problem.message)) }
            for constant in document.constants { constants.add(constant, in: file) }
            for definition in document.classes {
                classes[definition.identifier, default: []].append(
                    LocatedDefinition(file: file, definition: definition))
            }
            for definition in document.instances { add(definition, in: file) }
        }
        bytesLeft += xml.remaining
    }

    private mutating func add(_ definition: ThemeDocument.Definition, in file: SkinFile) {
        guard vocabulary.component(definition.component) != nil else {
            warnings.add(
                file.warning(
                    .skinUnknownComponent, definition.line,
                    "'\(definition.identifier)': unknown component '\(definition.component)'"))
            return
        }
        instances[definition.identifier, default: []].append(LocatedDefinition(file: file, definition: definition))
    }

    // MARK: Classes

    /// Adds warnings about operations in the skin's classes that no component supports.
    ///
    /// A class may be shared by components that support only some of its operations.
    private mutating func checkClasses() {
        for defined in classes.values.joined() {
            for operation in defined.definition.operations where !vocabulary.hasOperation(operation.name) {
                warnings.add(
                    defined.file.warning(
                        .skinUnknownOperation, operation.line,
                        "class '\(defined.definition.identifier)': unknown operation '\(operation.name)'"))
            }
        }
    }

    private mutating func operations(ofClass name: String, for component: String) -> OperationList? {
        let use = ClassUse(name: name, component: component)
        if let known = resolvedClasses[use] { return known }
        guard let definitions = classes[name] else { return nil }
        var operations = OperationList()
        for defined in definitions {
            for operation in defined.definition.operations {
                guard let description = vocabulary.operation(operation.name, of: component) else { continue }
                if let made = self.operation(operation, description, in: defined.file) { operations.set(made) }
            }
        }
        resolvedClasses[use] = operations
        return operations
    }

    // MARK: Entities

    /// Merges the skin's definitions for one identifier; `nil` if nothing valid remains.
    ///
    /// - Parameter definitions: definitions of known components, in order of increasing precedence.
    private mutating func entity(_ identifier: String, _ definitions: [LocatedDefinition]) -> SkinEntity? {
        guard let last = definitions.last else { return nil }
        let component = last.definition.component
        var operations = OperationList()
        if let named = definitions.last(where: { $0.definition.classes != nil }) {
            operations = classOperations(named, component)
        }
        for defined in definitions {
            for operation in defined.definition.operations {
                guard let description = vocabulary.operation(operation.name, of: component) else {
                    warnings.add(
                        defined.file.warning(
                            .skinUnknownOperation, operation.line,
                            "'\(identifier)': component '\(component)' has no operation '\(operation.name)'"))
                    continue
                }
                if let made = self.operation(operation, description, in: defined.file) { operations.set(made) }
            }
        }
        return SkinEntity(identifier: identifier, component: component, operations: operations.all)
    }

    private mutating func classOperations(_ named: LocatedDefinition, _ component: String) -> OperationList {
        let names = (named.definition.classes ?? "").utf8.split(whereSeparator: \.isXMLSpace)
        if names.count > SkinLimits.classes {
            warnings.add(
                named.file.warning(
                    .skinUnknownClass, named.definition.line,
                    "'\(named.definition.identifier)': only the first \(SkinLimits.classes) classes are used"))
        }
        var operations = OperationList()
        for name in names.prefix(SkinLimits.classes).map({ String(Substring($0)) }) {
            guard let shared = self.operations(ofClass: name, for: component) else {
                warnings.add(
                    named.file.warning(
                        .skinUnknownClass, named.definition.line,
                        "'\(named.definition.identifier)': unknown class '\(name)'"))
                continue
            }
            for operation in shared.all { operations.set(operation) }
        }
        return operations
    }

    private mutating func operation(
        _ operation: ThemeDocument.Operation, _ description: SkinOperation, in file: SkinFile
    ) -> SkinEntity.Operation? {
        // The value of each parameter of the description.
        var values = [SkinValue?](repeating: nil, count: description.parameters.count)
        for parameter in operation.parameters {
            guard let index = description.parameters.firstIndex(where: { $0.name == parameter.name }) else {
                warnings.add(
                    file.warning(
                        .skinUnknownParameter, parameter.line,
                        "operation '\(operation.name)' has no parameter '\(parameter.name)'"))
                continue
            }
            do throws(InvalidValue) {
                values[index] = try value(
                    parameter, constants: constants, expected: description.parameters[index].type)
            } catch {
                warnings.add(file.warning(error.code, parameter.line, error.message))
            }
        }
        if operation.parameters.isEmpty {
            warnings.add(
                file.warning(.skinNameMissing, operation.line, "operation '\(operation.name)' without parameters"))
        }
        let parameters = zip(description.parameters, values).compactMap { parameter, value in
            value.map { SkinEntity.Parameter(name: parameter.name, value: $0) }
        }
        return SkinEntity.Parameters(parameters).map { SkinEntity.Operation(name: operation.name, parameters: $0) }
    }

    // MARK: Values

    /// Returns the value of a parameter, constant or array item in a skin's theme file.
    ///
    /// - Parameters:
    ///   - constants: the constants that a reference may name.
    ///   - expected: the required type, which is also the default.
    private func value(
        _ value: ThemeDocument.Value, constants: SkinConstants, expected: String? = nil, isItem: Bool = false
    ) throws(InvalidValue) -> SkinValue {
        let type = value.type ?? expected
        let objectType = type.flatMap(vocabulary.objectType)
        if let type, objectType == nil {
            throw InvalidValue(.skinUnknownType, "\(value.title)unknown type '\(type)'")
        }
        if let type, let expected, type != expected {
            throw InvalidValue(
                .skinBadValue, "\(value.title)expected type '\(expected)' instead of '\(type)'")
        }
        if let reference = value.reference {
            guard let found = constants.value(reference, isForItem: isItem) else {
                throw InvalidValue(.skinUnknownConstant, "\(value.title)unknown constant '\(reference)'")
            }
            if let type, found.type != type {
                throw InvalidValue(
                    .skinBadValue, "\(value.title)constant '\(reference)' has type '\(found.type)' instead of '\(type)'"
                )
            }
            return found
        }
        guard let objectType else { throw InvalidValue(.skinUnknownType, "\(value.title)missing type") }
        var items: [SkinValue] = []
        for item in value.items { items.append(try self.value(item, constants: constants, isItem: true)) }
        return try read(objectType, value, items)
    }

    private func read(
        _ type: some ObjectType, _ value: ThemeDocument.Value, _ items: [SkinValue]
    ) throws(InvalidValue) -> SkinValue {
        let source = ObjectSource(
            text: value.text[...].trimmed,
            attributes: value.attributes.isEmpty
                ? [:] : Dictionary(value.attributes.map { ($0.name, $0.value) }) { first, _ in first },
            items: items, findAsset: findAsset)
        do throws(ObjectError) {
            let text = type.text(of: try type.value(of: source))
            guard text.utf8.count <= SkinLimits.valueLength else {
                throw ObjectError.bad("\(text.utf8.count) bytes exceed the limit of \(SkinLimits.valueLength)")
            }
            return SkinValue(type: type.name, text: text)
        } catch {
            throw InvalidValue(error.code, "\(value.title)\(error.reason)")
        }
    }
}

/// The operations of a class or an entity, each name once.
///
/// They are few, as no component has more than a few dozen, so that a search from one end to the other is the fastest.
private struct OperationList {
    /// The operations in byte order of their names.
    private(set) var all: [SkinEntity.Operation] = []

    /// Adds an operation, or replaces the one with the same name.
    mutating func set(_ operation: SkinEntity.Operation) {
        var index = all.endIndex
        while index > 0, !all[index - 1].name.isBefore(operation.name) { index -= 1 }
        if index < all.endIndex, all[index].name.utf8.elementsEqual(operation.name.utf8) {
            all[index] = operation
        } else {
            all.insert(operation, at: index)
        }
    }
}

extension SkinEntity {
    /// An estimate of the size of the entity in a style sheet, in bytes.
    ///
    /// A value is written once, or in each of the up to three rules for its operation; with it come the escaped
    /// identifier and the name of the operation, in the selector and in the name of the custom property.
    fileprivate var styleSheetSize: Int {
        let name = StyleText.identifierPartSize(identifier)
        return operations.reduce(0) { size, operation in
            let values = operation.parameters.reduce(0) { $0 + $1.value.text.utf8.count }
            return size + 4 * name + 2 * operation.name.utf8.count + 3 * values + 160
        }
    }
}

extension ThemeDocument.Value {
    /// The beginning of a message about a value in a skin: the value's name, or `item` for an item of an array.
    fileprivate var title: String { name.isEmpty ? "item: " : "'\(name)': " }
}
