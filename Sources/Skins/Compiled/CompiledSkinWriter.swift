/// Writes the compiled form of a resolved skin.
struct CompiledSkinWriter {
    private var links: [UInt32] = []
    private var sources: [UInt8] = []
    private var entities: [UInt32] = []
    private var operations: [UInt32] = []
    private var parameters: [UInt32] = []
    private var places: [Bytes: UInt32] = [:]
    private var offsets: [UInt32] = [0]
    private var text: [UInt8] = []

    /// - Parameters:
    ///   - entities: in the order of their identifiers' bytes.
    ///   - fingerprint: of the vocabulary that the skin was read with.
    /// - Throws: `skin.compiled-too-large` where it does not fit into 4 GiB.
    static func write(
        _ skin: ResolvedSkin, _ entities: [SkinEntity], sources: [SourceStamp], fingerprint: UInt64
    ) throws(SkinError) -> [UInt8] {
        var writer = CompiledSkinWriter()
        let idiom = writer.place(of: skin.idiom.word)
        for link in skin.chain {
            writer.links += [
                writer.place(of: link.identifier), writer.place(of: link.name),
                link.version.map { writer.place(of: $0.text) } ?? CompiledLayout.noString,
            ]
        }
        for source in sources { writer.add(source) }
        for entity in entities { writer.add(entity) }
        return try writer.bytes(idiom: idiom, links: skin.chain.count, sources: sources.count, fingerprint)
    }

    private mutating func add(_ source: SourceStamp) {
        sources.append(UInt32(source.link))
        sources.append(place(of: source.path))
        let identity = source.identity
        for word in [UInt64(truncatingIfNeeded: identity.size), identity.changedAt.bitPattern, identity.inode] {
            sources.append(word)
        }
    }

    private mutating func add(_ entity: SkinEntity) {
        entities += [place(of: entity.identifier), place(of: entity.component), UInt32(operations.count / 2)]
        for operation in entity.operations {
            operations += [place(of: operation.name), UInt32(parameters.count / 3)]
            for parameter in operation.parameters {
                parameters += [
                    place(of: parameter.name), place(of: parameter.value.type), place(of: parameter.value.text),
                ]
            }
        }
    }

    /// Text by its bytes: to Swift an accent written in two ways is equal, and the order of identifiers is that of bytes.
    private struct Bytes: Hashable {
        let text: String
        static func == (a: Bytes, b: Bytes) -> Bool { a.text.utf8.elementsEqual(b.text.utf8) }
        func hash(into hasher: inout Hasher) {
            var text = text
            text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        }
    }

    /// Each string is there once.
    private mutating func place(of string: String) -> UInt32 {
        if let known = places[Bytes(text: string)] { return known }
        let place = UInt32(truncatingIfNeeded: places.count)
        places[Bytes(text: string)] = place
        text.append(contentsOf: string.utf8)
        offsets.append(UInt32(truncatingIfNeeded: text.count))
        return place
    }

    private func bytes(
        idiom: UInt32, links count: Int, sources sourceCount: Int, _ fingerprint: UInt64
    ) throws(SkinError) -> [UInt8] {
        let layout = CompiledLayout(
            links: count, sources: sourceCount, entities: entities.count / 3, operations: operations.count / 2,
            parameters: parameters.count / 3, strings: places.count, stringBytes: text.count)
        guard layout.size <= UInt32.max else {
            throw SkinError(.skinCompiledTooLarge, "The skin's values take more than 4 GiB. Tell its author.")
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(layout.size)
        bytes += CompiledLayout.magic
        bytes.append(UInt64(0))
        bytes.append(CompiledLayout.version)
        bytes.append(idiom)
        bytes.append(fingerprint)
        for number in [
            layout.links, layout.sources, layout.entities, layout.operations, layout.parameters, layout.strings,
            layout.stringBytes, 0,
        ] {
            bytes.append(UInt32(number))
        }
        bytes.append(links)
        bytes += sources
        for table in [entities, operations, parameters, offsets] { bytes.append(table) }
        bytes += text
        CompiledSkinWriter.seal(&bytes)
        return bytes
    }

    /// Puts the checksum in its place.
    static func seal(_ bytes: inout [UInt8]) {
        let checksum = bytes.withUnsafeBytes {
            XXHash64.hash(UnsafeRawBufferPointer(rebasing: $0[CompiledLayout.checkedStart...]))
        }
        for (place, byte) in withUnsafeBytes(of: checksum.littleEndian, Array.init).enumerated() {
            bytes[CompiledLayout.checksumPlace + place] = byte
        }
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }

    fileprivate mutating func append(_ numbers: [UInt32]) {
        for number in numbers { append(number) }
    }
}
