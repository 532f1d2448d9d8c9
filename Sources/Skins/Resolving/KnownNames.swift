/// The components and operations of a vocabulary by the names in the theme files of a skin.
///
/// A skin names the same few operations thousands of times; each is looked up in the vocabulary once.
struct KnownNames {
    private let vocabulary: SkinVocabulary
    /// The results of looking up names as components in the vocabulary; the index is the number of the name.
    private var components: [Component] = []
    /// The operations that were looked up; `nil` for those that a component does not support.
    private var operations: [Use: KnownOperation?] = [:]
    /// The operation of each name that was looked up last, by the name's number, which needs no hashing.
    private var latest: [Latest?] = []

    private enum Component {
        case notLookedUp, unknown
        case known(InternedName)
    }

    private struct Latest {
        let component: SkinName
        let operation: KnownOperation
    }

    /// An operation as it is applied to a component.
    private struct Use: Hashable {
        let operation: SkinName
        let component: SkinName
    }

    init(_ vocabulary: SkinVocabulary) { self.vocabulary = vocabulary }

    /// Returns the name of a component as its values have it; `nil` if the vocabulary has no such component.
    mutating func component(_ name: SkinName, _ names: SkinNameTable) -> InternedName? {
        while components.count <= name.number { components.append(.notLookedUp) }
        if case .notLookedUp = components[name.number] {
            let found = vocabulary.component(names[name])
            components[name.number] = found.map { .known(InternedName($0.name)) } ?? .unknown
        }
        if case .known(let component) = components[name.number] { return component }
        return nil
    }

    /// Returns an operation of a component, which may be inherited; `nil` if the component does not support it.
    mutating func operation(
        _ name: SkinName, of component: SkinName, _ names: inout SkinNameTable
    ) -> KnownOperation? {
        if name.number < latest.count, let latest = latest[name.number], latest.component == component {
            return latest.operation
        }
        guard let operation = look(up: Use(operation: name, component: component), &names) else { return nil }
        while latest.count <= name.number { latest.append(nil) }
        latest[name.number] = Latest(component: component, operation: operation)
        return operation
    }

    private mutating func look(up use: Use, _ names: inout SkinNameTable) -> KnownOperation? {
        if let known = operations[use] { return known }
        let found = vocabulary.operation(names[use.operation], of: names[use.component]).map { operation in
            KnownOperation(
                name: InternedName(operation.name),
                parameters: operation.parameters.compactMap { parameter in
                    vocabulary.objectType(parameter.type).map {
                        KnownParameter(
                            name: names.name(parameter.name), internedName: InternedName(parameter.name),
                            type: names.name(parameter.type),
                            objectType: $0, items: parameter.items)
                    }
                })
        }
        operations[use] = .some(found)
        return found
    }
}

/// An operation of a vocabulary, with its parameters in the order in which it declares them.
final class KnownOperation {
    let name: InternedName
    let parameters: [KnownParameter]

    init(name: InternedName, parameters: [KnownParameter]) {
        self.name = name
        self.parameters = parameters
    }
}

/// A parameter of a vocabulary's operation, with the type of its values.
final class KnownParameter {
    let name: SkinName
    /// The parameter's name as values have it.
    let internedName: InternedName
    let type: SkinName
    /// The object type with the name ``type``.
    let objectType: any ObjectType
    /// The name of ``objectType`` as values have it.
    let typeName: InternedName
    /// The items that an array must have; `nil` if it may have any.
    let items: SkinParameter.Items?
    /// Whether the constants that were checked have these items: thousands of values may refer to the same one.
    private var constants: [SkinName: Bool] = [:]

    init(
        name: SkinName, internedName: InternedName, type: SkinName, objectType: any ObjectType,
        items: SkinParameter.Items?
    ) {
        self.name = name
        self.internedName = internedName
        self.type = type
        self.objectType = objectType
        typeName = InternedName(objectType.name)
        self.items = items
    }

    /// Returns whether a value, which is that of a constant if it was given by reference, has the items it must have.
    func accepts(_ value: SkinValue, reference: SkinName?) -> Bool {
        guard let items else { return true }
        if let known = reference.flatMap({ constants[$0] }) { return known }
        let found = value.value(as: .array) ?? []
        let isAccepted = found.count == items.count && found.allSatisfy { $0.type == items.type }
        if let reference { constants[reference] = isAccepted }
        return isAccepted
    }
}
