import Foundation
import StoreModel
import StoreSkins

/// An element of the page with its computed style.
struct DrawnElement: Decodable, Sendable {
    let width: Double
    let height: Double
    let isDisabled: Bool
    let isChecked: Bool
    /// The style by CSS property; properties of pseudo-elements and of an inner heading have its name as prefix.
    let style: [String: String]

    private static let script = """
        (() => {
          const names = ["background-color", "background-image", "border-top-left-radius", "border-top-color",
            "border-top-width", "opacity", "padding-top", "padding-right", "padding-bottom", "padding-left", "color",
            "font-family", "font-size", "font-weight", "line-height", "text-align", "mask-image"];
          const all = {};
          for (const element of document.querySelectorAll("[data-skin]")) {
            const style = {};
            const add = (prefix, computed) => {
              for (const name of names) style[prefix + name] = computed.getPropertyValue(name);
            };
            add("", getComputedStyle(element));
            add("::before ", getComputedStyle(element, "::before"));
            add("::placeholder ", getComputedStyle(element, "::placeholder"));
            const heading = element.querySelector("h1, h2");
            if (heading) add("heading ", getComputedStyle(heading));
            const box = element.getBoundingClientRect();
            (all[element.dataset.skin] ??= []).push({ width: box.width, height: box.height, style,
              isDisabled: element.matches(":disabled"), isChecked: element.matches(":checked") });
          }
          return JSON.stringify(all);
        })()
        """

    /// Returns the elements of a page by identifier.
    static func all(of page: Page) async throws -> [String: [DrawnElement]] {
        let text = try await page.value(script).text ?? ""
        return try JSONDecoder().decode([String: [DrawnElement]].self, from: Data(text.utf8))
    }
}

/// The appearance that a skin specifies for an identifier, computed from its values.
struct ExpectedLook {
    private let entity: SkinEntity

    init(_ entity: SkinEntity) { self.entity = entity }

    /// The number of operations that are compared.
    var count: Int { entity.operations.count }

    /// Returns the differences between the drawn element and the skin.
    func differences(from drawn: DrawnElement) -> [String] {
        var differences: [String] = []
        for operation in entity.operations where operation.name != shadowed(drawn) {
            for (property, expected) in expectations(operation, drawn) {
                let found = drawn.style[property] ?? "nothing"
                if !expected.matches(found) { differences.append("\(operation.name): \(property) is \(found)") }
            }
        }
        return differences
    }

    /// Returns the operation that another one overrides in the element's present state.
    private func shadowed(_ drawn: DrawnElement) -> String? {
        drawn.isDisabled && entity["disabledColor"] != nil || drawn.isChecked && entity["onColor"] != nil
            ? "backgroundColor" : nil
    }

    fileprivate enum Expected {
        case color(SkinColor)
        case number(Double)
        case text(String)
        case containing(String)

        func matches(_ found: String) -> Bool {
            switch self {
            case .color(let color): Self.numbers(found) == Self.numbers(color)
            case .number(let number): Double(found.replacing("px", with: "")).map { abs($0 - number) < 0.01 } ?? false
            case .text(let text): found == text
            case .containing(let text): found.contains(text)
            }
        }

        /// Returns red, green, blue and alpha of a computed colour, each up to 255.
        private static func numbers(_ found: String) -> [Int] {
            let all = found.matches(of: /[0-9.]+/).compactMap { Double($0.output) }
            guard all.count >= 3 else { return [] }
            return all.prefix(3).map { Int($0) } + [Int(((all.count > 3 ? all[3] : 1) * 255).rounded())]
        }
        private static func numbers(_ color: SkinColor) -> [Int] {
            [Int(color.red), Int(color.green), Int(color.blue), Int(color.alpha)]
        }
    }

    private func expectations(_ operation: SkinEntity.Operation, _ drawn: DrawnElement) -> [(String, Expected)] {
        let value = operation.parameters[0].value
        let color = value.value(as: .color).map { Expected.color($0) }
        let number = value.value(as: .float).map { Expected.number($0) }
        let hasStencil = entity["image"] != nil && entity["tintColor"] != nil
        switch operation.name {
        case "backgroundColor": return [("background-color", color)].known
        case "disabledColor": return drawn.isDisabled ? [("background-color", color)].known : []
        case "onColor": return drawn.isChecked ? [("background-color", color)].known : []
        case "cornerRadius": return [("border-top-left-radius", number)].known
        case "borderColor": return [("border-top-color", color)].known
        case "borderWidth": return [("border-top-width", number)].known
        case "opacity": return [("opacity", number)].known
        case "textColor": return [("color", color)].known
        case "titleColor": return [("heading color", color)].known
        case "placeholderColor": return [("::placeholder color", color)].known
        case "textAlignment": return [("text-align", .text(value.text))]
        case "font": return font(value, "")
        case "titleFont": return font(value, "heading ")
        case "tintColor": return [(hasStencil ? "::before background-color" : "color", color)].known
        case "minimumTrackColor", "maximumTrackColor":
            return value.value(as: .color).map {
                [("background-image", .containing("rgb(\($0.red), \($0.green), \($0.blue))"))]
            } ?? []
        case "thumbColor": return entity.component == "uiswitch" ? [("::before background-color", color)].known : []
        case "image": return image(value, hasStencil ? "::before mask-image" : "background-image")
        case "backgroundImage": return image(value, "background-image")
        case "lineHeight":
            guard let size = entity["font"]?["font"]?.value(as: .font)?.size, let factor = value.value(as: .float)
            else { return [] }
            return [("line-height", .number(size * factor))]
        case "padding":
            let insets = (value.value(as: .array) ?? []).compactMap { $0.value(as: .float) }
            let properties = ["padding-top", "padding-right", "padding-bottom", "padding-left"]
            return zip(properties, insets).map { ($0, .number($1)) }
        // Applies to a state that the element is not in.
        case "highlightedColor": return []
        case let other: return [("no such operation as \(other)", .text(""))]
        }
    }

    private func font(_ value: SkinValue, _ prefix: String) -> [(String, Expected)] {
        guard let font = value.value(as: .font) else { return [] }
        return [
            (prefix + "font-family", .text("\(font.family), sans-serif")), (prefix + "font-size", .number(font.size)),
            (prefix + "font-weight", .number(Double(font.weight))),
        ]
    }

    private func image(_ value: SkinValue, _ property: String) -> [(String, Expected)] {
        value.value(as: .image).map { [(property, .containing("/skins/\($0.skin)/\($0.path)\""))] } ?? []
    }
}

extension [(String, ExpectedLook.Expected?)] {
    fileprivate var known: [(String, ExpectedLook.Expected)] { compactMap { name, value in value.map { (name, $0) } } }
}
