public import StoreModel

/// What skins can say: components, their operations, and the types of what these take. Everything is registered, that
/// which comes with the module (``standard``) no other than what an application adds.
public struct SkinVocabulary: Sendable {
    private var types: [String: any ObjectType] = [:]
    private var components: [String: Entry] = [:]

    private struct Entry {
        var component: SkinComponent
        /// Those inherited, too, by name.
        var operations: [String: SkinOperation]
    }

    /// One that knows nothing.
    public init() {}

    // MARK: Registering

    /// Adds a type of object; one of the same name takes the place of what was there.
    ///
    /// - Throws: `skin.vocabulary` where its name is no name.
    public mutating func add(_ type: some ObjectType) throws(SkinError) {
        try require(type.name, "object type")
        types[type.name] = type
    }

    /// Adds a component; what it inherits from and the types that its operations take have to be there.
    ///
    /// - Throws: `skin.vocabulary` where they are not, or a component of that name is there.
    public mutating func add(_ component: SkinComponent) throws(SkinError) {
        try require(component.name, "component")
        guard components[component.name] == nil else {
            throw .vocabulary(
                "There is a component '\(component.name)' already. Add operations to it, or name another.")
        }
        if let parent = component.parent, components[parent] == nil {
            throw .vocabulary(
                "The component '\(component.name)' inherits from '\(parent)', which is not there. Add that one first.")
        }
        for operation in component.operations { try check(operation) }
        insert(component)
    }

    /// Adds an operation to a component and all that inherit from it. One of the same name that was there goes; those
    /// that inheriting components have of their own stay.
    ///
    /// - Throws: `skin.vocabulary` where the component, or the type of a parameter, is not there.
    public mutating func add(_ operation: SkinOperation, to name: String) throws(SkinError) {
        try check(operation)
        guard let component = components[name]?.component else {
            throw .vocabulary(
                "There is no component '\(name)' that the operation '\(operation.name)' could be added to.")
        }
        let others = component.operations.filter { $0.name != operation.name }
        components[name]?.component = SkinComponent(name, inherits: component.parent, others + [operation])
        for heir in components.keys where ancestry(of: heir).contains(name) {
            let operations = operationsByName(of: heir)
            components[heir]?.operations = operations
        }
    }

    private func check(_ operation: SkinOperation) throws(SkinError) {
        try require(operation.name, "operation")
        for parameter in operation.parameters {
            try require(parameter.name, "parameter")
            guard types[parameter.type] != nil else {
                throw .vocabulary(
                    "The operation '\(operation.name)' takes a '\(parameter.type)', which is no object type. Add that first."
                )
            }
        }
    }

    /// Names are XML names and go into style sheets.
    private func require(_ name: String, _ what: String) throws(SkinError) {
        let isName = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                true
            default: false
            }
        }
        guard isName, let first = name.first, first.isLetter else {
            throw .vocabulary("'\(name)' is no name for an \(what): a letter, then letters, digits, '-' and '_'.")
        }
    }

    /// What the module itself registers is known to fit.
    mutating func insert(_ component: SkinComponent) {
        components[component.name] = Entry(component: component, operations: [:])
        let operations = operationsByName(of: component.name)
        components[component.name]?.operations = operations
    }

    mutating func insert(_ type: some ObjectType) { types[type.name] = type }

    // MARK: Looking up

    /// All components, in the order of their names.
    public var allComponents: [SkinComponent] { components.values.map(\.component).sorted { $0.name < $1.name } }

    public func component(_ name: String) -> SkinComponent? { components[name]?.component }

    public func objectType(_ name: String) -> (any ObjectType)? { types[name] }

    /// An operation of a component, its own or inherited.
    public func operation(_ name: String, of component: String) -> SkinOperation? {
        components[component]?.operations[name]
    }

    /// All operations of a component, those inherited too, in the order of their names.
    public func operations(of component: String) -> [SkinOperation] {
        components[component]?.operations.values.sorted { $0.name < $1.name } ?? []
    }

    /// Whether any component has an operation of that name.
    func hasOperation(_ name: String) -> Bool { components.values.contains { $0.operations[name] != nil } }

    /// The component itself, what it inherits from, and so on.
    private func ancestry(of name: String) -> [String] {
        var (names, next) = ([String](), components[name]?.component)
        while let component = next {
            names.append(component.name)
            next = component.parent.flatMap { components[$0]?.component }
        }
        return names
    }

    private func operationsByName(of name: String) -> [String: SkinOperation] {
        var operations: [String: SkinOperation] = [:]
        for ancestor in ancestry(of: name).reversed() {
            for operation in components[ancestor]?.component.operations ?? [] { operations[operation.name] = operation }
        }
        return operations
    }

    // MARK: Values in other forms

    /// A value in a style sheet; `nil` where it has no meaning in one, or is of a type that is not known.
    public func css(_ value: SkinValue, in context: StyleContext) -> String? {
        types[value.type].flatMap { css(value, $0, context) }
    }

    private func css(_ value: SkinValue, _ type: some ObjectType, _ context: StyleContext) -> String? {
        type.value(ofText: value.text).flatMap { type.css($0, in: context) }
    }

    /// A value in a JSON document.
    public func json(_ value: SkinValue) -> JSONValue {
        types[value.type].flatMap { json(value, $0) } ?? .string(value.text)
    }

    private func json(_ value: SkinValue, _ type: some ObjectType) -> JSONValue? {
        type.value(ofText: value.text).map { type.json($0, in: self) }
    }

    /// The assets that a value names.
    public func assets(in value: SkinValue) -> [SkinAsset] {
        types[value.type].map { assets(in: value, $0) } ?? []
    }

    private func assets(in value: SkinValue, _ type: some ObjectType) -> [SkinAsset] {
        type.value(ofText: value.text).map { type.assets(in: $0, self) } ?? []
    }

    // MARK: Sameness

    /// The same for vocabularies that make the same of the same skin: what one has compiled, the other may read.
    public var fingerprint: UInt64 {
        var text = ""
        for type in types.values.sorted(by: { $0.name < $1.name }) { text += "\(type.name) \(type.revision)\n" }
        for name in components.keys.sorted() {
            text += "\(name)\n"
            for operation in operations(of: name) {
                text += " \(operation.name)"
                for parameter in operation.parameters { text += " \(parameter.name):\(parameter.type)" }
                text += "\n"
            }
        }
        return XXHash64.hash(Array(text.utf8))
    }
}
