import StoreSystem

/// A name in the theme files of a skin, such as that of an operation, as a number.
///
/// Equal names of one ``SkinNameTable`` have equal numbers.
struct SkinName: Hashable {
    private let storage: Int32

    /// The name's number; numbers are small and are assigned without gaps.
    var number: Int { Int(storage) }

    fileprivate init(number: Int32) { storage = number }

    /// The empty name.
    static let empty = SkinName(number: 0)
}

/// The names in the theme files of a skin, each stored once, so that they are compared and looked up as numbers.
///
/// Names are compared by their bytes.
struct SkinNameTable {
    /// The texts of the names by their numbers; the first is the empty name.
    private var texts = [""]
    /// The UTF-8 bytes of all names, one after the other, and where each ends, by the numbers of the names.
    private var (bytes, ends): ([UInt8], [Int]) = ([], [0])
    private var numbers: [TextBytes: Int32] = [:]
    /// A cache of the numbers of recently used names, indexed by the first and last byte and the length of a name; 0 is unused.
    ///
    /// A theme file has a few names of operations, parameters and types, each thousands of times: looking up each in the
    /// dictionary would take longer than parsing the file.
    private var recent = [Int32](repeating: 0, count: Self.places)

    private static let places = 256

    /// The number of different names, with the empty one.
    var count: Int { texts.count }

    /// Returns the text of a name.
    subscript(name: SkinName) -> String { texts[name.number] }

    /// Returns the name with the given UTF-8 text, which is added if it is new.
    mutating func name(_ bytes: UnsafeBufferPointer<UInt8>) -> SkinName {
        guard let first = bytes.first, let last = bytes.last else { return .empty }
        let place = (Int(first) &* 31 &+ Int(last) &* 7 &+ bytes.count) & (Self.places - 1)
        let candidate = recent[place]
        if candidate != 0, isEqual(Int(candidate), bytes) { return SkinName(number: candidate) }
        let text = TextBytes(text: String(decoding: bytes, as: UTF8.self))
        let number = numbers[text] ?? add(text)
        recent[place] = number
        return SkinName(number: number)
    }

    /// Returns the name with the given text, which is added if it is new.
    mutating func name(_ text: String) -> SkinName {
        var text = text
        return text.withUTF8 { name($0) }
    }

    private mutating func add(_ text: TextBytes) -> Int32 {
        let number = Int32(texts.count)
        texts.append(text.text)
        bytes.append(contentsOf: text.text.utf8)
        ends.append(bytes.count)
        numbers[text] = number
        return number
    }

    /// Returns whether the name with a number, which is not 0, has the given UTF-8 bytes.
    private func isEqual(_ number: Int, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
        let start = ends[number - 1]
        return ends[number] - start == text.count
            && bytes.withUnsafeBytes { $0.hasBytes(UnsafeRawBufferPointer(text), at: start) }
    }
}

/// A text that is compared by its bytes: Swift's == treats canonically equivalent texts as equal.
struct TextBytes: Hashable {
    let text: String

    static func == (a: TextBytes, b: TextBytes) -> Bool { a.text.utf8.elementsEqual(b.text.utf8) }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
