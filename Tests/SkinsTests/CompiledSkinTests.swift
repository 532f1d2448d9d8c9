import Foundation
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

@testable import StoreSkins

@Suite struct CompiledSkinTests {
    @Test(
        arguments: [
            ("", 0x2D06_8005_38D3_94C2), ("a", 0xE6C6_32B6_1E96_4E1F), ("abc", 0x78AF_5F94_892F_3950),
        ] as [(String, UInt64)])
    func `the checksum has the published test values`(text: String, expected: UInt64) {
        #expect(XXH3.hash(Array(text.utf8)) == expected)
    }

    private func bytes(of skin: ResolvedSkin) throws -> [UInt8] {
        let source = SkinSource(
            link: 0, path: "a.xml", identity: FileIdentity(inode: 3, size: 1, changedAt: 2))
        return try CompiledSkinWriter.write(skin, skin.entities, sources: [source], fingerprint: 7)
    }

    @Test func `random skins are unchanged after compilation`() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        for round in 0..<60 {
            let comment = Comment(rawValue: "seed \(seed), round \(round)")
            let model = RandomSkins(&random)
            let shelf = try SkinShelf()
            try model.put(on: shelf)
            for idiom in SkinIdiom.all {
                let (skin, warnings) = try shelf.read(model.leaf, for: idiom)
                #expect(warnings == [], comment)
                let expected = model.resolved(for: idiom)
                // The expected values come from the model, which implements its own resolution.
                #expect(RandomSkins.flat(skin.entities) == expected, comment)
                let compiled = try CompiledSkin(.memory(bytes(of: skin)), fingerprint: 7)
                let again = ResolvedSkin(
                    idiom: compiled.idiom, chain: compiled.chain, store: compiled, assets: skin.assets)
                #expect(again.entities == skin.entities && again.chain == skin.chain, comment)
                #expect(again.idiom == idiom && again.identifiers == skin.identifiers, comment)
                for identifier in skin.identifiers + ["", "none", "\u{7FF}"] {
                    #expect(again[identifier] == skin[identifier], comment)
                }
            }
        }
    }

    @Test func `values keep their types and their text when they are compiled`() throws {
        let values = [
            ("color", "#01020380", "#01020380"), ("color", "#ABCDEF", "#abcdef"), ("float", "-0.5", "-0.5"),
            ("float", "1e300", "1e+300"), ("float", "-4096", "-4096"), ("float", "0", "0"), ("float", "-0", "0"),
            ("integer", "-9223372036854775808", "-9223372036854775808"),
            ("font", "Noto Sans; 13.7; 350", "Noto Sans; 13.7; 350"), ("string", " a; b ", "a; b"),
            ("rect", "1, 2, 3, 4.5", "1, 2, 3, 4.5"), ("point", "-1, 2", "-1, 2"),
        ]
        var vocabulary = SkinVocabulary.standard
        let shelf = try SkinShelf()
        var (instances, all) = ("", "")
        for (number, (type, text, _)) in values.enumerated() {
            // Two parameters, of which the second may be missing.
            let operation = SkinOperation("set-\(number)", SkinParameter("first", type), SkinParameter("second", type))
            try vocabulary.add(operation, to: "uiview")
            let second = number.isMultiple(of: 2) ? "<param name='second' type='\(type)'>\(text)</param>" : ""
            let written =
                "<operation name='set-\(number)'><param name='first' type='\(type)'>\(text)</param>\(second)</operation>"
            instances += instance("uiview", "v\(number)", written)
            all += written
        }
        instances += instance("uiview", "all", all)
        try shelf.put("s", ["a.xml": "<instances>\(instances)</instances>"])
        let (skin, warnings) = try SkinReader(vocabulary: vocabulary).read(shelf.chain("s"), for: .desktop)
        #expect(warnings == [])
        let compiled = try CompiledSkin(.memory(bytes(of: skin)), fingerprint: 7)
        for (number, (type, _, text)) in values.enumerated() {
            let operation = try #require(compiled.entity("v\(number)")?["set-\(number)"])
            #expect(operation.parameters.map(\.name) == (number.isMultiple(of: 2) ? ["first", "second"] : ["first"]))
            for parameter in operation.parameters {
                #expect(parameter.value.text == text && parameter.value.type == type)
                // Equal to -0, which JSON writes as such.
                if text == "0", case .number(let number) = parameter.value.content { #expect(number.sign == .plus) }
                let (size, maximum) = (text.utf8.count, parameter.value.content.maximumTextSize)
                #expect(text.contains(".") || text.contains("e") ? size <= maximum : size == maximum)
                #expect(parameter.value == SkinValue(type: type, content: .text(text)))
                #expect(parameter.value.hashValue == SkinValue(type: type, content: .text(text)).hashValue)
                let read = try #require(vocabulary.objectType(type))
                #expect(again(parameter.value.content, read) == parameter.value.content)
            }
        }
        // Also where operations of one and of two parameters follow one another.
        let operations = try #require(compiled.entity("all")?.operations)
        #expect(operations.count == values.count && operations == skin["all"]?.operations)
        #expect(operations.reversed() == Array(operations).reversed() && operations.last?.name == "set-9")
        let font = compiled.entity("v8")?["set-8"]?["first"]?.value(as: .font)
        #expect(font == SkinFont(family: "Noto Sans", size: 13.7, weight: 350))
        #expect(compiled.entity("v8")?["set-8"]?["first"]?.value(as: .color) == nil)
    }

    private func again(_ content: SkinValue.Content, _ type: some ObjectType) -> SkinValue.Content? {
        type.value(of: content).map(type.content(of:))
    }

    @Test(
        arguments: [
            ("font", .font(SkinFont(family: "", size: 1))), ("font", .font(SkinFont(family: "a", size: 0))),
            ("font", .font(SkinFont(family: "a", size: .nan))),
            ("font", .font(SkinFont(family: "a", size: 1, weight: 99))),
            ("float", .number(.infinity)), ("float", .color(SkinColor(red: 1, green: 2, blue: 3))),
            ("integer", .number(1.5)), ("color", .integer(3)), ("point", .number(1)), ("array", .number(1)),
        ] as [(String, SkinValue.Content)])
    func `content that a type would not write is no value of it`(type: String, content: SkinValue.Content) throws {
        let found = try #require(SkinVocabulary.standard.objectType(type))
        #expect(again(content, found) == nil)
    }

    @Test func `a change of any byte is detected`() throws {
        let shelf = try SkinShelf()
        try shelf.put(
            "s",
            [
                "a.xml":
                    "<instances>\(instance("uilabel", "x", color("textColor", "#123456")))\(instance("uiview", "y", color("borderColor", "#654321")))</instances>"
            ])
        let skin = try shelf.read("s").skin
        let whole = try bytes(of: skin)
        for place in whole.indices {
            for bit in 0..<8 {
                var damaged = whole
                damaged[place] ^= 1 << bit
                #expect(throws: StoreError.self) { try CompiledSkin(.memory(damaged), fingerprint: 7) }
            }
            #expect(throws: StoreError.self) { try CompiledSkin(.memory(Array(whole[..<place])), fingerprint: 7) }
        }
        #expect(throws: StoreError.self) { try CompiledSkin(.memory(whole + [0]), fingerprint: 7) }
        #expect(throws: StoreError.self) { try CompiledSkin(.memory(whole), fingerprint: 8) }
    }

    @Test func `a forged compiled file does not crash the reader`() throws {
        let shelf = try SkinShelf()
        try shelf.put(
            "s",
            [
                "a.xml":
                    "<instances>\(instance("uilabel", "x", color("textColor", "#123456") + color("borderColor", "#123456")))</instances>"
            ])
        let whole = try bytes(of: shelf.read("s").skin)
        var taken = 0
        for place in CompiledLayout.checkedStart..<whole.count {
            for value in [0, 1, 0x7F, 0xFF] as [UInt8] {
                var forged = whole
                forged[place] = value
                CompiledSkinWriter.seal(&forged)
                guard let skin = try? CompiledSkin(.memory(forged), fingerprint: 7) else { continue }
                taken += 1
                for number in -1...skin.count { _ = skin.entity(number).map { Array($0.operations) } }
                _ = (skin.entity("x"), skin.sources)
            }
        }
        #expect(taken > 0)
    }

    /// Otherwise a fuzzing run only finds out that its input is refused.
    @Test func `the input with which fuzzing begins is a compiled skin of this version`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        var bytes = [UInt8](try Data(contentsOf: folder.appending(path: "Fuzz/Corpora/compiled-skin/small")))
        CompiledSkinWriter.seal(&bytes)
        let entity = try #require(try CompiledSkin(.memory(bytes), fingerprint: 0).entity("s"))
        #expect(entity.operations.flatMap(\.parameters).map(\.value.text) == ["#000000", "6", "Sans; 14; 400", "left"])
    }

    // MARK: Cached files

    @Test func `a skin is compiled once and again after a change of a source`() throws {
        let shelf = try SkinShelf()
        func file(_ hex: String) -> String {
            "<instances>\(instance("uilabel", "x", color("textColor", hex)))</instances>"
        }
        let base = try shelf.put("base", ["a.xml": file("#000001")])
        let night = try shelf.put("night", parent: "base", ["assets/i.png": ""])
        let compiled = CompiledSkins(directory: shelf.compiledFolder)
        func load() throws -> CompiledSkins.Loaded { try compiled.load(shelf.chain("night"), for: .desktop) }
        func expectAnew(_ what: String, _ text: String = "#000002", _ change: () throws -> Void) throws {
            try change()
            let (first, second) = (try load(), try load())
            #expect(!first.wasCompiled && second.wasCompiled, "\(what)")
            #expect(first.saveError == nil && first.skin.entities == second.skin.entities, "\(what)")
            #expect(second.skin.text("x", "textColor") == text, "\(what)")
        }
        try expectAnew("none", "#000001") {}
        // A change that keeps the size and the modification time.
        try expectAnew("another value") {
            let before = try #require(try base.status(of: "a.xml"))
            try base.put("a.xml", "<theme>\n\(file("#000002"))\n</theme>")
            try base.openOrCreateFile("a.xml").setModified(before.modifiedAt)
        }
        try expectAnew("another file") { try night.put("b.xml", "<theme/>") }
        try expectAnew("a file gone") { try night.remove("b.xml") }
        try expectAnew("another asset") { try night.put("assets/j.png", "") }
        try expectAnew("information") { try night.put("skin.xml", "<skin identifier='night' name='N' parent='base'/>") }
        let folder = try Directory.open(shelf.compiledFolder)
        let name = try #require(try folder.names().first)
        try expectAnew("damage") {
            var bytes = [UInt8](try folder.read(name))
            bytes[bytes.count / 2] ^= 1
            try folder.put(name, Data(bytes))
        }
        try expectAnew("a torn end") { try folder.openOrCreateFile(name).truncate(to: 70) }
        try expectAnew("an empty file") { try folder.put(name, "") }
        try expectAnew("an old version") {
            var bytes = [UInt8](try folder.read(name))
            bytes[CompiledLayout.checkedStart] = 0
            CompiledSkinWriter.seal(&bytes)
            try folder.put(name, Data(bytes))
        }
        #expect(try folder.names() == [name])
        _ = try compiled.load(shelf.chain("base"), for: .phone)
        try compiled.removeAll(except: ["base"])
        #expect(try folder.names() == ["base~phone.skin"])
    }

    @Test func `a large skin, whose compiled file is mapped, is the same as a small one`() throws {
        let shelf = try SkinShelf()
        func file(_ count: Int) -> String {
            let instances = (0..<count).map { instance("uilabel", "label\($0)", color("textColor", "#000001")) }
            return "<instances>\(instances.joined())</instances>"
        }
        // An identifier, an entity and an operation with its parameter need more than 32 bytes.
        let many = CompiledSkins.mappedSize / 32
        try shelf.put("small", ["a.xml": file(10)])
        try shelf.put("large", ["a.xml": file(many)])
        let compiled = CompiledSkins(directory: shelf.compiledFolder)
        for (name, count) in [("small", 10), ("large", many)] {
            _ = try compiled.compile(shelf.chain(name), for: .desktop)
            let loaded = try compiled.load(shelf.chain(name), for: .desktop)
            #expect(loaded.wasCompiled && loaded.skin.entities.count == count)
            #expect(loaded.skin.text("label\(count - 1)", "textColor") == "#000001")
            #expect(loaded.skin["label\(count)"] == nil)
        }
        let folder = try Directory.open(shelf.compiledFolder)
        let sizes = try folder.names().compactMap { try folder.status(of: $0)?.size }.sorted()
        #expect(sizes.count == 2 && sizes[0] < CompiledSkins.mappedSize && sizes[1] > CompiledSkins.mappedSize)
    }

    @Test func `a directory that can not be written only prevents saving`() throws {
        let shelf = try SkinShelf()
        try shelf.put(
            "s", ["a.xml": "<instances>\(instance("uilabel", "x", color("textColor", "#000001")))</instances>"])
        try shelf.folder.directory.put("cache", "no folder")
        let loaded = try CompiledSkins(directory: shelf.compiledFolder).load(shelf.chain("s"), for: .desktop)
        #expect(loaded.saveError != nil && loaded.skin.text("x", "textColor") == "#000001")
    }

    @Test func `a file that two skins share is cached once`() throws {
        let shelf = try SkinShelf()
        let image = String(repeating: "i", count: 5 << 20)
        let operation =
            "<operation name='backgroundImage'><param name='image' type='image' cache='true'>i.png</param></operation>"
        try shelf.put(
            "light", ["a.xml": "<instances>\(instance("uiview", "x", operation))</instances>", "assets/i.png": image])
        try shelf.put("dark", parent: "light", ["a.xml": "<constants>\(constant("a", "#000000"))</constants>"])
        let cache = AssetCache(limit: 8 << 20)
        let compiled = CompiledSkins(directory: shelf.compiledFolder, cache: cache)
        for name in ["light", "dark", "dark"] {
            let skin = try compiled.load(shelf.chain(name), for: .desktop).skin
            let asset = try #require(skin["x"]?["backgroundImage"]?["image"]?.value(as: .image))
            #expect(try skin.bytes(of: asset).count == 5 << 20)
        }
        #expect(cache.usage.size == 5 << 20 && cache.usage.hits == 2)
        var size = 0
        for folder in ["light.theme", "dark.theme"] {
            size += try shelf.preinstalled.openDirectory(folder).tree().values.reduce(0) { $0 + $1.utf8.count }
        }
        #expect(size < (5 << 20) + 4096)
    }
}
