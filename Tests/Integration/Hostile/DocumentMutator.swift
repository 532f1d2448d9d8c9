import Foundation
import StoreModel
import StoreTestSupport

/// Random changes of valid documents and archives, which are the same for the same seed.
struct DocumentMutator {
    var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func number(below limit: Int) -> Int { Int.random(in: 0..<max(1, limit), using: &random) }
    mutating func chance(_ one: Int) -> Bool { number(below: one) == 0 }
    mutating func pick<Value>(_ values: [Value]) -> Value { values[number(below: values.count)] }

    // MARK: Bytes

    /// Returns bytes with one to four changes that need no knowledge of the format.
    mutating func bytes(_ original: [UInt8]) -> [UInt8] {
        var bytes = original
        for _ in 0...number(below: 4) {
            let place = number(below: bytes.count)
            switch bytes.isEmpty ? 4 : number(below: 7) {
            case 0: bytes[place] ^= 1 << UInt8(number(below: 8))
            case 1: bytes[place] = UInt8(number(below: 256))
            case 2: bytes.removeSubrange(place..<min(bytes.count, place + 1 + number(below: 40)))
            case 3: bytes.removeLast(number(below: bytes.count))
            case 4: bytes.insert(contentsOf: OriginBytes.random(1 + number(below: 40), seed: random.next()), at: place)
            case 5:
                let piece = bytes[place..<min(bytes.count, place + 1 + number(below: 400))]
                bytes.insert(contentsOf: piece, at: number(below: bytes.count))
            default:
                // Numbers near the limits of their fields.
                let field: [UInt8] = pick([[0xFF, 0xFF, 0xFF, 0xFF], [0, 0, 0, 0], [0xFF, 0xFF, 0xFF, 0x7F]])
                for (offset, byte) in field.enumerated() where place + offset < bytes.count {
                    bytes[place + offset] = byte
                }
            }
        }
        return bytes
    }

    // MARK: JSON

    /// Returns a JSON document with one to three changes of its values, its members or its text.
    mutating func json(_ original: [UInt8]) -> [UInt8] {
        var text = original
        for _ in 0...number(below: 3) {
            switch number(below: 8) {
            case 0: text = bytes(text)
            case 1: text = repeatMember(text)
            case 2: text = nest(text)
            default: text = changeValue(text)
            }
        }
        return text
    }

    /// Changes one value of a document; a text that is not JSON any more stays as it is.
    private mutating func changeValue(_ text: [UInt8]) -> [UInt8] {
        guard let value = try? JSONDecoder().decode(JSONValue.self, from: Data(text)) else { return text }
        var countdown = number(below: Self.count(value))
        let changed = change(value, &countdown)
        return (try? JSON.encode(changed)).map { Array($0) } ?? text
    }

    private static func count(_ value: JSONValue) -> Int {
        switch value {
        case .array(let elements): elements.reduce(1) { $0 + count($1) }
        case .object(let members): members.values.reduce(1) { $0 + count($1) }
        default: 1
        }
    }

    /// Changes the value at which a countdown over all values, each before those in it, ends.
    private mutating func change(_ value: JSONValue, _ countdown: inout Int) -> JSONValue {
        countdown -= 1
        if countdown == -1 { return replacement(of: value) }
        switch value {
        case .array(var elements):
            for index in elements.indices where countdown >= 0 {
                elements[index] = change(elements[index], &countdown)
            }
            return .array(elements)
        case .object(var members):
            for name in members.keys.sorted() where countdown >= 0 {
                members[name] = change(members[name] ?? .null, &countdown)
            }
            return .object(members)
        default: return value
        }
    }

    private mutating func replacement(of value: JSONValue) -> JSONValue {
        if case .array(let elements) = value, let first = elements.first, chance(2) {
            return .array(Array(repeating: first, count: pick([0, 2, 1_001, 20_000])))
        }
        if case .object(var members) = value, chance(2) {
            let names = members.keys.sorted()
            if let name = names.isEmpty ? nil : pick(names) {
                let taken = members.removeValue(forKey: name)
                if chance(2) { members[pick(names)] = taken }
            }
            return .object(members)
        }
        if case .string(let text) = value, chance(2) {
            return .string(String(decoding: bytes(Array(text.utf8)), as: UTF8.self))
        }
        if case .integer(let number) = value, chance(2) { return .integer(number &+ pick([-1, 1, 1 << 31])) }
        let values: [JSONValue] = [
            .null, .bool(true), .integer(0), .integer(-1), .integer(.max), .integer(.min), .number(1e308), .number(0.5),
            .string(""), .string(String(repeating: "a", count: 20_000)), .string("a\u{0}b\u{1B}[2J\u{202E}"),
            .string("../../../etc/passwd"), .string("http://127.0.0.1:1/x"), .string("file:///etc/passwd"),
            .string("http://[::1]:99999/"), .string("data:text/html,x"), .string(String(repeating: "../", count: 500)),
            .array([]), .object([:]), .array([.null, .integer(1), .string("a")]), .object(["": .object([:])]),
        ]
        return pick(values)
    }

    /// Repeats a member of an object, with another value.
    private mutating func repeatMember(_ text: [UInt8]) -> [UInt8] {
        let members = String(decoding: text, as: UTF8.self).matches(of: #/"[A-Za-z0-9]+":/#).map(\.range)
        guard !members.isEmpty else { return text }
        var changed = String(decoding: text, as: UTF8.self)
        let member = pick(members)
        changed.insert(
            contentsOf: String(changed[member]) + pick(["null", "0", #""x""#, "[]"]) + ",", at: member.lowerBound)
        return Array(changed.utf8)
    }

    /// Inserts deeply nested arrays or objects before a value.
    private mutating func nest(_ text: [UInt8]) -> [UInt8] {
        let colons = text.indices.filter { text[$0] == UInt8(ascii: ":") }
        guard !colons.isEmpty else { return text }
        let depth = pick([2, 31, 33, 127, 129, 513, 100_000])
        let value =
            chance(2)
            ? String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            : String(repeating: #"{"a":"#, count: depth) + "0" + String(repeating: "}", count: depth)
        var changed = text
        changed.insert(contentsOf: Array((value + #","x":"#).utf8), at: pick(colons) + 1)
        return changed
    }

    // MARK: Archives

    /// Returns an archive with changes of its records, its names, or its bytes.
    mutating func archive(_ original: ZipForge) -> [UInt8] {
        var forge = original
        for _ in 0...number(below: 2) {
            let index = number(below: forge.entries.count)
            guard forge.entries.indices.contains(index) else { break }
            switch number(below: 9) {
            case 0: forge.entries[index].central.size = pick([0, 1, .max, 1 << 31])
            case 1: forge.entries[index].both { $0.compressedSize = $0.compressedSize &+ 1 }
            case 2: forge.entries[index].local.name = Array("other".utf8)
            case 3:
                let name = pick([
                    "../x", "/x", ".git/config", "a.gif.", "a.gif ", "x\u{1}", "A.GIF", "pack.json/x", "HEAD", "",
                    "con",
                    "__MACOSX/a", ".receipt.json", String(repeating: "d/", count: 20) + "x", "\u{FEFF}x",
                ])
                forge.entries[index].both { $0.name = Array(name.utf8) }
            case 4: forge.entries[index].both { [method = UInt16(number(below: 100))] in $0.method = method }
            case 5: forge.entries[index].attributes = pick([0o120777 << 16, 0o060644 << 16, 0o040755 << 16, 0])
            case 6: forge.entries.append(forge.entries[index])
            case 7: forge.entries[index].data = bytes(forge.entries[index].data)
            default: forge.entries[index].both { $0.extra += ZipForge.extra(0x0001, [1, 2, 3]) }
            }
        }
        return chance(3) ? bytes(forge.build()) : forge.build()
    }
}
