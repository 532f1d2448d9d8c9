import StoreModel

/// Encodes a skin as the bytes of a compiled (binary) skin file.
struct CompiledSkinWriter {
    private var links: [UInt32] = []
    private var sources: [UInt8] = []
    private var entities: [UInt32] = []
    private var values: [UInt8] = []
    /// The numbers of the strings that were added to the compiled skin file so far.
    private var numbers: [TextBytes: UInt32] = [:]
    /// The number of strings that name components, operations, parameters, types and font families; they are the first ones.
    private var names = 0
    private var offsets: [UInt32] = [0]
    private var text: [UInt8] = []

    /// Returns the bytes of the compiled (binary) file of a skin.
    ///
    /// - Parameters:
    ///   - entities: the skin's entities in byte order of their identifiers.
    ///   - fingerprint: the fingerprint of the vocabulary with which the skin was read.
    /// - Throws: `skin.compiled-too-large` if the file would exceed 4 GiB.
    static func write(
        _ skin: ResolvedSkin, _ entities: [SkinEntity], sources: [SkinSource], fingerprint: UInt64
    ) throws(StoreError) -> [UInt8] {
        var writer = CompiledSkinWriter()
        writer.addNames(of: entities)
        let idiom = writer.number(of: skin.idiom.name)
        for link in skin.chain {
            writer.links += [
                writer.number(of: link.identifier), writer.number(of: link.name),
                link.version.map { writer.number(of: $0.text) } ?? CompiledLayout.noString,
            ]
        }
        for source in sources { writer.add(source) }
        for entity in entities { writer.add(entity) }
        return try writer.bytes(idiom: idiom, links: skin.chain.count, sources: sources.count, fingerprint)
    }

    /// The number of names after which no font family is added: a reader decodes all of them when it opens the file.
    private static let maximumNamesWithFamilies = 1024

    /// Adds the strings that a reader decodes once for all definitions.
    private mutating func addNames(of entities: [SkinEntity]) {
        for entity in entities {
            _ = number(of: entity.component)
            for operation in entity.operations {
                _ = number(of: operation.name)
                for parameter in operation.parameters {
                    _ = number(of: parameter.name)
                    _ = number(of: parameter.value.type)
                    if case .font(let font) = parameter.value.content, numbers.count < Self.maximumNamesWithFamilies {
                        _ = number(of: font.family)
                    }
                }
            }
        }
        names = numbers.count
    }

    private mutating func add(_ source: SkinSource) {
        sources.append(UInt32(source.link))
        sources.append(number(of: source.path))
        let identity = source.identity
        for word in [UInt64(truncatingIfNeeded: identity.size), identity.changedAt.bitPattern, identity.inode] {
            sources.append(word)
        }
    }

    private mutating func add(_ entity: SkinEntity) {
        let first = UInt32(values.count / CompiledLayout.valueSize)
        entities += [number(of: entity.identifier), number(of: entity.component), first]
        for operation in entity.operations {
            for parameter in operation.parameters { add(parameter, of: operation) }
        }
    }

    private mutating func add(_ parameter: SkinEntity.Parameter, of operation: SkinEntity.Operation) {
        for name in [operation.name, parameter.name, parameter.value.type] {
            values.append(UInt16(truncatingIfNeeded: number(of: name)))
        }
        switch parameter.value.content {
        case .text(let text): add(.text, string: number(of: text))
        case .color(let color): add(.color, number: UInt64(color.bits))
        case .number(let number): add(.number, number: number.bitPattern)
        case .integer(let number): add(.integer, number: UInt64(bitPattern: Int64(number)))
        case .font(let font):
            let weight = UInt16(clamping: font.weight)
            add(.font, weight: weight, string: number(of: font.family), number: font.size.bitPattern)
        }
    }

    private mutating func add(
        _ form: CompiledForm, weight: UInt16 = 0, string: UInt32 = CompiledLayout.noString, number: UInt64 = 0
    ) {
        values.append(form.rawValue)
        values.append(weight)
        values.append(string)
        values.append(number)
    }

    /// Returns the number of a string in the compiled skin file; a string that occurs several times is written once.
    private mutating func number(of string: String) -> UInt32 {
        if let known = numbers[TextBytes(text: string)] { return known }
        let number = UInt32(truncatingIfNeeded: numbers.count)
        numbers[TextBytes(text: string)] = number
        text.append(contentsOf: string.utf8)
        offsets.append(UInt32(truncatingIfNeeded: text.count))
        return number
    }

    private func bytes(
        idiom: UInt32, links count: Int, sources sourceCount: Int, _ fingerprint: UInt64
    ) throws(StoreError) -> [UInt8] {
        let layout = CompiledLayout(
            links: count, sources: sourceCount, entities: entities.count / 3,
            values: values.count / CompiledLayout.valueSize, strings: numbers.count, stringBytes: text.count,
            names: names)
        guard layout.size <= UInt32.max, names <= CompiledLayout.maximumNames else {
            throw StoreError(.skinCompiledFileTooLarge)
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(layout.size)
        bytes += CompiledLayout.magic
        bytes.append(UInt64(0))
        bytes.append(CompiledLayout.version)
        bytes.append(idiom)
        bytes.append(fingerprint)
        for number in [
            layout.links, layout.sources, layout.entities, layout.values, layout.strings, layout.stringBytes,
            layout.names,
        ] {
            bytes.append(UInt32(number))
        }
        bytes.append(links)
        bytes += sources
        bytes.append(entities)
        bytes += values
        bytes.append(offsets)
        bytes += text
        CompiledSkinWriter.seal(&bytes)
        return bytes
    }

    /// Computes the checksum of a compiled skin file and writes it into the file's header.
    static func seal(_ bytes: inout [UInt8]) {
        let checksum = bytes.withUnsafeBytes {
            XXH3.hash(UnsafeRawBufferPointer(rebasing: $0[CompiledLayout.checkedStart...]))
        }
        for (index, byte) in withUnsafeBytes(of: checksum.littleEndian, Array.init).enumerated() {
            bytes[CompiledLayout.checksumOffset + index] = byte
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
