import StoreModel

/// An element of an EBML document (RFC 8794): an identifier, and content that may be further elements.
struct EBMLElement {
    let identifier: Int
    /// The offset of the element's content from the start of the file.
    let start: Int
    let end: Int
}

/// A reader of the elements of an EBML document, which is the structure of a WebM file.
struct EBMLReader {
    private var bytes: ImageBytes

    init(_ bytes: ImageBytes) { self.bytes = bytes }

    /// The size of the file in bytes.
    var count: Int { bytes.count }

    /// Checks that only padding follows an offset of the file.
    mutating func requireEnd(at offset: Int) throws { try bytes.requireEnd(at: offset) }

    /// Returns the element at an offset of the file, which ends before `end`.
    mutating func element(at offset: Int, end: Int) throws -> EBMLElement {
        let (identifier, afterIdentifier) = try variableNumber(at: offset, keepsMarker: true)
        let (length, start) = try variableNumber(at: afterIdentifier, keepsMarker: false)
        // All bits set mean an unknown size, which live streams have; the element then fills its parent.
        let isUnknown = length == (1 << (7 * (start - afterIdentifier))) - 1
        guard start <= end, isUnknown || length <= end - start else { throw StoreError(.imageTruncated) }
        return EBMLElement(identifier: identifier, start: start, end: isUnknown ? end : start + length)
    }

    /// Returns the elements in an element.
    ///
    /// - Parameter sibling: an identifier of elements that are not in an element of the same kind, so that one there is
    ///   the end of an element of unknown size; its content is returned after it.
    mutating func children(of parent: EBMLElement, endingAt sibling: Int? = nil) throws -> [EBMLElement] {
        var offset = parent.start
        var children: [EBMLElement] = []
        while offset < parent.end {
            let child = try element(at: offset, end: parent.end)
            children.append(child)
            offset = child.identifier == sibling ? child.start : child.end
        }
        return children
    }

    /// Returns a number whose leading zero bits say how many bytes it has, and the offset after it.
    ///
    /// - Parameter keepsMarker: whether the length marker, the first bit that is set, stays in the number, as in an identifier.
    mutating func variableNumber(at offset: Int, keepsMarker: Bool) throws -> (number: Int, end: Int) {
        let first = try bytes.u8(at: offset)
        guard first > 0 else { throw StoreError(.imageUnexpectedData, ["offset": offset]) }
        let length = UInt8(first).leadingZeroBitCount + 1
        guard length <= (keepsMarker ? 4 : 8) else { throw StoreError(.imageUnexpectedData, ["offset": offset]) }
        var number = keepsMarker ? first : first & (0xFF >> length)
        for index in 1..<max(length, 1) { number = number << 8 | (try bytes.u8(at: offset + index)) }
        return (number, offset + length)
    }

    mutating func number(of element: EBMLElement) throws -> Int {
        guard (1...7).contains(element.end - element.start) else { throw StoreError(.imageHeaderInvalid) }
        return try (element.start..<element.end).reduce(0) { try $0 << 8 | bytes.u8(at: $1) }
    }

    mutating func real(of element: EBMLElement) throws -> Double {
        let raw = try (element.start..<element.end).reduce(UInt64(0)) { try $0 << 8 | UInt64(bytes.u8(at: $1)) }
        switch element.end - element.start {
        case 4: return Double(Float(bitPattern: UInt32(truncatingIfNeeded: raw)))
        case 8: return Double(bitPattern: raw)
        default: throw StoreError(.imageHeaderInvalid)
        }
    }

    mutating func text(of element: EBMLElement) throws -> String {
        guard element.end - element.start <= 64 else { throw StoreError(.imageHeaderInvalid) }
        return String(decoding: try bytes.bytes(at: element.start, element.end - element.start), as: UTF8.self)
            .replacing("\0", with: "")
    }

    /// Returns the byte at an offset of the file.
    mutating func byte(at offset: Int) throws -> Int { try bytes.u8(at: offset) }

    /// Returns the signed number of two bytes at an offset of the file.
    mutating func signed16(at offset: Int) throws -> Int {
        Int(Int16(truncatingIfNeeded: try bytes.big16(at: offset)))
    }
}
