/// The definition of a type of user-interface object: its operations, and the component that it inherits from.
public struct SkinComponent: Sendable, Hashable {
    /// The name of the element in a skin's files, such as `uibutton`.
    public let name: String
    /// The name of the component that it inherits from.
    public let parent: String?
    /// The operations in addition to inherited ones, which an operation of the same name overrides.
    public let operations: [SkinOperation]

    /// Creates a definition.
    public init(_ name: String, inherits parent: String? = nil, _ operations: [SkinOperation] = []) {
        self.name = name
        self.parent = parent
        self.operations = operations
    }
}

/// The definition of an operation, such as setting the background colour.
public struct SkinOperation: Sendable, Hashable {
    public let name: String
    public let parameters: [SkinParameter]

    /// Creates a definition.
    public init(_ name: String, _ parameters: SkinParameter...) {
        self.name = name
        self.parameters = parameters
    }

    /// The parameter with a name.
    public subscript(name: String) -> SkinParameter? { parameters.first { $0.name == name } }
}

/// The definition of an operation's parameter.
public struct SkinParameter: Sendable, Hashable {
    public let name: String
    /// The name of its ``ObjectType``.
    public let type: String
    /// Whether its numbers are lengths in pixels, which need a unit in style sheets.
    public let isLength: Bool

    /// Creates a definition.
    public init(_ name: String, _ type: String, isLength: Bool = false) {
        self.name = name
        self.type = type
        self.isLength = isLength
    }
}
