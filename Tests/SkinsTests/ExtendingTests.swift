import StoreModel
import StoreSkins
import Testing

/// An object type that the module does not define: an angle in degrees.
private struct AngleType: ObjectType {
    let name = "angle"

    func value(of source: ObjectSource) throws(ObjectError) -> Double {
        guard let number = Double(source.text) else { throw .bad("'\(source.text)' is no angle") }
        return source["unit"] == "turn" ? number * 360 : number
    }

    func text(of value: Double) -> String { "\(value)°" }
    func value(ofText text: String) -> Double? { Double(text.dropLast()) }
    func css(_ value: Double, in context: StyleContext) -> String? { "\(value)deg" }
    func json(_ value: Double, in vocabulary: SkinVocabulary) -> JSONValue { .number(value) }
}

@Suite struct ExtendingTests {
    @Test func `an added object type works from XML to JSON`() throws {
        var vocabulary = SkinVocabulary.standard
        try vocabulary.add(AngleType())
        try vocabulary.add(SkinOperation("rotation", SkinParameter("by", "angle")), to: "uiview")
        try vocabulary.add(
            SkinComponent("uiclock", inherits: "uiview", [SkinOperation("hands", SkinParameter("at", "array"))]))
        let shelf = try SkinShelf()
        try shelf.put(
            "s",
            [
                "a.xml": """
                <constants><constant name="half" type="angle" unit="turn">0.5</constant></constants>
                <instances>
                <uiclock id="clock">
                <operation name="rotation"><param name="by" type="angle" ref="half"/></operation>
                <operation name="hands"><param name="at" type="array"><item type="angle">90</item><item ref="half"/></param></operation>
                </uiclock>
                <uibutton id="button"><operation name="rotation"><param name="by" type="angle">15</param></operation></uibutton>
                </instances>
                """
            ])
        let compiled = CompiledSkins(directory: shelf.compiledFolder, reader: SkinReader(vocabulary: vocabulary))
        let chain = try shelf.chain("s")
        let first = try compiled.load(chain, for: .desktop)
        let second = try compiled.load(chain, for: .desktop)
        #expect(!first.wasCompiled && first.warnings == [] && second.wasCompiled)
        for skin in [first.skin, second.skin] {
            #expect(skin["clock"]?["rotation"]?["by"]?.value(as: AngleType()) == 180)
            #expect(skin["button"]?["rotation"]?["by"]?.value(as: AngleType()) == 15)
            let hands = try #require(skin["clock"]?["hands"]?["at"])
            let context = StyleContext(vocabulary: vocabulary) { _ in "" }
            #expect(vocabulary.css(hands, in: context) == "90.0deg 180.0deg")
            #expect(vocabulary.json(hands) == .array([.number(90), .number(180)]))
        }
        // Without the type, the file has warnings, and the file compiled with the type is not used.
        let plain = try CompiledSkins(directory: shelf.compiledFolder).load(chain, for: .desktop)
        #expect(!plain.wasCompiled && plain.skin["clock"] == nil && plain.skin["button"]?.operations == [])
    }
}
