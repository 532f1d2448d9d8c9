import StoreModel

/// The constants (named values) of a skin and its ancestors, and the resolution of references between them.
struct SkinConstants {
    /// The definitions of each of the skin's constants, by name, in order of increasing precedence.
    private var definitions: [String: [Definition]] = [:]
    private var values: [String: Constant] = [:]

    /// A definition of a constant, with the file that contains it.
    private struct Definition {
        let file: SkinFile
        let constant: ThemeDocument.Value
    }

    /// The value of a constant.
    private struct Constant {
        let value: SkinValue
        /// Whether the value is an array with items.
        ///
        /// An item can't refer to such a constant, or values could grow exponentially.
        let hasItems: Bool
        /// The number of references between the constant and the definition with the value.
        var references = 0
    }

    /// A definition that may give a constant its value.
    private struct Candidate {
        enum Content {
            case value(SkinValue)
            /// The value is that of another constant, given by name, which must have the type; `nil` allows any type.
            case reference(String, type: String?)
            /// An array that is not read yet, the constants to which its items refer, and how many of these were visited.
            case array(references: [String], visited: Int)
        }

        let definition: Definition
        var content: Content
    }

    /// Adds a definition of a constant, which overrides earlier definitions of the same name.
    ///
    /// - Parameter name: the text of the constant's name.
    mutating func add(_ constant: ThemeDocument.Value, named name: String, in file: SkinFile) {
        definitions[name, default: []].append(Definition(file: file, constant: constant))
    }

    /// Determines the value of each of the skin's constants.
    ///
    /// Instead of an invalid definition, or one that refers to a constant without a value or to itself, the definition that it
    /// overrides is used. The time is linear.
    ///
    /// - Parameters:
    ///   - names: the names in the theme files of the skin.
    ///   - read: reads a value without a reference; its items may refer to the constants passed to it.
    mutating func resolve(
        _ names: SkinNameTable,
        _ read: (ThemeDocument.Value, SkinFile, SkinConstants) throws(InvalidValue) -> SkinValue,
        warn: (SkinWarning) -> Void
    ) {
        var open: [String: [Candidate]] = [:]
        for (name, definitions) in definitions {
            let candidates = definitions.compactMap { candidate($0, names, read, warn) }
            if let last = candidates.last, case .value(let value) = last.content {
                values[name] = Constant(value: value, hasItems: false)
            } else {
                open[name] = candidates
            }
        }
        // In a fixed order, because of constants that refer to each other only one can be the first.
        for name in open.keys.sorted() { resolve(name, &open, read, warn) }
    }

    private func candidate(
        _ definition: Definition, _ names: SkinNameTable,
        _ read: (ThemeDocument.Value, SkinFile, SkinConstants) throws(InvalidValue) -> SkinValue,
        _ warn: (SkinWarning) -> Void
    ) -> Candidate? {
        let constant = definition.constant
        if let reference = constant.reference {
            let type = constant.type.map { names[$0] }
            return Candidate(definition: definition, content: .reference(names[reference], type: type))
        }
        guard constant.items.isEmpty else {
            let references = constant.referencesOfItems.map { names[$0] }
            return Candidate(definition: definition, content: .array(references: references, visited: 0))
        }
        return value(of: definition, read, warn).map { Candidate(definition: definition, content: .value($0)) }
    }

    private func value(
        of definition: Definition,
        _ read: (ThemeDocument.Value, SkinFile, SkinConstants) throws(InvalidValue) -> SkinValue,
        _ warn: (SkinWarning) -> Void
    ) -> SkinValue? {
        do throws(InvalidValue) {
            return try read(definition.constant, definition.file, self)
        } catch {
            warn(definition.file.warning(error.code, definition.constant.line, error.message))
            return nil
        }
    }

    /// Determines the value of a constant, and of those to which it refers.
    ///
    /// - Parameter open: the constants whose values are not determined yet.
    private mutating func resolve(
        _ name: String, _ open: inout [String: [Candidate]],
        _ read: (ThemeDocument.Value, SkinFile, SkinConstants) throws(InvalidValue) -> SkinValue,
        _ warn: (SkinWarning) -> Void
    ) {
        // A chain of references can be longer than the stack of a thread is deep.
        var stack = [name]
        var active: Set = [name]
        while let name = stack.last {
            guard let last = open[name]?.indices.last, let candidate = open[name]?[last] else {
                open[name] = nil
                active.remove(stack.removeLast())
                continue
            }
            switch candidate.content {
            case .array(let references, let visited) where visited < references.count:
                // By index: removing an element would copy the list, which `open` has as well.
                open[name]?[last].content = .array(references: references, visited: visited + 1)
                let next = references[visited]
                if open[next] != nil, active.insert(next).inserted { stack.append(next) }
            case .array:
                if let value = value(of: candidate.definition, read, warn) {
                    open[name]?[last].content = .value(value)
                } else {
                    open[name]?.removeLast()
                }
            case .value(let value):
                values[name] = Constant(value: value, hasItems: !candidate.definition.constant.items.isEmpty)
                open[name] = []
            case .reference(let other, let type):
                if let found = values[other], found.value.type == type ?? found.value.type,
                    found.references + 1 < SkinLimits.references
                {
                    values[name] = Constant(
                        value: found.value, hasItems: found.hasItems, references: found.references + 1)
                    open[name] = []
                } else if values[other] == nil, open[other] != nil, active.insert(other).inserted {
                    stack.append(other)
                } else {
                    open[name]?.removeLast()
                    warn(
                        candidate.definition.file.warning(
                            .skinUnknownConstant, candidate.definition.constant.line,
                            "'\(name)' refers to '\(other)', which has no value of that type"))
                }
            }
        }
    }

    /// Returns the value of a skin's constant; `nil` if the constant, or one that it refers to, does not exist.
    ///
    /// - Parameter isForItem: whether constants with items are excluded.
    func value(_ name: String, isForItem: Bool = false) -> SkinValue? {
        guard let found = values[name], !(isForItem && found.hasItems) else { return nil }
        return found.value
    }
}

extension ThemeDocument.Value {
    /// The names to which the items of the value refer, also those of arrays in it.
    fileprivate var referencesOfItems: [SkinName] {
        items.flatMap { item in (item.reference.map { [$0] } ?? []) + item.referencesOfItems }
    }
}
