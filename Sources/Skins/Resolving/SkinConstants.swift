import StoreModel

/// The constants of a chain of skins.
struct SkinConstants {
    /// In the order in which they win over one another.
    private var definitions: [String: [Defined]] = [:]
    private var meanings: [String: Meaning] = [:]

    private struct Defined {
        let file: SkinFile
        let constant: SkinDocument.Value
    }

    private struct Meaning {
        let place: Int
        let content: Content
        /// Whether it has items: an item that took one would let a value grow with every step.
        let isManifold: Bool

        enum Content {
            case value(SkinValue)
            /// What another constant stands for, and the type that it must be of.
            case reference(String, type: String?)
        }
    }

    mutating func add(_ constant: SkinDocument.Value, in file: SkinFile) {
        definitions[constant.name, default: []].append(Defined(file: file, constant: constant))
    }

    /// Finds out what each stands for. One that can't be read costs itself only: what it would have won over counts.
    ///
    /// - Parameter read: the value of one that refers to none; its items may refer to those that are handed over.
    mutating func settle(
        _ read: (SkinDocument.Value, SkinFile, SkinConstants) throws(SkinRemark) -> SkinValue,
        warn: (SkinWarning) -> Void
    ) {
        // Those with items are second, because they may take the others.
        for isManifold in [false, true] {
            var found: [String: Meaning] = [:]
            for (name, candidates) in definitions {
                for (place, defined) in candidates.enumerated() where defined.constant.items.isEmpty != isManifold {
                    do throws(SkinRemark) {
                        let content: Meaning.Content =
                            if let reference = defined.constant.reference {
                                .reference(reference, type: defined.constant.type)
                            } else {
                                .value(try read(defined.constant, defined.file, self))
                            }
                        found[name] = Meaning(place: place, content: content, isManifold: isManifold)
                    } catch {
                        warn(defined.file.warning(error.code, defined.constant.line, error.message))
                    }
                }
            }
            meanings.merge(found) { $0.place > $1.place ? $0 : $1 }
        }
        checkReferences(warn)
    }

    private func checkReferences(_ warn: (SkinWarning) -> Void) {
        for (name, meaning) in meanings {
            guard case .reference(let other, _) = meaning.content, value(name) == nil,
                let defined = definitions[name]?[meaning.place]
            else { continue }
            warn(
                defined.file.warning(
                    .skinUnknownConstant, defined.constant.line,
                    "'\(name)' refers to '\(other)', which stands for no value of its type."))
        }
    }

    /// What a constant stands for; `nil` where there is none, or what it refers to is none.
    ///
    /// - Parameter isForItem: whether one that has items itself is none.
    func value(_ name: String, isForItem: Bool = false) -> SkinValue? {
        var (next, types): (String, [String]) = (name, [])
        // One more step than there are constants is a loop.
        for _ in 0...meanings.count {
            guard let meaning = meanings[next], !(isForItem && meaning.isManifold) else { return nil }
            switch meaning.content {
            case .value(let value): return types.allSatisfy { $0 == value.type } ? value : nil
            case .reference(let other, let type):
                next = other
                if let type, types.last != type { types.append(type) }
            }
        }
        return nil
    }
}
