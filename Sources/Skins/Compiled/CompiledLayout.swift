import StoreSystem

/// The layout of a compiled skin file.
///
/// A header is followed by the tables in the order of this type's members, and by the bytes of the strings. All numbers
/// are little-endian. The module's documentation describes the members.
struct CompiledLayout: Equatable {
    /// The magic number of the file: not valid text, and with line ends, so that a conversion of line ends is detected.
    static let magic: [UInt8] = [0x89, 0x53, 0x4B, 0x4E, 0x0D, 0x0A, 0x1A, 0x0A]
    static let version: UInt32 = 1
    static let headerSize = 64
    /// The offset of the checksum in the file, in bytes.
    static let checksumOffset = 8
    /// The offset of the first byte that the checksum covers.
    static let checkedStart = 16
    /// The string number that means that there is no string.
    static let noString = UInt32.max

    var links = 0
    var sources = 0
    var entities = 0
    var operations = 0
    var parameters = 0
    var strings = 0
    var stringBytes = 0

    static let linkSize = 12
    static let sourceSize = 32
    static let entitySize = 12
    static let operationSize = 8
    static let parameterSize = 12

    var linksStart: Int { Self.headerSize }
    var sourcesStart: Int { linksStart + links * Self.linkSize }
    var entitiesStart: Int { sourcesStart + sources * Self.sourceSize }
    var operationsStart: Int { entitiesStart + entities * Self.entitySize }
    var parametersStart: Int { operationsStart + operations * Self.operationSize }
    var offsetsStart: Int { parametersStart + parameters * Self.parameterSize }
    /// The offset of the strings' bytes.
    ///
    /// The table of offsets before it has one entry more than there are strings, because each string ends where the
    /// next begins.
    var textStart: Int { offsetsStart + (strings + 1) * 4 }
    /// The size of the compiled file, in bytes.
    var size: Int { textStart + stringBytes }
}

/// A file or directory that a compiled skin was read from, with its identity at that moment.
struct SkinSource: Hashable {
    /// The index of the skin that the file belongs to in the chain of inheritance.
    let link: Int
    /// The path relative to the skin's directory; `.` is the directory itself.
    let path: String
    /// The identity of the file by its last status change, which no program can set, unlike the modification time.
    let identity: FileIdentity
}
