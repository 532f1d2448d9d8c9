import StoreModel

/// The validated name of a ZIP archive's entry, which every reader interprets as the same path.
struct EntryName {
    /// The path of the ZIP entry, with `/` between the components and none at the end.
    let path: String
    let isDirectory: Bool

    /// Creates the name of a ZIP archive's entry from its bytes, and rejects unsafe or ambiguous names.
    ///
    /// The entry's UTF-8 flag is not considered: many tools write UTF-8 without setting it, and a name that is not
    /// UTF-8 is rejected in either case.
    init(_ bytes: ArraySlice<UInt8>, limits: ArchiveLimits) throws(StoreError) {
        guard bytes.count <= limits.pathLength else {
            throw StoreError(.archivePathTooLong, ["entry": .untrusted(bytes), "limit": .bytes(limits.pathLength)])
        }
        guard !bytes.contains(where: { $0 < 0x20 || $0 == 0x7f }) else {
            throw StoreError(.archiveNameWithControlCharacter, ["entry": .untrusted(bytes)])
        }
        guard !bytes.contains(UInt8(ascii: "\\")) else {
            throw StoreError(.archiveNameWithBackslash, ["entry": .untrusted(bytes)])
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw StoreError(.archiveNameNotUTF8, ["entry": .untrusted(bytes)])
        }
        isDirectory = bytes.last == UInt8(ascii: "/")
        let components = (isDirectory ? bytes.dropLast() : bytes).split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        try EntryName.check(components, of: bytes, limits)
        path = isDirectory ? String(text.utf8.dropLast())! : text
    }

    private static func check(
        _ components: [ArraySlice<UInt8>], of name: ArraySlice<UInt8>, _ limits: ArchiveLimits
    ) throws(StoreError) {
        // A drive letter makes a name absolute for readers on Windows.
        let first = components.first ?? []
        let isDrive = first.count >= 2 && first.dropFirst().first == UInt8(ascii: ":") && first.first!.isASCIILetter
        guard name.first != UInt8(ascii: "/"), !isDrive, !components.contains(where: { $0.elementsEqual("..".utf8) })
        else {
            throw StoreError(.archiveEntryOutside, ["entry": .untrusted(name)])
        }
        guard !components.contains(where: { $0.allSatisfy { $0 == UInt8(ascii: ".") } }) else {
            throw StoreError(.archiveNameWithEmptyComponent, ["entry": .untrusted(name)])
        }
        guard !components.contains(where: isAlteredElsewhere) else {
            throw StoreError(.archiveNameUnportable, ["entry": .untrusted(name)])
        }
        guard components.count <= limits.depth else {
            throw StoreError(.archiveNameTooDeep, ["entry": .untrusted(name), "limit": limits.depth])
        }
        guard components.allSatisfy({ $0.count <= limits.nameLength }) else {
            throw StoreError(.archiveNameTooLong, ["entry": .untrusted(name), "limit": .bytes(limits.nameLength)])
        }
    }

    /// Returns whether Windows stores a file of this name under another one, so that it takes the place of that file.
    ///
    /// It removes dots and spaces at the end of a name, and `x::$DATA` is the content of `x` (NTFS).
    private static func isAlteredElsewhere(_ component: ArraySlice<UInt8>) -> Bool {
        component.last == UInt8(ascii: ".") || component.last == UInt8(ascii: " ")
            || zip(component, component.dropFirst()).contains { $0 == UInt8(ascii: ":") && $1 == UInt8(ascii: "$") }
    }
}

extension UInt8 {
    fileprivate var isASCIILetter: Bool { (self | 0x20) >= UInt8(ascii: "a") && (self | 0x20) <= UInt8(ascii: "z") }
}
