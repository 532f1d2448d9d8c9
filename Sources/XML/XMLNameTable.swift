import StoreCXML

/// The XML names, and the prefixes and URIs of namespaces, that were seen in a document, with their numbers.
///
/// libxml2 stores each name once and keeps it as long as the parser: two names are equal exactly if their addresses are.
struct XMLNameTable {
    /// The texts of the names by their numbers; the first is the empty name.
    private(set) var texts = [""]
    private var numbers: [UnsafePointer<xmlChar>: Int] = [:]
    /// A cache of recently used names; ``place(of:)`` returns the index for an address.
    ///
    /// A document has few names and thousands of elements: looking up each in the dictionary would take longer than parsing.
    private var recent = [Recent](repeating: Recent(address: nil, number: 0), count: Self.places)

    private struct Recent {
        let address: UnsafePointer<xmlChar>?
        let number: Int
    }

    private static let places = 256

    /// The number of names that were seen, without the empty one.
    var count: Int { texts.count - 1 }

    private static func place(of address: UnsafePointer<xmlChar>) -> Int { Int(bitPattern: address) & (places - 1) }

    /// Returns the number of a name that was added before; `nil` if it is a new one.
    mutating func known(_ address: UnsafePointer<xmlChar>) -> XMLName? {
        let place = Self.place(of: address)
        if recent[place].address == address { return XMLName(number: recent[place].number) }
        guard let number = numbers[address] else { return nil }
        recent[place] = Recent(address: address, number: number)
        return XMLName(number: number)
    }

    /// Adds a name that was not seen before.
    mutating func add(_ address: UnsafePointer<xmlChar>) -> XMLName {
        let number = texts.count
        texts.append(String(cString: address))
        numbers[address] = number
        return XMLName(number: number)
    }
}
