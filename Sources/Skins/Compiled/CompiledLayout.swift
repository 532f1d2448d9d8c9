import StoreSystem

/// Where things are in a compiled skin. All numbers are little-endian, on every machine.
///
/// A header, then the tables one after another in the order of this type's members, then the bytes of the strings. What
/// the numbers mean is on the module's page.
struct CompiledLayout: Equatable {
    /// The first byte is none of text, and the line ends show a copy that changed them.
    static let magic: [UInt8] = [0x89, 0x53, 0x4B, 0x4E, 0x0D, 0x0A, 0x1A, 0x0A]
    static let version: UInt32 = 1
    static let headerSize = 64
    /// Where the checksum stands, and where that which it is of begins.
    static let checksumPlace = 8
    static let checkedStart = 16
    /// In place of a string that there is none of.
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
    /// One offset more than strings, so that each ends where the next begins.
    var textStart: Int { offsetsStart + (strings + 1) * 4 }
    /// Of the whole file, in bytes.
    var size: Int { textStart + stringBytes }
}

/// What was known of a file or folder that a compiled skin was made from.
struct SourceStamp: Hashable {
    /// The place of its skin in the chain.
    let link: Int
    /// Relative to the skin's folder; `.` is the folder itself.
    let path: String
    /// The identity by the last status change, which unlike the modification time nobody can set.
    let identity: FileIdentity
}
