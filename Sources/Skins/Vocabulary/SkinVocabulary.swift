public import StoreModel

/// The vocabulary of skins: the components, operations and object types that skins may use.
///
/// An application registers additional ones in the same way as the module registers its own (``standard``).
public struct SkinVocabulary: Sendable {
    private var types: [String: any ObjectType] = [:]
    private var components: [String: Entry] = [:]

    private struct Entry {
        var component: SkinComponent
        /// All skin operations that the component supports, by name, including inherited ones.
        var operations: [String: SkinOperation]
    }

    /// Creates a vocabulary of skins without components and types.
    public init() {}

    // MARK: Registering

    /// Adds an object type (a type of values in skins), or replaces the type of the same name.
    ///
    /// - Throws: `skin.vocabulary` if the name is invalid.
    public mutating func add(_ type: some ObjectType) throws(StoreError) {
        try require(type.name, "object type")
        insert(type)
    }

    /// Adds a skin component, whose parent and parameter types must already be registered.
    ///
    /// - Throws: `skin.vocabulary` if the parent or a type is not registered, or if a component of the same name
    ///   exists.
    public mutating func add(_ component: SkinComponent) throws(StoreError) {
        try require(component.name, "component")
        guard components[component.name] == nil else {
            throw StoreError(.skinComponentExists, ["component": component.name])
        }
        if let parent = component.parent, components[parent] == nil {
            throw StoreError(.skinComponentParentUnknown, ["component": component.name, "parent": parent])
        }
        for operation in component.operations { try check(operation) }
        insert(component)
    }

    /// Adds a skin operation to a component and its descendants, or replaces the operation of the same name.
    ///
    /// Operations that a descendant defines itself are not replaced.
    ///
    /// - Throws: `skin.vocabulary` if the component, or the type of a parameter, is not registered.
    public mutating func add(_ operation: SkinOperation, to name: String) throws(StoreError) {
        try check(operation)
        guard let component = components[name]?.component else {
            throw StoreError(.skinComponentUnknown, ["component": name, "operation": operation.name])
        }
        let others = component.operations.filter { $0.name != operation.name }
        components[name]?.component = SkinComponent(name, inherits: component.parent, others + [operation])
        internNames(of: operation)
        for descendant in components.keys where ancestry(of: descendant).contains(name) {
            let operations = operationsByName(of: descendant)
            components[descendant]?.operations = operations
        }
    }

    private func check(_ operation: SkinOperation) throws(StoreError) {
        try require(operation.name, "operation")
        for parameter in operation.parameters {
            try require(parameter.name, "parameter")
            for type in [parameter.type, parameter.items?.type].compactMap(\.self) where types[type] == nil {
                throw StoreError(.skinParameterTypeUnknown, ["operation": operation.name, "type": type])
            }
        }
    }

    /// Checks that a name is valid in XML and in style sheets; `kind` says in the error what it names.
    private func require(_ name: String, _ kind: String) throws(StoreError) {
        let isName = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                true
            default: false
            }
        }
        guard isName, let first = name.first, first.isLetter else {
            throw StoreError(.skinVocabularyName, ["name": .untrusted(name), "kind": kind])
        }
    }

    /// Registers a skin component without checks; used for the built-in components.
    mutating func insert(_ component: SkinComponent) {
        components[component.name] = Entry(component: component, operations: [:])
        InternedName.add([component.name])
        for operation in component.operations { internNames(of: operation) }
        let operations = operationsByName(of: component.name)
        components[component.name]?.operations = operations
    }

    mutating func insert(_ type: some ObjectType) {
        types[type.name] = type
        InternedName.add([type.name])
    }

    /// Interns the names of an operation and its parameters: the reader of a compiled skin finds interned names only.
    private func internNames(of operation: SkinOperation) {
        InternedName.add([operation.name] + operation.parameters.map(\.name))
    }

    // MARK: Looking up

    /// All components (types of user-interface objects) that skins may name, ordered by name.
    public var allComponents: [SkinComponent] { components.values.map(\.component).sorted { $0.name < $1.name } }

    /// Returns the skin component (type of user-interface object) with this name, or `nil` if there is none.
    public func component(_ name: String) -> SkinComponent? { components[name]?.component }

    /// Returns the object type (type of values in skins) with this name, or `nil` if there is none.
    public func objectType(_ name: String) -> (any ObjectType)? { types[name] }

    /// Returns a skin operation of a component, which may be inherited; `nil` if the component does not support it.
    public func operation(_ name: String, of component: String) -> SkinOperation? {
        components[component]?.operations[name]
    }

    /// Returns all skin operations of a component, including inherited ones, ordered by name.
    public func operations(of component: String) -> [SkinOperation] {
        components[component]?.operations.values.sorted { $0.name < $1.name } ?? []
    }

    /// Returns whether any skin component has an operation with this name.
    func hasOperation(_ name: String) -> Bool { components.values.contains { $0.operations[name] != nil } }

    /// Returns the names of a skin component and its ancestors, the nearest first.
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

    /// Returns a skin's value written in CSS; `nil` if that is not possible, or if the value's type is unknown.
    public func css(_ value: SkinValue, in context: StyleContext) -> String? {
        types[value.type].flatMap { css(value, $0, context) }
    }

    private func css(_ value: SkinValue, _ type: some ObjectType, _ context: StyleContext) -> String? {
        type.value(of: value.content).flatMap { type.css($0, in: context) }
    }

    /// Returns a skin's value in the form for JSON.
    public func json(_ value: SkinValue) -> JSONValue {
        types[value.type].flatMap { json(value, $0) } ?? .string(value.text)
    }

    private func json(_ value: SkinValue, _ type: some ObjectType) -> JSONValue? {
        type.value(of: value.content).map { type.json($0, in: self) }
    }

    /// Returns the assets (such as images) that a skin's value refers to.
    public func assets(in value: SkinValue) -> [SkinAsset] {
        types[value.type].map { assets(in: value, $0) } ?? []
    }

    private func assets(in value: SkinValue, _ type: some ObjectType) -> [SkinAsset] {
        type.value(of: value.content).map { type.assets(in: $0, self) } ?? []
    }

    // MARK: Identity

    /// A checksum of the components, operations and object types in the vocabulary.
    ///
    /// A compiled skin can be read with any vocabulary of the same fingerprint as that with which it was compiled.
    public var fingerprint: UInt64 {
        var text = ""
        for type in types.values.sorted(by: { $0.name < $1.name }) { text += "\(type.name) \(type.revision)\n" }
        for name in components.keys.sorted() {
            text += "\(name)\n"
            for operation in operations(of: name) {
                text += " \(operation.name)"
                for parameter in operation.parameters {
                    text += " \(parameter.name):\(parameter.type)"
                    if let items = parameter.items { text += "[\(items.count) \(items.type)]" }
                }
                text += "\n"
            }
        }
        return XXH3.hash(Array(text.utf8))
    }
}

/// A type of user-interface object, such as a button: the skin operations that it supports, and its parent.
public struct SkinComponent: Sendable, Hashable {
    /// The name of the component's XML element in a skin's files, such as `uibutton`.
    public let name: String
    /// The name of the component that this component inherits operations from; `nil` if there is none.
    public let parent: String?
    /// The component's skin operations in addition to inherited ones, or in place of those of the same name.
    public let operations: [SkinOperation]

    /// Creates the definition of a skin component (a type of user-interface object).
    public init(_ name: String, inherits parent: String? = nil, _ operations: [SkinOperation] = []) {
        self.name = name
        self.parent = parent
        self.operations = operations
    }
}

/// The definition of a skin operation: one change of appearance, such as setting the background colour.
public struct SkinOperation: Sendable, Hashable {
    public let name: String
    public let parameters: [SkinParameter]

    /// Creates the definition of a skin operation from its name and parameters.
    public init(_ name: String, _ parameters: SkinParameter...) {
        self.name = name
        self.parameters = parameters
    }

    /// The definition of the skin operation's parameter with this name; `nil` if there is none.
    public subscript(name: String) -> SkinParameter? { parameters.first { $0.name == name } }
}

/// The definition of a parameter of a skin operation: its name and the type of its values.
public struct SkinParameter: Sendable, Hashable {
    public let name: String
    /// The name of the ``ObjectType`` of the parameter's values, such as `color`.
    public let type: String
    /// Whether the skin parameter's numbers are lengths in pixels, which need a unit in style sheets.
    public let isLength: Bool
    /// The items that a value of the type `array` must have; `nil` if it may have any.
    public let items: Items?

    /// Creates the definition of a parameter of a skin operation.
    public init(_ name: String, _ type: String, isLength: Bool = false, items: Items? = nil) {
        self.name = name
        self.type = type
        self.isLength = isLength
        self.items = items
    }

    /// The items of an array that is the value of a skin operation's parameter: their type and number.
    public struct Items: Sendable, Hashable {
        /// The name of the ``ObjectType`` of each item, such as `float`.
        public let type: String
        /// The number of items.
        public let count: Int

        /// Creates the description of an array's items.
        public init(type: String, count: Int) {
            self.type = type
            self.count = count
        }
    }
}
