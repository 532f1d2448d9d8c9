import StoreSkins
import StoreTestSupport

/// A random chain of skins, and a second implementation of how it is resolved.
struct RandomSkins {
    private let skins: [Skin]
    var leaf: String { "s\(skins.count - 1)" }

    private struct Skin {
        var files: [File]
    }
    private struct File {
        let name: String
        let idiom: SkinIdiom?
        var constants: [(name: String, meaning: Meaning)]
        var classes: [(name: String, operations: [(String, Meaning)])]
        var instances: [(identifier: String, component: String, classes: [String]?, operations: [(String, Meaning)])]
    }
    private enum Meaning {
        case color(Int)
        case constant(String)
    }

    private static let operations: [String: [String]] = [
        "uiview": ["backgroundColor", "borderColor"],
        "uilabel": ["backgroundColor", "borderColor", "textColor"],
        "uibutton": ["backgroundColor", "borderColor", "textColor", "highlightedColor"],
    ]

    init(_ random: inout SeededGenerator) {
        let (depth, names) = (Int.random(in: 1...4, using: &random), ["a", "b", "b2", "c"])
        // Each identifier has the same component in all skins, so that every operation applies.
        let components = (0..<8).map { _ in Self.operations.keys.sorted().randomElement(using: &random) ?? "uiview" }
        let classNames = ["k0", "k1", "k2"]
        skins = (0..<depth).map { level in
            var files: [File] = []
            for name in names {
                for idiom in [nil, .phone, .tablet, .desktop] as [SkinIdiom?]
                where Int.random(in: 0..<3, using: &random) == 0 {
                    files.append(File(name: name, idiom: idiom, constants: [], classes: [], instances: []))
                }
            }
            // The first skin contains everything that others refer to.
            if level == 0 {
                files.removeAll { $0.name == "a" && $0.idiom == nil }
                files.insert(File(name: "a", idiom: nil, constants: [], classes: [], instances: []), at: 0)
                files[0].constants = (0..<4).map { ("c\($0)", .color(Self.number(&random))) }
                files[0].classes = classNames.map { ($0, []) }
            }
            for place in files.indices {
                for _ in 0..<Int.random(in: 0...2, using: &random) {
                    // Constants only refer to those with smaller numbers, so there are no cycles.
                    let number = Int.random(in: 0..<4, using: &random)
                    let other = Int.random(in: 0...number, using: &random)
                    files[place].constants.append(
                        ("c\(number)", other < number ? .constant("c\(other)") : .color(Self.number(&random))))
                }
                for _ in 0..<Int.random(in: 0...2, using: &random) {
                    files[place].classes.append(
                        (
                            classNames.randomElement(using: &random) ?? "k0",
                            Self.some(of: Self.operations["uibutton"] ?? [], &random)
                        ))
                }
                for _ in 0..<Int.random(in: 0...4, using: &random) {
                    let number = Int.random(in: 0..<8, using: &random)
                    let isClassed = Bool.random(using: &random)
                    files[place].instances.append(
                        (
                            "é\(number)", components[number],
                            isClassed ? classNames.shuffled(using: &random).prefix(2).map { $0 } : nil,
                            Self.some(of: Self.operations[components[number]] ?? [], &random)
                        ))
                }
            }
            return Skin(files: files)
        }
    }

    private static func number(_ random: inout SeededGenerator) -> Int { Int.random(in: 0...0xFFFFFF, using: &random) }

    private static func some(of names: [String], _ random: inout SeededGenerator) -> [(String, Meaning)] {
        (0..<Int.random(in: 0...3, using: &random)).map { _ in
            let name = names.randomElement(using: &random) ?? ""
            return (
                name,
                Bool.random(using: &random)
                    ? .color(number(&random)) : .constant("c\(Int.random(in: 0..<4, using: &random))")
            )
        }
    }

    // MARK: Generating files

    func put(on shelf: SkinShelf) throws {
        for (level, skin) in skins.enumerated() {
            let files = skin.files.map { file in
                (file.name + (file.idiom.map { "~\($0.name)" } ?? "") + ".xml", Self.xml(file))
            }
            try shelf.put(
                "s\(level)", parent: level == 0 ? nil : "s\(level - 1)",
                Dictionary(files) { first, _ in first })
        }
    }

    private static func xml(_ file: File) -> String {
        let constants = file.constants.map { name, meaning in
            switch meaning {
            case .color(let number): "<constant name='\(name)' type='color'>\(hex(number))</constant>"
            case .constant(let other): "<constant name='\(name)' type='color' ref='\(other)'/>"
            }
        }
        let classes = file.classes.map { "<class id='\($0)'>\(xml($1))</class>" }
        let instances = file.instances.map { identifier, component, classes, operations in
            let named = classes.map { " class='\($0.joined(separator: " "))'" } ?? ""
            return "<\(component) id='\(identifier)'\(named)>\(xml(operations))</\(component)>"
        }
        return "<instances>\(instances.joined())</instances><constants>\(constants.joined())</constants>"
            + "<classes>\(classes.joined())</classes>"
    }

    private static func xml(_ operations: [(String, Meaning)]) -> String {
        operations.map { name, meaning in
            switch meaning {
            case .color(let number): color(name, hex(number))
            case .constant(let other): colorReference(name, other)
            }
        }.joined()
    }

    private static func hex(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return "#" + String(repeating: "0", count: 6 - digits.count) + digits
    }

    // MARK: Expected result

    /// Returns the operations by identifier, including the `component`.
    func resolved(for idiom: SkinIdiom) -> [String: [String: String]] {
        let files = skins.flatMap { skin in
            ["a", "b", "b2", "c"].flatMap { name in
                [nil, idiom].compactMap { wanted in skin.files.first { $0.name == name && $0.idiom == wanted } }
            }
        }
        var constants: [String: Meaning] = [:]
        for file in files { for (name, meaning) in file.constants { constants[name] = meaning } }
        func text(_ meaning: Meaning) -> String {
            switch meaning {
            case .color(let number): Self.hex(number)
            case .constant(let name): constants[name].map(text) ?? "?"
            }
        }
        var classes: [String: [String: String]] = [:]
        for file in files {
            for (name, operations) in file.classes {
                for (operation, meaning) in operations { classes[name, default: [:]][operation] = text(meaning) }
            }
        }
        var (own, named, result) = ([String: [String: String]](), [String: [String]](), [String: [String: String]]())
        for instance in files.flatMap(\.instances) {
            result[instance.identifier, default: [:]]["component"] = instance.component
            if let classes = instance.classes { named[instance.identifier] = classes }
            for (operation, meaning) in instance.operations {
                own[instance.identifier, default: [:]][operation] = text(meaning)
            }
        }
        for (identifier, entity) in result {
            let component = entity["component"] ?? ""
            for name in named[identifier] ?? [] {
                for (operation, value) in classes[name] ?? [:]
                where Self.operations[component]?.contains(operation) == true {
                    result[identifier]?[operation] = value
                }
            }
            result[identifier]?.merge(own[identifier] ?? [:]) { $1 }
        }
        return result
    }

    /// Returns entities in the form of ``resolved(for:)``.
    static func flat(_ entities: [SkinEntity]) -> [String: [String: String]] {
        var result: [String: [String: String]] = [:]
        for entity in entities {
            result[entity.identifier] = ["component": entity.component]
            for operation in entity.operations {
                result[entity.identifier]?[operation.name] = operation["color"]?.text
            }
        }
        return result
    }
}
