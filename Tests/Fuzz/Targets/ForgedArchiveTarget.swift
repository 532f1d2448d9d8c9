import StoreTestSupport

extension FuzzTarget {
    /// Checks an archive that is forged according to the input, because the fuzzer would not guess checksums.
    @Sendable static func forgedArchive(_ bytes: [UInt8]) throws {
        var choices = Choices(bytes)
        let forged = ForgedArchive(&choices)
        let contents = try ArchiveOracle(forged.bytes).check()
        guard forged.isHonest else { return }
        require(contents != nil, "an honest archive is refused")
        if let contents { requireSame(contents, forged.contents, "what was packed and unpacked") }
    }
}

/// Reads choices from the bytes of an input, and makes the first choice when they are used up.
struct Choices {
    /// The bytes that no choice has used.
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    mutating func number(below limit: Int) -> Int {
        guard let byte = rest.popFirst() else { return 0 }
        if limit <= 256 { return Int(byte) % limit }
        return (Int(byte) << 8 | Int(rest.popFirst() ?? 0)) % limit
    }

    mutating func flag() -> Bool { number(below: 2) == 1 }
    mutating func pick<Value>(_ values: [Value]) -> Value { values[number(below: values.count)] }
    mutating func byte() -> UInt8 { UInt8(number(below: 256)) }

    mutating func number32() -> UInt32 {
        // Values near the limits are the most interesting ones.
        pick([0, 1, 2, 7, 20, 0x7fff_ffff, 0xffff_fffe, .max]) &+ UInt32(number(below: 64))
    }
}

/// A forged archive, and whether it is consistent and so must be accepted.
struct ForgedArchive {
    private(set) var bytes: [UInt8] = []
    private(set) var contents: [String: [UInt8]] = [:]
    private(set) var isHonest = true

    /// Names that do not collide.
    private static let safeNames = [
        "a.png", "b", "d/x", "d/y.webp", "d/e/f", "ä", "日本", "x y", ".hidden", "ß", "I", "😀.webp",
    ]
    private static let otherNames = [
        "", "/", "A.PNG", "a.png", "d", "D/x", "a\u{308}", "ss", "ı", "../x", "d/../x", "/etc/x", "a\\b", "C:x", "d//x",
        "./x", "d/.../x", ".receipt.json", "d/e", "d/e/f/g/h/i", "\u{212A}", "ﬁ", "fi", "x\u{7f}", "x\n",
        String(repeating: "n", count: 101), "pack.json",
    ]

    init(_ choices: inout Choices) {
        var forge = ZipForge()
        var taken: Set<String> = []
        for _ in 0..<choices.number(below: 8) {
            let isSafe = choices.number(below: 4) > 0
            let name = choices.pick(isSafe ? Self.safeNames : Self.otherNames)
            if !isSafe || !taken.insert(name).inserted { isHonest = false }
            forge = add(name, to: forge, &choices)
        }
        if choices.number(below: 4) == 0 {
            forge = forge.folder("folder") { entry in if choices.flag() { lie(&entry, &choices) } }
        }
        if choices.number(below: 4) == 0 {
            isHonest = false
            lie(&forge, &choices)
        }
        bytes = forge.build()
        while choices.number(below: 8) == 7, !bytes.isEmpty {
            isHonest = false
            bytes[choices.number(below: min(65_536, bytes.count))] = choices.byte()
        }
        if contents.isEmpty { isHonest = false }
    }

    private mutating func add(_ name: String, to forge: ZipForge, _ choices: inout Choices) -> ZipForge {
        let content: [UInt8]
        switch choices.number(below: 5) {
        case 0: content = []
        case 1: content = [choices.byte(), choices.byte()]
        case 2: content = [UInt8](repeating: choices.byte(), count: choices.number(below: 2_000))
        case 3: content = Array("{\"name\":\"x\"}".utf8)
        default:
            isHonest = false
            content = ZipForge().file("inner").build()
        }
        contents[name] = content
        let (deflated, streamed, wide) = (choices.flag(), choices.number(below: 4), choices.flag())
        let isLie = choices.number(below: 4) == 3
        return forge.file(name, content, deflated: deflated) { entry in
            if wide {
                let packed = UInt64(entry.data.count)
                entry.both {
                    ($0.size, $0.compressedSize) = (.max, .max)
                    $0.extra = ZipForge.zip64Extra(UInt64(content.count), packed)
                }
            } else if streamed == 1 {
                entry.stream()
            } else if streamed == 2 {
                entry.stream(signature: false)
                // A streaming reader can't find the end of stored data.
                if !deflated { isHonest = false }
            } else if streamed == 3 {
                entry.stream(wide: true)
            }
            if isLie { lie(&entry, &choices) }
        }
    }

    private mutating func lie(_ entry: inout ZipForge.Entry, _ choices: inout Choices) {
        isHonest = false
        let number = choices.number32()
        switch choices.number(below: 24) {
        case 0: entry.central.size = number
        case 1: entry.local.size = number
        case 2: entry.both { $0.size = number }
        case 3: entry.central.compressedSize = number
        case 4: entry.both { $0.compressedSize = number }
        case 5: entry.both { $0.crc32 = number }
        case 6: entry.both { $0.method = UInt16(choices.pick([0, 8, 9, 12, 99])) }
        case 7: entry.local.name = Array(choices.pick(Self.safeNames + Self.otherNames).utf8)
        case 8: entry.both { $0.flags ^= 1 << choices.number(below: 16) }
        case 9: entry.central.flags ^= 1 << choices.number(below: 16)
        case 10: entry.attributes = UInt32(choices.number(below: 65_536)) << 16
        case 11: entry.attributes ^= 1 << choices.number(below: 32)
        case 12: entry.both { $0.extra += ZipForge.extra(choices.pick(Self.extraKinds), [choices.byte()]) }
        case 13:
            let kind = choices.pick(Self.extraKinds)
            entry.central.extra += ZipForge.extra(
                kind, [UInt8](repeating: choices.byte(), count: choices.number(below: 40)))
        case 14: entry.both { $0.extra += ZipForge.zip64Extra(UInt64(number), UInt64(number)) }
        case 15: entry.offset = number
        case 16: entry.isLocal = false
        case 17: entry.isInDirectory = false
        case 18: entry.before = [UInt8](repeating: choices.byte(), count: choices.number(below: 40))
        case 19: entry.data += [UInt8](repeating: choices.byte(), count: choices.number(below: 40))
        case 20: entry.descriptor = entry.descriptor + entry.descriptor
        case 21: entry.central.version = UInt16(choices.number(below: 65_536))
        case 22: entry.local.version = UInt16(choices.number(below: 65_536))
        default:
            let second = choices.pick(Self.safeNames + Self.otherNames)
            entry.both { $0.extra += ZipForge.unicodeName(second, of: "a.png") }
        }
    }

    private static let extraKinds: [UInt16] = [
        0x0001, 0x7075, 0x000d, 0x756e, 0x6c78, 0x9901, 0x0017, 0x5455, 0xcafe, 0x6375,
    ]

    private func lie(_ forge: inout ZipForge, _ choices: inout Choices) {
        let number = choices.number32()
        let some = [UInt8](repeating: choices.byte(), count: choices.number(below: 30))
        let which = choices.number(below: 8)
        switch choices.number(below: 14) {
        case 0: (forge.prefix, forge.shifted) = (some, true)
        case 1: forge.prefix = some
        case 2: forge.beforeDirectory = some
        case 3: forge.beforeEnd = some
        case 4: forge.comment = some
        case 5: forge.suffix = some
        case 6: forge.comment = ZipForge().file("inner").build()
        case 7: forge.zip64 = { _ in }
        case 8: (forge.zip64, forge.changeEnd) = ({ _ in }, { $0.refer() })
        case 9:
            forge.zip64 = { wide in
                switch which {
                case 0: wide.recordSize &+= UInt64(number)
                case 1: wide.count &+= UInt64(number)
                case 2: wide.size &+= UInt64(number)
                case 3: wide.offset &+= UInt64(number)
                case 4: wide.recordOffset &+= UInt64(number)
                case 5: wide.after = some
                case 6: wide.rest = some
                default: wide.disks = number
                }
            }
            if number % 2 == 0 { forge.changeEnd = { $0.refer() } }
        case 10: forge.entries.reverse()
        case 11: if !forge.entries.isEmpty { forge.entries.append(forge.entries[which % forge.entries.count]) }
        case 12: forge.prefix = ZipForge().file("before").build()
        default:
            forge.changeEnd = { end in
                switch which {
                case 0: end.count &+= UInt16(truncatingIfNeeded: number)
                case 1: end.countOfDisk &+= UInt16(truncatingIfNeeded: number)
                case 2: end.size &+= number
                case 3: end.offset &+= number
                case 4: end.commentLength &+= UInt16(truncatingIfNeeded: number)
                case 5: end.disk = UInt16(truncatingIfNeeded: number)
                default: end.directoryDisk = UInt16(truncatingIfNeeded: number)
                }
            }
        }
    }
}
