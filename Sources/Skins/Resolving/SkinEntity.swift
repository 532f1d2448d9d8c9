/// What a resolved skin says for one identifier.
public struct SkinEntity: Sendable, Hashable {
    public let identifier: String
    /// The name of the component type.
    public let component: String
    /// In the order of their names, each once; all of them are the component's.
    public let operations: [Operation]

    /// One operation with its inputs.
    public struct Operation: Sendable, Hashable {
        public let name: String
        /// In the order of the operation's description; at least one.
        public let parameters: [Parameter]

        /// The value of a parameter.
        public subscript(parameter: String) -> SkinValue? { parameters.first { $0.name == parameter }?.value }
    }

    public struct Parameter: Sendable, Hashable {
        public let name: String
        public let value: SkinValue
    }

    /// The operation of a name: `entity["backgroundColor"]?["color"]?.value(as: .color)`.
    public subscript(operation: String) -> Operation? { operations.first { $0.name == operation } }
}
