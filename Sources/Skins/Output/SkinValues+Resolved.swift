public import StoreModel

extension ResolvedSkin {
    /// Returns all values of the skin as a value that can be encoded as a JSON document.
    ///
    /// - Parameters:
    ///   - vocabulary: the vocabulary with which the skin was resolved.
    ///   - address: returns the URL of an asset for readers of the document.
    public func values(
        vocabulary: SkinVocabulary = .standard, address: @Sendable (SkinAsset) -> String
    ) -> SkinValues {
        var identifiers: [String: SkinValues.Entity] = [:]
        for index in 0..<count {
            guard let (identifier, entity) = values(at: index, vocabulary: vocabulary, address: address) else {
                continue
            }
            identifiers[identifier] = entity
        }
        return SkinValues(
            skin: reference, inherits: chain.dropFirst().map(\.reference), idiom: idiom.name, identifiers: identifiers)
    }

    /// Returns the identifier at an index below ``count``, in byte order, and the skin's values for it.
    ///
    /// - Parameters:
    ///   - vocabulary: the vocabulary with which the skin was resolved.
    ///   - address: returns the URL of an asset for readers of the document.
    public func values(
        at index: Int, vocabulary: SkinVocabulary = .standard, address: @Sendable (SkinAsset) -> String
    ) -> (identifier: String, values: SkinValues.Entity)? {
        guard let entity = store.entity(index) else { return nil }
        var operations: [String: SkinValues.Operation] = [:]
        for operation in entity.operations {
            operations[operation.name] = SkinValues.operation(operation, vocabulary, address)
        }
        return (entity.identifier, SkinValues.Entity(component: entity.component, operations: operations))
    }

    /// The product identifier, name and version of the skin.
    public var reference: SkinReference { chain[0].reference }
}

extension ResolvedSkin.Link {
    /// The product identifier, name and version of the skin in the chain of inheritance.
    public var reference: SkinReference { SkinReference(identifier: identifier, name: name, version: version) }
}

extension SkinValues {
    static func operation(
        _ operation: SkinEntity.Operation, _ vocabulary: SkinVocabulary, _ address: (SkinAsset) -> String
    ) -> Operation {
        var inputs: Operation = [:]
        for parameter in operation.parameters {
            let value = parameter.value
            inputs[parameter.name] = Value(
                type: value.type, value: vocabulary.json(value), address: value.value(as: .image).map(address))
        }
        return inputs
    }
}
