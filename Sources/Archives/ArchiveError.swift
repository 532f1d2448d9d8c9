public import StoreModel

/// Why an archive is refused, could not be read, or could not be made.
public struct ArchiveError: CodedError {
    public let code: ErrorCode
    public let message: String
    /// What is wrong with an archive that is refused.
    private let flaw: Flaw?

    public init(_ code: ErrorCode, _ message: String) {
        self.code = code
        self.message = message
        flaw = nil
    }

    /// A flaw with the archive it was found in, and what to do about it.
    init(_ flaw: Flaw, in path: String) { self.init(flaw, of: "'\(path)'") }

    private init(_ flaw: Flaw, of archive: String) {
        code = flaw.code
        message = "\(archive) is refused: \(flaw.reason). \(flaw.code.archiveAdvice)"
        self.flaw = flaw
    }

    /// The same error with other words for the archive: for one whose place on the disk means nothing to its user.
    public func naming(_ archive: String) -> ArchiveError { flaw.map { ArchiveError($0, of: archive) } ?? self }
}

/// What is wrong with an archive, said by code that knows bytes and not where they lie.
struct Flaw: Error {
    let code: ErrorCode
    let reason: String

    init(_ code: ErrorCode, _ reason: String) {
        self.code = code
        self.reason = reason
    }
}

extension ErrorCode {
    // The bytes.
    /// No end record ends the file: no ZIP, or one that was cut short.
    public static let noEndRecord = ErrorCode("archive.no-end-record", .refused)
    /// Bytes come after the end record and its comment.
    public static let dataAfter = ErrorCode("archive.data-after", .refused)
    /// More than one end record could be taken for the archive's, be it in its comment.
    public static let severalEndRecords = ErrorCode("archive.several-end-records", .refused)
    /// A comment, an extra field, or stored contents whose end only a descriptor tells, hold what a reader that
    /// searches takes for a record of the archive.
    public static let hiddenRecord = ErrorCode("archive.hidden-record", .refused)
    /// The ZIP64 records disagree with the plain ones, or are not as they must be.
    public static let zip64Mismatch = ErrorCode("archive.zip64-mismatch", .refused)
    /// Parts of the archive lie in other files.
    public static let severalDisks = ErrorCode("archive.several-disks", .refused)
    /// The central directory is not where, or not what, the end record says.
    public static let badDirectory = ErrorCode("archive.bad-directory", .refused)
    /// Bytes come before the first entry.
    public static let dataBefore = ErrorCode("archive.data-before", .refused)
    /// Bytes between entries, or before the directory, belong to none.
    public static let dataBetween = ErrorCode("archive.data-between", .refused)
    /// Two entries share bytes.
    public static let overlap = ErrorCode("archive.overlap", .refused)
    /// An entry's own header is missing, or says other things than the directory.
    public static let headerMismatch = ErrorCode("archive.header-mismatch", .refused)
    /// The data descriptor after an entry is missing, or says other things than the directory.
    public static let descriptorMismatch = ErrorCode("archive.descriptor-mismatch", .refused)
    /// An extra field is broken.
    public static let badExtraField = ErrorCode("archive.bad-extra-field", .refused)

    // The names.
    /// A name is not valid UTF-8.
    public static let nameNotUTF8 = ErrorCode("archive.name-not-utf8", .refused)
    /// A name holds a NUL or another control character.
    public static let controlCharacter = ErrorCode("archive.control-character", .refused)
    /// A name holds a backslash, which some readers take for a slash.
    public static let backslash = ErrorCode("archive.backslash", .refused)
    /// A name is absolute or climbs out with `..`.
    public static let traversal = ErrorCode("archive.traversal", .refused)
    /// A name has an empty part, or one of dots alone, which some readers leave out.
    public static let emptyNamePart = ErrorCode("archive.empty-name-part", .refused)
    /// An extra field gives an entry another name.
    public static let secondName = ErrorCode("archive.second-name", .refused)
    /// Two entries have one name.
    public static let duplicateName = ErrorCode("archive.duplicate-name", .refused)
    /// Two names differ only in case or in how Unicode writes them.
    public static let nameCollision = ErrorCode("archive.name-collision", .refused)
    /// One path is a file and a folder.
    public static let fileAndFolder = ErrorCode("archive.file-and-folder", .refused)
    /// A name that the store keeps for itself.
    public static let reservedName = ErrorCode("archive.reserved-name", .refused)

    // What the entries are.
    /// An entry is a symbolic or hard link.
    public static let link = ErrorCode("archive.link", .refused)
    /// An entry is a device, a pipe, a socket or unknown.
    public static let specialFile = ErrorCode("archive.special-file", .refused)
    /// An entry, or the directory, is encrypted.
    public static let encrypted = ErrorCode("archive.encrypted", .refused)
    /// An entry is packed by another method than stored or deflate.
    public static let unknownMethod = ErrorCode("archive.unknown-method", .refused)

    // The limits.
    public static let tooManyEntries = ErrorCode("archive.too-many-entries", .refused)
    /// Larger unpacked than allowed.
    public static let tooLarge = ErrorCode("archive.too-large", .refused)
    /// So much larger unpacked than packed as only a bomb is.
    public static let tooDense = ErrorCode("archive.too-dense", .refused)
    public static let tooDeep = ErrorCode("archive.too-deep", .refused)
    public static let nameTooLong = ErrorCode("archive.name-too-long", .refused)

    // The contents.
    /// An entry's bytes are not what its headers promise: more, fewer, or not to be inflated.
    public static let wrongSize = ErrorCode("archive.wrong-size", .refused)
    public static let badData = ErrorCode("archive.bad-data", .refused)
    public static let wrongChecksum = ErrorCode("archive.wrong-checksum", .refused)

    // Making one.
    /// A folder without files can't be made an archive.
    public static let nothingToPack = ErrorCode("archive.nothing-to-pack", .refused)
    /// A library failed for a reason that is not the archive's, such as memory.
    public static let archiveFailed = ErrorCode("archive.failed", .failed)

    /// What whoever meets the refusal can do.
    fileprivate var archiveAdvice: String {
        switch self {
        case .noEndRecord, .badData, .wrongSize, .wrongChecksum:
            "Fetch it again; if it stays so, whoever made it has to."
        case .tooManyEntries, .tooLarge, .tooDense, .tooDeep, .nameTooLong:
            "Raise the limit in the settings only if you trust whoever made it."
        case .archiveFailed: "Try again."
        default: "Whoever made it has to pack it anew."
        }
    }
}
