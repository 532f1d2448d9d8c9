import Foundation
import StoreSkins
import Testing

@Suite struct ContrastTests {
    @Test func `the contrast is computed as in the guidelines`() throws {
        let (white, black) = (SkinColor(red: 255, green: 255, blue: 255), SkinColor(red: 0, green: 0, blue: 0))
        #expect(abs(Contrast.ratio(white, black) - 21) < 0.001)
        #expect(Contrast.ratio(white, white) == 1)
        // The well-known grey values on both sides of 4.5.
        #expect(Contrast.ratio(white, SkinColor(red: 0x77, green: 0x77, blue: 0x77)) < 4.5)
        #expect(Contrast.ratio(white, SkinColor(red: 0x76, green: 0x76, blue: 0x76)) > 4.5)
    }

    @Test(arguments: PreinstalledSkins.names, SkinIdiom.all)
    func `every text and control of the preinstalled skins has enough contrast`(name: String, idiom: SkinIdiom) throws {
        let seen = Seen(try PreinstalledSkins.read(name, for: idiom))
        var pairs: [Pair] = []
        for part in ChatParts.all { pairs += try seen.pairs(part) }
        for pair in pairs {
            #expect(pair.ratio >= pair.needed, "\(name): \(pair)")
        }
        #expect(Set(pairs.map(\.part)).count > 80)
        #expect(pairs.count > 150)
    }
}

/// A foreground colour and the background that it must be distinguishable from.
struct Pair: CustomStringConvertible {
    let part: String
    let what: String
    let ratio: Double
    let needed: Double

    var description: String {
        "\(part), \(what): \((ratio * 100).rounded() / 100), and at least \(needed) is needed"
    }
}

/// A skin with the backgrounds of its parts.
private struct Seen {
    private let skin: ResolvedSkin
    init(_ skin: ResolvedSkin) { self.skin = skin }

    private func color(_ identifier: String, _ operation: String) -> SkinColor? {
        skin[identifier]?[operation]?["color"]?.value(as: .color)
    }

    /// Returns the colours that may be behind the content of a part.
    private func backgrounds(of part: ChatPart) throws -> [SkinColor] {
        var below = try part.containers.flatMap { try backgrounds(of: #require(ChatParts[$0])) }
        if below.isEmpty { below = [SkinColor(red: 255, green: 255, blue: 255)] }
        if let own = color(part.identifier, "backgroundColor") { below = below.map { Contrast.over($0, own) } }
        if let asset = skin[part.identifier]?["backgroundImage"]?["image"]?.value(as: .image) {
            let spots = try colors(of: asset)
            below += below.flatMap { under in spots.map { Contrast.over(under, $0) } }
        }
        return unique(below)
    }

    private func unique(_ colors: [SkinColor]) -> [SkinColor] {
        colors.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// Returns the colours of an SVG asset.
    private func colors(of asset: SkinAsset) throws -> [SkinColor] {
        let drawing = String(decoding: try skin.bytes(of: asset), as: UTF8.self)
        return try drawing.matches(of: /(?:fill|stroke)="(#[0-9a-f]{6})"(?: (?:fill|stroke)-opacity="([0-9.]+)")?/).map
        {
            let color = try #require(ColorType().value(ofText: String($0.1)))
            let alpha = $0.2.flatMap { Double($0) } ?? 1
            return SkinColor(
                red: color.red, green: color.green, blue: color.blue, alpha: UInt8((alpha * 255).rounded()))
        }
    }

    func pairs(_ part: ChatPart) throws -> [Pair] {
        let identifier = part.identifier
        let inside = try backgrounds(of: part)
        let behind = unique(try part.containers.flatMap { try backgrounds(of: #require(ChatParts[$0])) })
        var pairs: [Pair] = []
        func add(_ what: String, _ color: SkinColor?, on grounds: [SkinColor], _ needed: Double) {
            guard let color else { return }
            for ground in grounds {
                let ratio = Contrast.ratio(Contrast.over(ground, color), ground)
                pairs.append(Pair(part: identifier, what: what, ratio: ratio, needed: needed))
            }
        }
        func state(_ operation: String) -> [SkinColor] {
            color(identifier, operation).map { color in behind.map { Contrast.over($0, color) } } ?? []
        }
        let entity = skin[identifier]
        let text = color(identifier, "textColor")
        let needed = Contrast.needed(for: entity?["font"]?["font"]?.value(as: .font))
        if let asset = entity?["image"]?["image"]?.value(as: .image), part.component == "uibutton" {
            // The icon identifies the button.
            for drawn in try colors(of: asset) {
                add("icon", drawn, on: inside + state("highlightedColor"), 3)
            }
        } else {
            add("text", text, on: inside, needed)
            add("text while pressed", text, on: state("highlightedColor"), needed)
            // Stricter than the guidelines, which exempt disabled controls.
            add("text while disabled", text, on: state("disabledColor"), 3)
        }
        add("placeholder", color(identifier, "placeholderColor"), on: inside, needed)
        add(
            "title", color(identifier, "titleColor"), on: inside,
            Contrast.needed(for: entity?["titleFont"]?["font"]?.value(as: .font)))
        add("tint", color(identifier, "tintColor"), on: inside, 3)
        add("what is done", color(identifier, "minimumTrackColor"), on: behind, 3)
        if part.component == "uislider" { add("thumb", color(identifier, "thumbColor"), on: behind, 3) }
        if part.component == "uiswitch" {
            add("switched off", color(identifier, "backgroundColor"), on: behind, 3)
            add("switched on", color(identifier, "onColor"), on: behind, 3)
            add("thumb", color(identifier, "thumbColor"), on: inside + state("onColor"), 3)
        }
        if identifier == "conversation_presence" {
            add("dot", color(identifier, "backgroundColor"), on: behind, 3)
        }
        return pairs
    }
}
