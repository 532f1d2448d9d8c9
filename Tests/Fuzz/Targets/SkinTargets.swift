import FoundationEssentials
import StoreModel
import StoreSystem
import StoreTestSupport

@testable import StoreSkins

extension FuzzTarget {
    /// Checks a theme file of a skin with a parent: reading it again or compiled gives the same result.
    @Sendable static func skin(_ bytes: [UInt8]) throws {
        try Workspace.withFolder { folder in
            try folder.put("base/skin.xml", "<skin identifier='base'/>")
            try folder.put(
                "base/a.xml", "<theme><constants><constant name='c' type='color'>#000000</constant></constants></theme>"
            )
            try folder.put("base/assets/i.png", "i")
            try folder.put("skin/skin.xml", "<skin identifier='skin' parent='base'/>")
            try folder.put("skin/a.xml", Data(bytes))
            let base = try SkinDirectory(folder.openDirectory("base"), origin: .preinstalled)
            let chain = [try SkinDirectory(folder.openDirectory("skin"), origin: .purchased), base]
            let (first, second) = (try read(chain), try read(chain))
            requireSame(first?.warnings, second?.warnings, "warnings of two readings")
            requireSame(first?.skin.entities, second?.skin.entities, "two readings")
            guard let skin = first?.skin else { return }
            try check(skin)
        }
    }

    /// Reads a skin.
    ///
    /// - Returns: `nil` if it is refused, with an error code and the file.
    private static func read(
        _ chain: [SkinDirectory]
    ) throws -> (skin: ResolvedSkin, warnings: [SkinWarning])? {
        do {
            return try SkinReader().read(chain, for: .phone)
        } catch let error as StoreError {
            requireSame(error.code.exitCode, .refused, "exit code of \(error.code)")
            requireSame(error["file"], .text("a.xml"), "file of \(error.code)")
            return nil
        }
    }

    private static func check(_ skin: ResolvedSkin) throws {
        let vocabulary = SkinVocabulary.standard
        let bytes = try CompiledSkinWriter.write(skin, skin.entities, sources: [], fingerprint: 0)
        let compiled = try CompiledSkin(.memory(bytes), fingerprint: 0)
        requireSame((0..<compiled.count).compactMap { compiled.entity($0) }, skin.entities, "compiled")
        let context = StyleContext(vocabulary: vocabulary) { $0.path }
        for entity in skin.entities {
            requireSame(compiled.entity(entity.identifier), entity, "found by its identifier")
            for operation in entity.operations {
                require(vocabulary.operation(operation.name, of: entity.component) != nil, "\(operation)")
                for parameter in operation.parameters {
                    let type = vocabulary.objectType(parameter.value.type)
                    requireSame(type.flatMap { again(parameter.value.text, $0) }, parameter.value.text, "its text")
                    let css = vocabulary.css(parameter.value, in: context) ?? ""
                    require(!css.utf8.contains { $0 < 0x20 || $0 == UInt8(ascii: "<") }, "style sheet \(css)")
                    _ = vocabulary.json(parameter.value)
                }
            }
        }
    }

    private static func again(_ text: String, _ type: some ObjectType) -> String? {
        type.value(ofText: text).map { type.text(of: $0) }
    }

    /// Checks a compiled skin.
    ///
    /// The input is refused or complete; with a matching header and checksum, no offset in it leads out of it.
    @Sendable static func compiledSkin(_ bytes: [UInt8]) throws {
        walk(bytes)
        guard bytes.count >= CompiledLayout.headerSize else { return }
        var forged = bytes
        func put(_ number: Int, at place: Int) {
            for byte in 0..<4 { forged[place + byte] = UInt8(truncatingIfNeeded: number >> (8 * byte)) }
        }
        forged.replaceSubrange(0..<8, with: CompiledLayout.magic)
        put(Int(CompiledLayout.version), at: 16)
        forged.replaceSubrange(24..<32, with: [UInt8](repeating: 0, count: 8))
        // The numbers of links, sources, entities, values and strings; the size of the strings follows, then the number of names.
        let counts = (0..<5).map { Int(forged[32 + 4 * $0] & 15) }
        for (place, count) in counts.enumerated() { put(count, at: 32 + 4 * place) }
        put(min(Int(forged[56] & 15), counts[4]), at: 56)
        let layout = CompiledLayout(
            links: counts[0], sources: counts[1], entities: counts[2], values: counts[3], strings: counts[4])
        guard layout.textStart <= forged.count else { return }
        put(forged.count - layout.textStart, at: 52)
        CompiledSkinWriter.seal(&forged)
        walk(forged)
    }

    private static func walk(_ bytes: [UInt8]) {
        guard let skin = try? CompiledSkin(.memory(bytes), fingerprint: 0) else { return }
        require(!skin.chain.isEmpty, "a skin without a chain")
        for place in -1...skin.count {
            guard let entity = skin.entity(place) else { continue }
            _ = skin.entity(entity.identifier)
            let operations = Array(entity.operations)
            requireSame(entity.operations.last, operations.last, "the last operation")
        }
        for source in skin.sources ?? [] { require(source.link < skin.chain.count, "\(source)") }
    }
}
