public import StoreModel

extension SkinDifference {
    /// Computes the difference between two skins, or two versions of a skin.
    ///
    /// A page that shows `old` shows `new` after setting ``properties``, unless ``rules`` is true.
    ///
    /// - Parameters:
    ///   - old: the previous skin; `nil` if there was none.
    ///   - vocabulary: the vocabulary with which both skins were resolved.
    ///   - styles: the CSS declarations of the operations.
    ///   - address: returns the URL of an asset for the page.
    public init(
        from old: ResolvedSkin?, to new: ResolvedSkin, vocabulary: SkinVocabulary = .standard,
        styles: [StyleRule] = StyleRule.web, address: @escaping @Sendable (SkinAsset) -> String
    ) {
        let before = old.map { WebStyleSheet($0, vocabulary: vocabulary, rules: styles, address: address) }
        let after = WebStyleSheet(new, vocabulary: vocabulary, rules: styles, address: address)
        self.init(
            from: old?.reference, to: new.reference,
            identifiers: Self.identifiers(from: old, to: new, vocabulary, address),
            properties: Self.properties(from: before, to: after),
            rules: before?.rules.filter { !$0.text.isEmpty } != after.rules.filter { !$0.text.isEmpty })
    }

    private static func identifiers(
        from old: ResolvedSkin?, to new: ResolvedSkin, _ vocabulary: SkinVocabulary, _ address: (SkinAsset) -> String
    ) -> [String: [String: SkinValues.Operation?]] {
        var changes: [String: [String: SkinValues.Operation?]] = [:]
        for entity in old?.entities ?? [] {
            let remaining = new[entity.identifier]
            for operation in entity.operations where remaining?[operation.name] == nil {
                changes[entity.identifier, default: [:]][operation.name] = .some(nil)
            }
        }
        for entity in new.entities {
            let before = old?[entity.identifier]
            // Most identifiers of related skins have equal definitions.
            guard before?.operations != entity.operations else { continue }
            for operation in entity.operations where before?[operation.name] != operation {
                changes[entity.identifier, default: [:]][operation.name] =
                    SkinValues.operation(operation, vocabulary, address)
            }
        }
        return changes
    }

    private static func properties(from old: WebStyleSheet?, to new: WebStyleSheet) -> [String: String?] {
        var before = Dictionary((old?.properties ?? []).map { ($0.name, $0.value) }) { _, last in last }
        var changes: [String: String?] = [:]
        for property in new.properties where before.removeValue(forKey: property.name) != property.value {
            changes[property.name] = property.value
        }
        for name in before.keys { changes[name] = .some(nil) }
        return changes
    }
}
