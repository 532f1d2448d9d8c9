import Foundation
import StoreSystem
import Testing

@testable import StoreSkins

@Suite struct InternedNameTests {
    @Test func `names with the same text are equal`() {
        let texts = ["interned-a", "a name that does not fit into a small string", "interned-ä"]
        for text in texts {
            let name = InternedName(text)
            #expect(name.text == text && name == InternedName(text) && name.hashValue == InternedName(text).hashValue)
        }
        #expect(Set(texts.map { InternedName($0) }).count == texts.count)
    }

    @Test func `only names that were interned are found`() {
        let known = InternedName("interned-known")
        #expect(InternedName.known(["interned-known", "interned-never", ""]).first == .some(known))
        #expect(InternedName.known(["interned-never"]) == [nil])
    }

    @Test func `names that a vocabulary registers are interned`() throws {
        var vocabulary = SkinVocabulary.standard
        try vocabulary.add(
            SkinComponent("interned-clock", [SkinOperation("interned-tick", SkinParameter("interned-hand", "color"))]))
        try vocabulary.add(
            SkinOperation("interned-ring", SkinParameter("interned-tone", "string")), to: "interned-clock")
        let names = ["interned-clock", "interned-tick", "interned-hand", "interned-ring", "interned-tone", "color"]
        #expect(!InternedName.known(names).contains(nil))
    }

    @Test func `the types of an array's items are not interned`() {
        // A type is known once a vocabulary has it.
        #expect(SkinVocabulary.standard.objectType("color") != nil)
        #expect(
            ArrayType().value(ofText: ##"[["color","#000000"],["float","1"]]"##)?.map(\.type) == ["color", "float"])
        #expect(ArrayType().value(ofText: ##"[["color","#000000"],["interned-forged","1"]]"##) == nil)
        #expect(InternedName.known(["interned-forged"]) == [nil])
    }
}
