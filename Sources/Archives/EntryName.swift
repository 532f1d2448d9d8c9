import StoreModel

/// The name of an entry, of which every reader makes the same path.
struct EntryName {
    /// With `/` between the parts and none at the end.
    let path: String
    let isFolder: Bool

    /// Whether the entry's flag says UTF-8 does not matter: without it the name counts as UTF-8 all the same, which
    /// is what tools write that know no other, and what is not UTF-8 is refused either way.
    init(_ bytes: ArraySlice<UInt8>, limits: ArchiveLimits) throws(Flaw) {
        guard bytes.count <= limits.pathLength else {
            throw Flaw(.nameTooLong, "entry \(quoted(bytes)) has a path of over \(limits.pathLength) bytes")
        }
        guard !bytes.contains(where: { $0 < 0x20 || $0 == 0x7f }) else {
            throw Flaw(.controlCharacter, "the name \(quoted(bytes)) holds a control character")
        }
        guard !bytes.contains(UInt8(ascii: "\\")) else {
            throw Flaw(.backslash, "the name \(quoted(bytes)) holds a backslash")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Flaw(.nameNotUTF8, "the name \(quoted(bytes)) is not UTF-8")
        }
        isFolder = bytes.last == UInt8(ascii: "/")
        let parts = (isFolder ? bytes.dropLast() : bytes).split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        try EntryName.check(parts, of: bytes, limits)
        path = isFolder ? String(text.utf8.dropLast())! : text
    }

    private static func check(
        _ parts: [ArraySlice<UInt8>], of name: ArraySlice<UInt8>, _ limits: ArchiveLimits
    ) throws(Flaw) {
        // A drive letter makes a name absolute for readers on Windows.
        let first = parts.first ?? []
        let isDrive = first.count >= 2 && first.dropFirst().first == UInt8(ascii: ":") && first.first!.isASCIILetter
        guard name.first != UInt8(ascii: "/"), !isDrive, !parts.contains(where: { $0.elementsEqual("..".utf8) }) else {
            throw Flaw(.traversal, "the name \(quoted(name)) leads out of the folder it is unpacked into")
        }
        guard !parts.contains(where: { $0.allSatisfy { $0 == UInt8(ascii: ".") } }) else {
            throw Flaw(.emptyNamePart, "the name \(quoted(name)) has an empty part or one of dots alone")
        }
        guard parts.count <= limits.depth else {
            throw Flaw(.tooDeep, "the name \(quoted(name)) has over \(limits.depth) parts")
        }
        guard parts.allSatisfy({ $0.count <= limits.nameLength }) else {
            throw Flaw(.nameTooLong, "the name \(quoted(name)) has a part of over \(limits.nameLength) bytes")
        }
    }
}

extension UInt8 {
    fileprivate var isASCIILetter: Bool { (self | 0x20) >= UInt8(ascii: "a") && (self | 0x20) <= UInt8(ascii: "z") }
}
