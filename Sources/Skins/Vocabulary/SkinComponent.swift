/// The description of one type of user-interface object: which operations it supports, beside those of the component
/// that it inherits from.
public struct SkinComponent: Sendable, Hashable {
    /// That of the element in a skin's files, such as `uibutton`.
    public let name: String
    /// What it inherits from, if anything.
    public let parent: String?
    /// Its own. One of a name that the parent has takes its place.
    public let operations: [SkinOperation]

    public init(_ name: String, inherits parent: String? = nil, _ operations: [SkinOperation] = []) {
        self.name = name
        self.parent = parent
        self.operations = operations
    }
}

/// The description of one change with one purpose, such as setting the background colour.
public struct SkinOperation: Sendable, Hashable {
    public let name: String
    public let parameters: [SkinParameter]

    public init(_ name: String, _ parameters: SkinParameter...) {
        self.name = name
        self.parameters = parameters
    }

    /// The parameter of a name.
    public subscript(name: String) -> SkinParameter? { parameters.first { $0.name == name } }
}

/// What an operation takes.
public struct SkinParameter: Sendable, Hashable {
    public let name: String
    /// The name of its ``ObjectType``.
    public let type: String
    /// Whether numbers in it count pixels, which style sheets want to be told of.
    public let isLength: Bool

    public init(_ name: String, _ type: String, isLength: Bool = false) {
        self.name = name
        self.type = type
        self.isLength = isLength
    }
}
