import StoreModel
import StoreSystem

/// A compiled skin: a checked view of its bytes. What it says of an identifier is made when it is asked for.
///
/// No number of the file is trusted: one that leads out of it, in a file that somebody forged, makes what it is part of
/// missing.
struct CompiledSkin: EntityStore {
    private let bytes: Bytes
    private let layout: CompiledLayout
    let idiom: SkinIdiom
    let chain: [ResolvedSkin.Link]

    enum Bytes: Sendable {
        case mapped(MappedFile)
        case array([UInt8])

        func with<Value, Failure: Error>(
            _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
        ) throws(Failure) -> Value {
            switch self {
            case .mapped(let file): try file.withUnsafeBytes(body)
            case .array(let array):
                try array.withUnsafeBufferPointer { bytes throws(Failure) in try body(UnsafeRawBufferPointer(bytes)) }
            }
        }
    }

    /// - Parameter fingerprint: of the vocabulary that it must have been made with.
    /// - Throws: `skin.compiled-damaged` where it is not whole, of another version, or made with another vocabulary.
    init(_ bytes: Bytes, fingerprint: UInt64) throws(SkinError) {
        self.bytes = bytes
        let (layout, idiom) = try bytes.with { bytes throws(SkinError) in
            try CompiledSkin.check(bytes, fingerprint: fingerprint)
        }
        self.layout = layout
        let view = View(layout: layout)
        let head = bytes.with { bytes in
            (view.string(idiom, bytes).flatMap { SkinIdiom(named: $0) }, view.links(bytes))
        }
        guard let idiom = head.0, let chain = head.1, !chain.isEmpty else {
            throw .compiledDamaged("does not say what it is of")
        }
        self.idiom = idiom
        self.chain = chain
    }

    /// - Returns: where things are, and the place of the idiom's word.
    private static func check(
        _ bytes: UnsafeRawBufferPointer, fingerprint: UInt64
    ) throws(SkinError) -> (CompiledLayout, idiom: UInt32) {
        guard bytes.count >= CompiledLayout.headerSize, bytes.starts(with: CompiledLayout.magic) else {
            throw .compiledDamaged("has another form")
        }
        let layout = CompiledLayout(
            links: Int(bytes.number32(32)), sources: Int(bytes.number32(36)), entities: Int(bytes.number32(40)),
            operations: Int(bytes.number32(44)), parameters: Int(bytes.number32(48)),
            strings: Int(bytes.number32(52)), stringBytes: Int(bytes.number32(56)))
        guard bytes.number32(16) == CompiledLayout.version else {
            throw .compiledDamaged("is of the version \(bytes.number32(16)) and not \(CompiledLayout.version)")
        }
        guard layout.size == bytes.count else {
            throw .compiledDamaged("has \(bytes.count) bytes and not \(layout.size)")
        }
        let checked = UnsafeRawBufferPointer(rebasing: bytes[CompiledLayout.checkedStart...])
        guard XXHash64.hash(checked) == bytes.number64(CompiledLayout.checksumPlace) else {
            throw .compiledDamaged("is not as it was written")
        }
        guard bytes.number64(24) == fingerprint else { throw .compiledDamaged("was made with another vocabulary") }
        return (layout, bytes.number32(20))
    }

    /// What it was made from, in the order in which it was written; `nil` where that can't be told.
    var sources: [SourceStamp]? {
        let view = View(layout: layout)
        return bytes.with { bytes in
            var sources: [SourceStamp] = []
            for number in 0..<layout.sources {
                guard let source = view.source(number, bytes) else { return nil }
                sources.append(source)
            }
            return sources
        }
    }

    // MARK: Entities

    var count: Int { layout.entities }

    func entity(_ place: Int) -> SkinEntity? {
        guard (0..<count).contains(place) else { return nil }
        return bytes.with { View(layout: layout).entity(place, $0) }
    }

    func entity(_ identifier: String) -> SkinEntity? {
        let view = View(layout: layout)
        var identifier = identifier
        return identifier.withUTF8 { wanted in
            bytes.with { bytes in
                var (low, high) = (0, layout.entities)
                while low < high {
                    let middle = (low + high) / 2
                    guard let found = view.identifier(middle, bytes) else { return nil }
                    if found.elementsEqual(wanted) { return view.entity(middle, bytes) }
                    if found.lexicographicallyPrecedes(wanted) { low = middle + 1 } else { high = middle }
                }
                return nil
            }
        }
    }
}

/// Reads the tables of a compiled skin whose size was checked.
private struct View {
    let layout: CompiledLayout

    func text(_ place: UInt32, _ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        guard place < layout.strings else { return nil }
        let offset = layout.offsetsStart + Int(place) * 4
        let (start, end) = (Int(bytes.number32(offset)), Int(bytes.number32(offset + 4)))
        guard start <= end, end <= layout.stringBytes else { return nil }
        return UnsafeRawBufferPointer(rebasing: bytes[(layout.textStart + start)..<(layout.textStart + end)])
    }

    func string(_ place: UInt32, _ bytes: UnsafeRawBufferPointer) -> String? {
        text(place, bytes).map { String(decoding: $0, as: UTF8.self) }
    }

    func links(_ bytes: UnsafeRawBufferPointer) -> [ResolvedSkin.Link]? {
        var links: [ResolvedSkin.Link] = []
        for number in 0..<layout.links {
            let start = layout.linksStart + number * CompiledLayout.linkSize
            let version = bytes.number32(start + 8)
            guard let identifier = string(bytes.number32(start), bytes),
                let name = string(bytes.number32(start + 4), bytes)
            else { return nil }
            links.append(
                ResolvedSkin.Link(
                    identifier: identifier, name: name,
                    version: version == CompiledLayout.noString ? nil : string(version, bytes).map(Version.init)))
        }
        return links
    }

    func source(_ number: Int, _ bytes: UnsafeRawBufferPointer) -> SourceStamp? {
        let start = layout.sourcesStart + number * CompiledLayout.sourceSize
        let link = Int(bytes.number32(start))
        guard link < layout.links, let path = string(bytes.number32(start + 4), bytes) else { return nil }
        return SourceStamp(
            link: link, path: path,
            identity: FileIdentity(
                inode: bytes.number64(start + 24), size: Int(truncatingIfNeeded: bytes.number64(start + 8)),
                changedAt: Double(bitPattern: bytes.number64(start + 16))))
    }

    func identifier(_ number: Int, _ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        text(bytes.number32(layout.entitiesStart + number * CompiledLayout.entitySize), bytes)
    }

    func entity(_ number: Int, _ bytes: UnsafeRawBufferPointer) -> SkinEntity? {
        let start = layout.entitiesStart + number * CompiledLayout.entitySize
        let isLast = number + 1 == layout.entities
        guard let identifier = string(bytes.number32(start), bytes),
            let component = string(bytes.number32(start + 4), bytes),
            let places = range(
                bytes.number32(start + 8),
                isLast ? nil : bytes.number32(start + CompiledLayout.entitySize + 8), layout.operations)
        else { return nil }
        var operations: [SkinEntity.Operation] = []
        operations.reserveCapacity(places.count)
        for place in places {
            guard let operation = operation(place, bytes) else { return nil }
            operations.append(operation)
        }
        return SkinEntity(identifier: identifier, component: component, operations: operations)
    }

    private func operation(_ number: Int, _ bytes: UnsafeRawBufferPointer) -> SkinEntity.Operation? {
        let start = layout.operationsStart + number * CompiledLayout.operationSize
        let isLast = number + 1 == layout.operations
        guard let name = string(bytes.number32(start), bytes),
            let places = range(
                bytes.number32(start + 4),
                isLast ? nil : bytes.number32(start + CompiledLayout.operationSize + 4), layout.parameters)
        else { return nil }
        var parameters: [SkinEntity.Parameter] = []
        parameters.reserveCapacity(places.count)
        for place in places {
            guard let parameter = parameter(place, bytes) else { return nil }
            parameters.append(parameter)
        }
        return SkinEntity.Operation(name: name, parameters: parameters)
    }

    private func parameter(_ number: Int, _ bytes: UnsafeRawBufferPointer) -> SkinEntity.Parameter? {
        let start = layout.parametersStart + number * CompiledLayout.parameterSize
        guard let name = string(bytes.number32(start), bytes), let type = string(bytes.number32(start + 4), bytes),
            let text = string(bytes.number32(start + 8), bytes)
        else { return nil }
        return SkinEntity.Parameter(name: name, value: SkinValue(type: type, text: text))
    }

    /// What begins at one place and ends where the next begins, or at the end.
    private func range(_ start: UInt32, _ next: UInt32?, _ count: Int) -> Range<Int>? {
        let (start, end) = (Int(start), next.map(Int.init) ?? count)
        return start <= end && end <= count ? start..<end : nil
    }
}

extension SkinError {
    static func compiledDamaged(_ reason: String) -> SkinError {
        SkinError(.skinCompiledDamaged, "The compiled skin \(reason). It is made anew from its XML.")
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func number32(_ place: Int) -> UInt32 {
        UInt32(littleEndian: loadUnaligned(fromByteOffset: place, as: UInt32.self))
    }

    fileprivate func number64(_ place: Int) -> UInt64 {
        UInt64(littleEndian: loadUnaligned(fromByteOffset: place, as: UInt64.self))
    }
}
