import StoreModel
import StoreSystem

/// A skin in a compiled (binary) file: names are decoded when it is opened, and values on demand.
///
/// No number in the file is trusted, because the file may be forged. It is refused if the offset of a name is outside the
/// file; an entity with any other offset outside the file counts as missing.
struct CompiledSkin: EntityStore {
    private let bytes: FileBytes
    private let view: View
    let idiom: SkinIdiom
    let chain: [ResolvedSkin.Link]

    /// Creates a skin from the bytes of a compiled skin file, after checking them.
    ///
    /// - Parameter fingerprint: the fingerprint of the vocabulary with which the file must have been compiled.
    /// - Throws: `skin.compiled-damaged` if the file is damaged, of another version, or compiled with another vocabulary.
    init(_ bytes: FileBytes, fingerprint: UInt64) throws(StoreError) {
        self.bytes = bytes
        let (layout, idiom) = try bytes.withUnsafeBytes { bytes throws(StoreError) in
            try CompiledSkin.check(bytes, fingerprint: fingerprint)
        }
        guard let view = bytes.withUnsafeBytes({ View(layout, $0) }) else {
            throw .compiledDamaged("its table of names is malformed")
        }
        self.view = view
        let head = bytes.withUnsafeBytes { bytes in
            (view.string(idiom, bytes).flatMap { SkinIdiom(named: $0) }, view.links(bytes))
        }
        guard let idiom = head.0, let chain = head.1, !chain.isEmpty else {
            throw .compiledDamaged("it has no idiom or no chain")
        }
        self.idiom = idiom
        self.chain = chain
    }

    /// Checks size, version, checksum and vocabulary fingerprint of a compiled skin file.
    ///
    /// - Returns: the layout, and the number of the string that names the idiom.
    private static func check(
        _ bytes: UnsafeRawBufferPointer, fingerprint: UInt64
    ) throws(StoreError) -> (CompiledLayout, idiom: UInt32) {
        guard bytes.count >= CompiledLayout.headerSize, bytes.starts(with: CompiledLayout.magic) else {
            throw .compiledDamaged("it has another format")
        }
        let layout = CompiledLayout(
            links: Int(bytes.number32(32)), sources: Int(bytes.number32(36)), entities: Int(bytes.number32(40)),
            values: Int(bytes.number32(44)), strings: Int(bytes.number32(48)), stringBytes: Int(bytes.number32(52)),
            names: Int(bytes.number32(56)))
        guard bytes.number32(16) == CompiledLayout.version else {
            throw .compiledDamaged("it has format version \(bytes.number32(16)) instead of \(CompiledLayout.version)")
        }
        guard layout.size == bytes.count else {
            throw .compiledDamaged("it has \(bytes.count) bytes instead of \(layout.size)")
        }
        let checked = UnsafeRawBufferPointer(rebasing: bytes[CompiledLayout.checkedStart...])
        guard XXH3.hash(checked) == bytes.number64(CompiledLayout.checksumOffset) else {
            throw .compiledDamaged("its checksum differs")
        }
        guard bytes.number64(24) == fingerprint else {
            throw .compiledDamaged("it was compiled with another vocabulary")
        }
        return (layout, bytes.number32(20))
    }

    /// The files that the skin was compiled from; `nil` if their table in the compiled file is damaged.
    var sources: [SkinSource]? {
        bytes.withUnsafeBytes { bytes in
            var sources: [SkinSource] = []
            for number in 0..<view.layout.sources {
                guard let source = view.source(number, bytes) else { return nil }
                sources.append(source)
            }
            return sources
        }
    }

    // MARK: Entities

    var count: Int { view.layout.entities }

    var all: [SkinEntity] {
        bytes.withUnsafeBytes { bytes in
            var all: [SkinEntity] = []
            all.reserveCapacity(count)
            for number in 0..<count {
                if let entity = view.entity(number, bytes) { all.append(entity) }
            }
            return all
        }
    }

    func entity(_ index: Int) -> SkinEntity? {
        guard (0..<count).contains(index) else { return nil }
        return bytes.withUnsafeBytes { view.entity(index, $0) }
    }

    func entity(_ identifier: String) -> SkinEntity? {
        var identifier = identifier
        return identifier.withUTF8 { wanted in
            bytes.withUnsafeBytes { bytes in
                var (low, high) = (0, count)
                while low < high {
                    let middle = (low + high) / 2
                    guard let found = view.identifier(middle, bytes) else { return nil }
                    let wanted = UnsafeRawBufferPointer(wanted)
                    if found.isBefore(wanted) {
                        low = middle + 1
                    } else if wanted.isBefore(found) {
                        high = middle
                    } else {
                        return view.entity(middle, bytes)
                    }
                }
                return nil
            }
        }
    }
}

/// Decodes the tables of a compiled skin file whose size was checked.
private struct View: Sendable {
    let layout: CompiledLayout
    /// The names of components, operations, parameters, types and font families, which many definitions share.
    private let names: [String]
    /// The interned name for each of ``names``; `nil` for a font family, and for a name that no vocabulary has.
    private let vocabularyNames: [InternedName?]
    // Computed once, because each value needs several of them.
    private let entitiesStart, valuesStart, offsetsStart, textStart: Int

    /// Decodes the table of names; `nil` if the offset of one is outside the file, or if there are too many.
    init?(_ layout: CompiledLayout, _ bytes: UnsafeRawBufferPointer) {
        self.layout = layout
        (entitiesStart, valuesStart) = (layout.entitiesStart, layout.valuesStart)
        (offsetsStart, textStart) = (layout.offsetsStart, layout.textStart)
        guard layout.names <= min(layout.strings, CompiledLayout.maximumNames) else { return nil }
        var names: [String] = []
        names.reserveCapacity(layout.names)
        for number in 0..<layout.names {
            guard let text = Self.text(UInt32(number), bytes, layout, offsetsStart, textStart) else { return nil }
            names.append(String(decoding: text, as: UTF8.self))
        }
        self.names = names
        vocabularyNames = InternedName.known(names)
    }

    private static func text(
        _ number: UInt32, _ bytes: UnsafeRawBufferPointer, _ layout: CompiledLayout, _ offsets: Int, _ texts: Int
    ) -> UnsafeRawBufferPointer? {
        guard number < layout.strings else { return nil }
        let offset = offsets + Int(number) * 4
        let (start, end) = (Int(bytes.number32(offset)), Int(bytes.number32(offset + 4)))
        guard start <= end, end <= layout.stringBytes else { return nil }
        return UnsafeRawBufferPointer(rebasing: bytes[(texts + start)..<(texts + end)])
    }

    func text(_ number: UInt32, _ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        Self.text(number, bytes, layout, offsetsStart, textStart)
    }

    private func name(_ number: some UnsignedInteger) -> InternedName? {
        number < vocabularyNames.count ? vocabularyNames[Int(number)] : nil
    }

    func string(_ number: UInt32, _ bytes: UnsafeRawBufferPointer) -> String? {
        text(number, bytes).map { String(decoding: $0, as: UTF8.self) }
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

    func source(_ number: Int, _ bytes: UnsafeRawBufferPointer) -> SkinSource? {
        let start = layout.sourcesStart + number * CompiledLayout.sourceSize
        let link = Int(bytes.number32(start))
        guard link < layout.links, let path = string(bytes.number32(start + 4), bytes) else { return nil }
        return SkinSource(
            link: link, path: path,
            identity: FileIdentity(
                inode: bytes.number64(start + 24), size: Int(truncatingIfNeeded: bytes.number64(start + 8)),
                changedAt: Double(bitPattern: bytes.number64(start + 16))))
    }

    func identifier(_ number: Int, _ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        text(bytes.number32(entitiesStart + number * CompiledLayout.entitySize), bytes)
    }

    func entity(_ number: Int, _ bytes: UnsafeRawBufferPointer) -> SkinEntity? {
        let start = entitiesStart + number * CompiledLayout.entitySize
        let isLast = number + 1 == layout.entities
        guard let identifier = string(bytes.number32(start), bytes), let component = name(bytes.number32(start + 4)),
            let indices = range(
                bytes.number32(start + 8),
                isLast ? nil : bytes.number32(start + CompiledLayout.entitySize + 8), layout.values)
        else { return nil }
        var rest = indices
        var operations: [SkinEntity.Operation] = []
        operations.reserveCapacity(indices.count)
        while !rest.isEmpty {
            guard let operation = operation(&rest, bytes) else { return nil }
            operations.append(operation)
        }
        return SkinEntity(identifier: identifier, componentName: component, operations: operations)
    }

    /// Takes the values of the next operation, which are those that follow one another with the same name.
    ///
    /// Inlined, because returning a large value costs more than decoding it.
    @inline(__always)
    private func operation(_ rest: inout Range<Int>, _ bytes: UnsafeRawBufferPointer) -> SkinEntity.Operation? {
        func operation(of index: Int) -> UInt16 { bytes.number16(valuesStart + index * CompiledLayout.valueSize) }
        let number = operation(of: rest.lowerBound)
        guard let name = name(number), let first = parameter(rest.lowerBound, bytes) else { return nil }
        rest = (rest.lowerBound + 1)..<rest.upperBound
        // Nearly all operations have one parameter, for which no array is made.
        if rest.isEmpty || operation(of: rest.lowerBound) != number {
            return SkinEntity.Operation(internedName: name, parameters: SkinEntity.Parameters(first))
        }
        var others: [SkinEntity.Parameter] = []
        while let next = rest.first, operation(of: next) == number {
            guard let parameter = parameter(rest.removeFirst(), bytes) else { return nil }
            others.append(parameter)
        }
        return SkinEntity.Operation(internedName: name, parameters: SkinEntity.Parameters(first, others))
    }

    @inline(__always)
    private func parameter(_ number: Int, _ bytes: UnsafeRawBufferPointer) -> SkinEntity.Parameter? {
        let start = valuesStart + number * CompiledLayout.valueSize
        guard let name = name(bytes.number16(start + 2)), let type = self.name(bytes.number16(start + 4)),
            let form = CompiledForm(rawValue: bytes.number16(start + 6))
        else { return nil }
        let string = bytes.number32(start + 10)
        let number = bytes.number64(start + 14)
        let content: SkinValue.Content
        switch form {
        case .text:
            guard let text = self.string(string, bytes) else { return nil }
            content = .text(text)
        case .color: content = .color(SkinColor(bits: UInt32(truncatingIfNeeded: number)))
        case .number: content = .number(Double(bitPattern: number))
        case .integer: content = .integer(Int(Int64(bitPattern: number)))
        case .font:
            guard let family = string < names.count ? names[Int(string)] : self.string(string, bytes) else {
                return nil
            }
            content = .font(
                SkinFont(family: family, size: Double(bitPattern: number), weight: Int(bytes.number16(start + 8))))
        }
        return SkinEntity.Parameter(internedName: name, value: SkinValue(type: type, content: content))
    }

    /// Returns the range from the start of one table element to the start of the next, or to the end of the table.
    ///
    /// `nil` if the compiled skin file is damaged.
    private func range(_ start: UInt32, _ next: UInt32?, _ count: Int) -> Range<Int>? {
        let (start, end) = (Int(start), next.map(Int.init) ?? count)
        return start <= end && end <= count ? start..<end : nil
    }
}

extension StoreError {
    /// Returns the error of a compiled skin file that is damaged, so that the skin has to be compiled again.
    fileprivate static func compiledDamaged(_ reason: String) -> StoreError {
        StoreError(.skinCompiledFileDamaged, ["reason": reason])
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func number16(_ offset: Int) -> UInt16 {
        UInt16(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt16.self))
    }

    fileprivate func number32(_ offset: Int) -> UInt32 {
        UInt32(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }

    fileprivate func number64(_ offset: Int) -> UInt64 {
        UInt64(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
}
