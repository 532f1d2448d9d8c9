import StoreModel

/// The constants (named values) of a skin and its ancestors, and the resolution of references between them.
struct SkinConstants {
    /// The definitions of each of the skin's constants, by name, in order of increasing precedence.
    private var definitions: [String: [LocatedConstant]] = [:]
    private var resolved: [String: Resolved] = [:]

    /// A constant of a skin with the file that defines it.
    private struct LocatedConstant {
        let file: SkinFile
        let constant: ThemeDocument.Value
    }

    /// The definition of a skin's constant that is used: the valid one of highest precedence.
    private struct Resolved {
        /// The index of the definition that is used among all definitions of the constant.
        let index: Int
        let content: Content
        /// Whether the constant's value is an array with items.
        ///
        /// An item can't refer to such a constant, or values could grow exponentially.
        let hasItems: Bool

        enum Content {
            case value(SkinValue)
            /// The value is that of another constant, given by name, which must have the type; `nil` allows any type.
            case reference(String, type: String?)
        }
    }

    /// Adds a definition of a constant, which overrides earlier definitions of the same name.
    ///
    /// - Parameter name: the text of the constant's name.
    mutating func add(_ constant: ThemeDocument.Value, named name: String, in file: SkinFile) {
        definitions[name, default: []].append(LocatedConstant(file: file, constant: constant))
    }

    /// Determines the value of each of the skin's constants.
    ///
    /// Instead of an invalid definition, the definition that it overrides is used.
    ///
    /// - Parameters:
    ///   - names: the names in the theme files of the skin.
    ///   - read: reads a value without a reference; its items may refer to the constants passed to it.
    mutating func resolve(
        _ names: SkinNameTable,
        _ read: (ThemeDocument.Value, SkinFile, SkinConstants) throws(InvalidValue) -> SkinValue,
        warn: (SkinWarning) -> Void
    ) {
        // Constants with items are second, because their items may refer to the others.
        for hasItems in [false, true] {
            var found: [String: Resolved] = [:]
            for (name, candidates) in definitions {
                for (index, defined) in candidates.enumerated() where defined.constant.items.isEmpty != hasItems {
                    do throws(InvalidValue) {
                        let content: Resolved.Content =
                            if let reference = defined.constant.reference {
                                .reference(names[reference], type: defined.constant.type.map { names[$0] })
                            } else {
                                .value(try read(defined.constant, defined.file, self))
                            }
                        found[name] = Resolved(index: index, content: content, hasItems: hasItems)
                    } catch {
                        warn(defined.file.warning(error.code, defined.constant.line, error.message))
                    }
                }
            }
            resolved.merge(found) { $0.index > $1.index ? $0 : $1 }
        }
        checkReferences(warn)
    }

    private func checkReferences(_ warn: (SkinWarning) -> Void) {
        for (name, constant) in resolved {
            guard case .reference(let other, _) = constant.content, value(name) == nil,
                let defined = definitions[name]?[constant.index]
            else { continue }
            warn(
                defined.file.warning(
                    .skinUnknownConstant, defined.constant.line,
                    "'\(name)' refers to '\(other)', which has no value of that type"))
        }
    }

    /// Returns the value of a skin's constant; `nil` if the constant, or one that it refers to, does not exist.
    ///
    /// - Parameter isForItem: whether constants with items are excluded.
    func value(_ name: String, isForItem: Bool = false) -> SkinValue? {
        var (next, types): (String, [String]) = (name, [])
        // The limit also ends cycles.
        for _ in 0..<SkinLimits.references {
            guard let constant = resolved[next], !(isForItem && constant.hasItems) else { return nil }
            switch constant.content {
            case .value(let value): return types.allSatisfy { $0 == value.type } ? value : nil
            case .reference(let other, let type):
                next = other
                if let type, types.last != type { types.append(type) }
            }
        }
        return nil
    }
}
