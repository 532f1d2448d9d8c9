/// What a skin says for one identifier, as style sheets have it: by operation, the values of its parameters.
struct StyleValues {
    /// In the order of the operations' names.
    let all: [(operation: String, value: String)]

    /// Without the operations of which a value has no meaning in a style sheet.
    ///
    /// - Parameter css: a value in the style sheet's language.
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

    // An identifier has a handful of operations: going through them is faster than hashing.
    subscript(operation: String) -> String? { all.first { $0.operation == operation }?.value }
}
