import StoreSystem

/// The layout of a compiled skin file (a skin in binary form): the numbers and offsets of its tables.
///
/// A header is followed by the tables in the order of this type's members, and by the bytes of the strings. All numbers
/// are little-endian. The module's documentation describes the members.
struct CompiledLayout: Equatable {
    /// The bytes with which a compiled skin file begins.
    ///
    /// They are not valid text, and contain line ends, so that a conversion of line ends is detected.
    static let magic: [UInt8] = [0x89, 0x53, 0x4B, 0x4E, 0x0D, 0x0A, 0x1A, 0x0A]
    static let version: UInt32 = 3
    static let headerSize = 60
    /// The offset of the checksum in a compiled skin file, in bytes.
    static let checksumOffset = 8
    /// The offset of the first byte of a compiled skin file that the checksum covers.
    static let checkedStart = 16
    /// The number that stands for a missing string in the tables of a compiled skin file.
    static let noString = UInt32.max

    var links = 0
    var sources = 0
    var entities = 0
    var values = 0
    var strings = 0
    var stringBytes = 0
    /// The number of strings, the first ones, that name components, operations, parameters, types and font families.
    var names = 0

    /// The maximum of ``names``, which is far above what any vocabulary needs: the table of values has 16 bits for each.
    static let maximumNames = 1 << 16

    static let linkSize = 12
    static let sourceSize = 32
    static let entitySize = 12
    static let valueSize = 22

    var linksStart: Int { Self.headerSize }
    var sourcesStart: Int { linksStart + links * Self.linkSize }
    var entitiesStart: Int { sourcesStart + sources * Self.sourceSize }
    var valuesStart: Int { entitiesStart + entities * Self.entitySize }
    var offsetsStart: Int { valuesStart + values * Self.valueSize }
    /// The offset of the strings' bytes in the compiled skin file.
    ///
    /// The table of offsets before it has one entry more than there are strings, because each string ends where the
    /// next begins.
    var textStart: Int { offsetsStart + (strings + 1) * 4 }
    /// The size of the compiled skin file, in bytes.
    var size: Int { textStart + stringBytes }
}

/// The form of a value in the table of values of a compiled skin file: how its members are to be read.
enum CompiledForm: UInt16 {
    /// A value of any type: its member `string` is the canonical text.
    case text = 0
    /// A colour: the member `number` has red in bits 24 to 31, then green, blue and alpha.
    case color
    /// A number: the member `number` has the bits of a double (IEEE 754).
    case number
    /// A whole number: the member `number` has it in two's complement.
    case integer
    /// A font: the member `string` is the family, `number` has the size in pixels as the bits of a double, and `weight` the
    /// weight.
    case font
}

/// A file or directory that a compiled skin was read from, with its identity at the time of reading.
struct SkinSource: Hashable {
    /// The index, in the chain of inheritance, of the skin that the file belongs to; 0 is the skin itself.
    let link: Int
    /// The path of the file relative to its skin's directory; `.` is the directory itself.
    let path: String
    /// The identity of the file by its last status change (`st_ctime`).
    ///
    /// No program can set that time, unlike the modification time.
    let identity: FileIdentity
}
