import StoreModel
import StoreSkins
import Testing

@Suite struct VocabularyTests {
    @Test func `components inherit operations`() throws {
        let standard = SkinVocabulary.standard
        #expect(standard.operation("frame", of: "uibutton") != nil)
        #expect(standard.operation("textColor", of: "uibutton") != nil)
        #expect(standard.operation("textColor", of: "uiview") == nil)
        #expect(standard.allComponents.count == 9)
        for component in standard.allComponents {
            let names = Set(standard.operations(of: component.name).map(\.name))
            #expect(names.isSuperset(of: ["frame", "backgroundColor", "cornerRadius", "borderColor", "borderWidth"]))
        }
    }

    @Test func `invalid definitions are rejected`() throws {
        var vocabulary = SkinVocabulary.standard
        let attempts: [(inout SkinVocabulary) throws -> Void] = [
            { try $0.add(SkinComponent("uiview")) },
            { try $0.add(SkinComponent("clock", inherits: "nothing")) },
            { try $0.add(SkinComponent("clock", [SkinOperation("tick", SkinParameter("time", "time"))])) },
            {
                let parameter = SkinParameter("times", "array", items: .init(type: "time", count: 2))
                try $0.add(SkinOperation("ticks", parameter), to: "uiview")
            },
            { try $0.add(SkinComponent("a b")) },
            { try $0.add(SkinOperation("tick"), to: "clock") },
        ]
        let before = vocabulary.fingerprint
        for attempt in attempts {
            let error = #expect(throws: StoreError.self) { try attempt(&vocabulary) }
            #expect(error?.code == .skinVocabulary)
        }
        #expect(vocabulary.fingerprint == before)
    }

    @Test func `an added operation applies to all descendants`() throws {
        var vocabulary = SkinVocabulary.standard
        let before = vocabulary.fingerprint
        try vocabulary.add(SkinOperation("shadow", SkinParameter("blur", "float")), to: "uilabel")
        #expect(vocabulary.operation("shadow", of: "uibutton") != nil)
        #expect(vocabulary.operation("shadow", of: "uiview") == nil)
        #expect(vocabulary.fingerprint != before)
    }

    @Test func `the fingerprint depends on the items of arrays`() throws {
        let fingerprints = try [nil, 2, 3].map { count in
            var vocabulary = SkinVocabulary.standard
            let parameter = SkinParameter("stops", "array", items: count.map { .init(type: "color", count: $0) })
            try vocabulary.add(SkinOperation("gradient", parameter), to: "uiview")
            return vocabulary.fingerprint
        }
        #expect(Set(fingerprints).count == 3)
    }
}
