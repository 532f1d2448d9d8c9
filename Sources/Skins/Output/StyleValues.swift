/// The values, written in CSS, that a skin has for one identifier, by the name of the skin operation.
struct StyleValues {
    /// The skin operations for the identifier with their values in CSS, ordered by the operation's name.
    let all: [(operation: String, value: String)]

    /// Creates the values of an identifier from those skin operations whose inputs all have a form in CSS.
    ///
    /// - Parameter css: converts a value to CSS.
    init(
        _ entity: SkinEntity, _ vocabulary: SkinVocabulary, address: @escaping @Sendable (SkinAsset) -> String,
        css: (SkinValue, StyleContext) -> String?
    ) {
        all = entity.operations.compactMap { operation in
            let described = vocabulary.operation(operation.name, of: entity.component)
            let values = operation.parameters.compactMap { parameter in
                let context = StyleContext(
                    vocabulary: vocabulary, isLength: described?[parameter.name]?.isLength ?? false, address: address)
                return css(parameter.value, context)
            }
            guard values.count == operation.parameters.count else { return nil }
            return (operation.name, values.joined(separator: " "))
        }
    }

    // An identifier has few operations, so that a linear search is faster than a dictionary.
    subscript(operation: String) -> String? { all.first { $0.operation == operation }?.value }
}
