extension ErrorCode {
    // The structure of the file.
    /// The archive does not end with an end record: it is not a ZIP file, or it is truncated.
    public static let archiveNoEndRecord = ErrorCode("archive.no-end-record", .refused)
    /// Bytes follow the archive's end record and its comment.
    public static let archiveDataAfter = ErrorCode("archive.data-after", .refused)
    /// The archive has several end records, of which different readers would use different ones.
    public static let archiveSeveralEndRecords = ErrorCode("archive.several-end-records", .refused)
    /// A comment, an extra field or stored data of the archive contains the signature of a record.
    public static let archiveHiddenRecord = ErrorCode("archive.hidden-record", .refused)
    /// The ZIP64 fields of the archive contradict the plain fields, or are missing.
    public static let archiveZIP64Mismatch = ErrorCode("archive.zip64-mismatch", .refused)
    /// Parts of the archive are in other files, which is not supported.
    public static let archiveSeveralDisks = ErrorCode("archive.several-disks", .refused)
    /// The archive's central directory is not where the end record states, or is invalid.
    public static let archiveBadDirectory = ErrorCode("archive.bad-directory", .refused)
    /// Bytes precede the archive's first entry.
    public static let archiveDataBefore = ErrorCode("archive.data-before", .refused)
    /// Bytes between entries, or before the central directory, belong to no entry of the archive.
    public static let archiveDataBetween = ErrorCode("archive.data-between", .refused)
    /// Two entries of the archive share bytes.
    public static let archiveOverlap = ErrorCode("archive.overlap", .refused)
    /// A local header of the archive is missing or contradicts the central directory.
    public static let archiveHeaderMismatch = ErrorCode("archive.header-mismatch", .refused)
    /// A data descriptor of the archive is missing or contradicts the central directory.
    public static let archiveDescriptorMismatch = ErrorCode("archive.descriptor-mismatch", .refused)
    /// An extra field in the archive is invalid.
    public static let archiveBadExtraField = ErrorCode("archive.bad-extra-field", .refused)

    // The names of entries.
    /// The name of an archive entry is not valid UTF-8.
    public static let archiveNameNotUTF8 = ErrorCode("archive.name-not-utf8", .refused)
    /// The name of an archive entry contains NUL or another control character.
    public static let archiveControlCharacter = ErrorCode("archive.control-character", .refused)
    /// The name of an archive entry contains a backslash, which some readers interpret as a slash.
    public static let archiveBackslash = ErrorCode("archive.backslash", .refused)
    /// The name of an archive entry is absolute or contains `..`.
    public static let archiveTraversal = ErrorCode("archive.traversal", .refused)
    /// The name of an archive entry has a component that is empty or consists of dots, which some readers drop.
    public static let archiveEmptyNamePart = ErrorCode("archive.empty-name-part", .refused)
    /// An extra field declares a second name for an archive entry.
    public static let archiveSecondName = ErrorCode("archive.second-name", .refused)
    /// Two archive entries have the same name.
    public static let archiveDuplicateName = ErrorCode("archive.duplicate-name", .refused)
    /// The names of two archive entries differ only in case or Unicode normalization.
    public static let archiveNameCollision = ErrorCode("archive.name-collision", .refused)
    /// One path in the archive is both a file and a directory.
    public static let archiveFileAndFolder = ErrorCode("archive.file-and-folder", .refused)
    /// An archive entry is hidden, or has a name because of which other programs run or load it.
    public static let archiveHiddenName = ErrorCode("archive.hidden-name", .refused)
    /// Some systems store an archive entry under another name than its own.
    public static let archiveUnportableName = ErrorCode("archive.unportable-name", .refused)
    /// The name of an archive entry is reserved for files that the store itself writes into packs.
    public static let archiveReservedName = ErrorCode("archive.reserved-name", .refused)

    // The types of entries.
    /// An archive entry is a symbolic or hard link.
    public static let archiveLink = ErrorCode("archive.link", .refused)
    /// An archive entry is a device, a pipe, a socket or of an unknown type.
    public static let archiveSpecialFile = ErrorCode("archive.special-file", .refused)
    /// An archive entry, or the central directory, is encrypted.
    public static let archiveEncrypted = ErrorCode("archive.encrypted", .refused)
    /// An archive entry uses a compression method other than stored or deflate.
    public static let archiveUnknownMethod = ErrorCode("archive.unknown-method", .refused)

    // The limits.
    /// The archive has more entries, or a larger central directory, than allowed.
    public static let archiveTooManyEntries = ErrorCode("archive.too-many-entries", .refused)
    /// The archive has more unpacked bytes than allowed.
    public static let archiveTooLarge = ErrorCode("archive.too-large", .refused)
    /// The archive has a higher compression ratio than allowed: it may be a decompression bomb.
    public static let archiveTooDense = ErrorCode("archive.too-dense", .refused)
    /// The archive has more nested directories than allowed.
    public static let archiveTooDeep = ErrorCode("archive.too-deep", .refused)
    /// An archive entry has a longer name than allowed.
    public static let archiveNameTooLong = ErrorCode("archive.name-too-long", .refused)

    // The contents.
    /// The contents of an archive entry have another size than declared.
    public static let archiveWrongSize = ErrorCode("archive.wrong-size", .refused)
    /// The compressed data of an archive entry is invalid.
    public static let archiveBadData = ErrorCode("archive.bad-data", .refused)
    /// The contents of an archive entry have another checksum or hash than declared.
    public static let archiveWrongChecksum = ErrorCode("archive.wrong-checksum", .refused)

    // Writing.
    /// The directory to create an archive from, or the archive of a pack, contains no files that can be part of a pack.
    public static let archiveNothingToPack = ErrorCode("archive.nothing-to-pack", .refused)
    /// A library (libzip or zlib) failed for a reason that does not lie in the archive, such as too little memory.
    public static let archiveFailed = ErrorCode("archive.failed", .failed)
}

private let downloadAgain = ErrorHint(
    "download the archive again; if that does not help, report it to the pack's publisher",
    forPublisher: "create the archive again")

/// Returns the hint to raise a limit of archives by its setting.
private func raise(_ setting: String) -> ErrorHint {
    ErrorHint(
        "if you trust the publisher, raise the limit with 'storectl config set \(setting) NUMBER'",
        forPublisher: "stay within the limit, because clients reject the archive unless their users raise '\(setting)'")
}
private let packAgain = ErrorHint(
    "report it to the pack's publisher, who has to create the archive again",
    forPublisher: "create the archive again, for example with 'zip'")

extension ErrorTemplate {
    /// Context that names the ZIP archive that was rejected; argument `archive`.
    public static let archiveRejected = ErrorTemplate(
        context: "archive-rejected", "archive '{archive}' was rejected: {cause}")
    /// Context that names the file of a pack that could not be put into a ZIP archive; argument `path`.
    public static let archiveFileNotPackable = ErrorTemplate(
        context: "archive-file-not-packable", "could not pack '{path}': {cause}", hint: "rename the file")

    // The structure of the file.
    public static let archiveNotZIP = ErrorTemplate(
        .archiveNoEndRecord, "not a ZIP file, or truncated", hint: downloadAgain)
    public static let archiveIsOtherFile = ErrorTemplate(
        .archiveNoEndRecord, variant: "other-file", "not a ZIP file, but {content}", hint: packAgain)
    public static let archiveIsUnknownFile = ErrorTemplate(
        .archiveNoEndRecord, variant: "unknown-file", "not a ZIP file", hint: packAgain)
    public static let archiveShrank = ErrorTemplate(
        .archiveNoEndRecord, variant: "shrank", "the file was truncated while it was read", hint: downloadAgain)
    public static let archiveDataAfterEnd = ErrorTemplate(
        .archiveDataAfter, "there is data after the end of the ZIP archive", hint: packAgain)
    public static let archiveSeveralEndRecords = ErrorTemplate(
        .archiveSeveralEndRecords, "it has more than one end record, so its contents are ambiguous", hint: packAgain)
    public static let archiveRecordInComment = ErrorTemplate(
        .archiveHiddenRecord, "its comment contains bytes that mark a ZIP record", hint: packAgain)
    public static let archiveRecordInEntryComment = ErrorTemplate(
        .archiveHiddenRecord, variant: "entry-comment",
        "the comment of entry '{entry}' contains bytes that mark a ZIP record", hint: packAgain)
    public static let archiveRecordInExtraField = ErrorTemplate(
        .archiveHiddenRecord, variant: "extra-field", "an entry's extra field contains bytes that mark a ZIP record",
        hint: packAgain)
    public static let archiveRecordInStoredEntry = ErrorTemplate(
        .archiveHiddenRecord, variant: "stored",
        "entry '{entry}' is stored with a data descriptor, and contains bytes that mark a ZIP record", hint: packAgain)
    public static let archiveZIP64RecordMissing = ErrorTemplate(
        .archiveZIP64Mismatch, "the end record refers to a ZIP64 end record that does not exist", hint: packAgain)
    public static let archiveZIP64RecordMisplaced = ErrorTemplate(
        .archiveZIP64Mismatch, variant: "misplaced", "there is no ZIP64 end record before its locator", hint: packAgain)
    public static let archiveZIP64LocatorMismatch = ErrorTemplate(
        .archiveZIP64Mismatch, variant: "locator",
        "the ZIP64 end record is not at the position that its locator states",
        hint: packAgain)
    public static let archiveEndRecordsDiffer = ErrorTemplate(
        .archiveZIP64Mismatch, variant: "end-records", "the end record and the ZIP64 end record contradict each other",
        hint: packAgain)
    public static let archiveZIP64FieldMissing = ErrorTemplate(
        .archiveZIP64Mismatch, variant: "field-missing", "an entry refers to a ZIP64 extra field that does not exist",
        hint: packAgain)
    public static let archiveZIP64FieldInvalid = ErrorTemplate(
        .archiveZIP64Mismatch, variant: "field-invalid", "the ZIP64 extra field of an entry is invalid",
        hint: packAgain)
    public static let archiveSeveralDisks = ErrorTemplate(
        .archiveSeveralDisks, "it is one volume of a multi-volume archive", hint: packAgain)
    public static let archiveEntriesMissing = ErrorTemplate(
        .archiveBadDirectory, "the central directory has fewer entries than the end record states", hint: packAgain)
    public static let archiveEntriesUnexpected = ErrorTemplate(
        .archiveBadDirectory, variant: "unexpected",
        "the central directory has more entries than the end record states", hint: packAgain)
    public static let archiveEntryTruncated = ErrorTemplate(
        .archiveBadDirectory, variant: "truncated", "an entry extends past the end of the central directory",
        hint: packAgain)
    public static let archiveDirectoryMisplaced = ErrorTemplate(
        .archiveBadDirectory, variant: "misplaced", "the central directory extends past the end record",
        hint: packAgain)
    public static let archiveDataBeforeEntries = ErrorTemplate(
        .archiveDataBefore, "there is data before the first entry", hint: packAgain)
    public static let archiveDataBeforeEmptyDirectory = ErrorTemplate(
        .archiveDataBefore, variant: "empty", "it has no entries, but there is data before the central directory",
        hint: packAgain)
    public static let archiveDataBeforeEntry = ErrorTemplate(
        .archiveDataBetween, "there is data before entry '{entry}' that belongs to no entry", hint: packAgain)
    public static let archiveDataAfterEntry = ErrorTemplate(
        .archiveDataBetween, variant: "after-entry", "there is data after entry '{entry}' that belongs to no entry",
        hint: packAgain)
    public static let archiveDataAfterEntries = ErrorTemplate(
        .archiveDataBetween, variant: "after-entries",
        "there is data between the last entry and the central directory", hint: packAgain)
    public static let archiveDataAfterDirectory = ErrorTemplate(
        .archiveDataBetween, variant: "after-directory",
        "there is data between the central directory and the end record", hint: packAgain)
    public static let archiveEntriesOverlap = ErrorTemplate(
        .archiveOverlap, "entry '{entry}' overlaps another entry", hint: packAgain)
    public static let archiveEntryOverlapsDirectory = ErrorTemplate(
        .archiveOverlap, variant: "directory", "entry '{entry}' extends into the central directory", hint: packAgain)
    public static let archiveHeaderMissing = ErrorTemplate(
        .archiveHeaderMismatch, "there is no local header at the position that the central directory states",
        hint: packAgain)
    public static let archiveHeaderTruncated = ErrorTemplate(
        .archiveHeaderMismatch, variant: "truncated", "the local header of an entry extends past the end of the file",
        hint: packAgain)
    public static let archiveHeadersDiffer = ErrorTemplate(
        .archiveHeaderMismatch, variant: "different",
        "entry '{entry}' has a different {field} in its local header than in the central directory", hint: packAgain)
    public static let archiveDescriptorMissing = ErrorTemplate(
        .archiveDescriptorMismatch, "the data descriptor of entry '{entry}' is missing or has the wrong length",
        hint: packAgain)
    public static let archiveDescriptorTruncated = ErrorTemplate(
        .archiveDescriptorMismatch, variant: "shrank", "the file was truncated while it was read", hint: downloadAgain)
    public static let archiveDescriptorWithoutSignature = ErrorTemplate(
        .archiveDescriptorMismatch, variant: "signature", "the data descriptor of entry '{entry}' has no signature",
        hint: packAgain)
    public static let archiveDescriptorDiffers = ErrorTemplate(
        .archiveDescriptorMismatch, variant: "different",
        "the data descriptor of entry '{entry}' differs from the central directory", hint: packAgain)
    public static let archiveExtraFieldTruncated = ErrorTemplate(
        .archiveBadExtraField, "an extra field of an entry is shorter than its header states", hint: packAgain)
    public static let archiveExtraFieldTrailing = ErrorTemplate(
        .archiveBadExtraField, variant: "trailing", "there is data after the extra fields of an entry", hint: packAgain)
    public static let archiveZIP64FieldTwice = ErrorTemplate(
        .archiveBadExtraField, variant: "zip64", "an entry has two ZIP64 extra fields", hint: packAgain)
    public static let archiveUnicodeNameInvalid = ErrorTemplate(
        .archiveBadExtraField, variant: "unicode-path",
        "the Unicode Path extra field of an entry is invalid or occurs twice",
        hint: packAgain)
    public static let archiveUnixFieldTooShort = ErrorTemplate(
        .archiveBadExtraField, variant: "unix", "the Unix extra field of an entry is too short", hint: packAgain)
    public static let archiveAttributesTooShort = ErrorTemplate(
        .archiveBadExtraField, variant: "attributes", "the extra field with the attributes of an entry is too short",
        hint: packAgain)

    // The names of entries.
    public static let archiveNameNotUTF8 = ErrorTemplate(
        .archiveNameNotUTF8, "the name '{entry}' is not valid UTF-8", hint: packAgain)
    public static let archiveNameWithControlCharacter = ErrorTemplate(
        .archiveControlCharacter, "the name '{entry}' contains a control character", hint: packAgain)
    public static let archiveNameWithBackslash = ErrorTemplate(
        .archiveBackslash, "the name '{entry}' contains a backslash", hint: packAgain)
    public static let archiveEntryOutside = ErrorTemplate(
        .archiveTraversal, "the name '{entry}' leads outside the target directory", hint: packAgain)
    public static let archiveNameWithEmptyComponent = ErrorTemplate(
        .archiveEmptyNamePart, "the name '{entry}' has a component that is empty or consists of dots",
        hint: packAgain)
    public static let archiveSecondName = ErrorTemplate(
        .archiveSecondName, "entry '{entry}' has a second, different name '{other}' in an extra field", hint: packAgain)
    public static let archiveDuplicateName = ErrorTemplate(
        .archiveDuplicateName, "entry '{entry}' occurs twice", hint: packAgain)
    public static let archiveNameCollision = ErrorTemplate(
        .archiveNameCollision, "'{entry}' and '{other}' differ only in case or Unicode normalization",
        hint: packAgain)
    public static let archiveFileAndDirectory = ErrorTemplate(
        .archiveFileAndFolder, "'{entry}' is both a file and a directory", hint: packAgain)
    public static let archiveDirectoryWithContents = ErrorTemplate(
        .archiveFileAndFolder, variant: "contents", "entry '{entry}' is a directory, but has data like a file",
        hint: packAgain)
    public static let archiveHiddenName = ErrorTemplate(
        .archiveHiddenName, "entry '{entry}' is hidden, or has a name because of which other programs run or load it",
        hint: packAgain)
    public static let archiveNameUnportable = ErrorTemplate(
        .archiveUnportableName,
        "on Windows, '{entry}' names another file: a component ends in a dot or a space, or contains ':$'",
        hint: packAgain)
    public static let archiveReservedName = ErrorTemplate(
        .archiveReservedName, "the name '{name}' at the root of a pack is reserved", hint: packAgain)

    // The types of entries.
    public static let archiveEntryIsLink = ErrorTemplate(.archiveLink, "entry '{entry}' is a link", hint: packAgain)
    public static let archiveEntryIsSpecial = ErrorTemplate(
        .archiveSpecialFile, "entry '{entry}' is neither a file nor a directory", hint: packAgain)
    public static let archiveEntryEncrypted = ErrorTemplate(
        .archiveEncrypted, "entry '{entry}' is encrypted", hint: packAgain)
    public static let archiveMethodUnsupported = ErrorTemplate(
        .archiveUnknownMethod,
        "entry '{entry}' has an unsupported compression method; only 'stored' and 'deflated' are supported",
        hint: packAgain)
    public static let archiveVersionUnsupported = ErrorTemplate(
        .archiveUnknownMethod, variant: "version",
        "entry '{entry}' requires version {version} of the ZIP format, which is not supported",
        hint: packAgain)

    // The limits.
    public static let archiveTooManyEntries = ErrorTemplate(
        .archiveTooManyEntries, "it has {count} entries; the limit is {limit}",
        hint: raise("archives.maximumEntries"))
    public static let archiveDirectoryTooLarge = ErrorTemplate(
        .archiveTooManyEntries, variant: "directory", "its central directory has {size}; the limit is {limit}",
        hint: raise("archives.maximumEntries"))
    public static let archiveTooLarge = ErrorTemplate(
        .archiveTooLarge, "it unpacks to more than {limit}", hint: raise("archives.maximumUnpackedSize"))
    public static let archiveEntryTooLarge = ErrorTemplate(
        .archiveTooLarge, variant: "entry", "entry '{entry}' has {size}; the limit is {limit}")
    public static let archiveTooDense = ErrorTemplate(
        .archiveTooDense, "it unpacks to more than {limit} times its size",
        hint: raise("archives.maximumRatio"))
    public static let archiveNameTooDeep = ErrorTemplate(
        .archiveTooDeep, "the name '{entry}' has more than {limit} components",
        hint: raise("archives.maximumDepth"))
    public static let archiveDirectoryTooDeep = ErrorTemplate(
        .archiveTooDeep, variant: "directory", "directory '{path}' is more than {limit} levels deep",
        hint: "move it to a higher level, or remove it")
    public static let archivePathTooLong = ErrorTemplate(
        .archiveNameTooLong, "the name '{entry}' is longer than {limit}",
        hint: raise("archives.maximumPathLength"))
    public static let archiveNameTooLong = ErrorTemplate(
        .archiveNameTooLong, variant: "component", "the name '{entry}' has a component that is longer than {limit}",
        hint: raise("archives.maximumNameLength"))

    // The contents.
    public static let archiveWrongSize = ErrorTemplate(
        .archiveWrongSize, "entry '{entry}' does not unpack to its declared size of {size}", hint: downloadAgain)
    public static let archiveStoredSizesDiffer = ErrorTemplate(
        .archiveWrongSize, variant: "stored",
        "entry '{entry}' is stored uncompressed, but its compressed and uncompressed sizes differ", hint: packAgain)
    public static let archiveEmptyEntryWithData = ErrorTemplate(
        .archiveWrongSize, variant: "empty", "entry '{entry}' has size 0, but has compressed data", hint: packAgain)
    public static let archiveEntryShrank = ErrorTemplate(
        .archiveWrongSize, variant: "shrank", "entry '{entry}' was truncated while it was read", hint: downloadAgain)
    public static let archiveBadData = ErrorTemplate(
        .archiveBadData, "the compressed data of entry '{entry}' is invalid", hint: downloadAgain)
    public static let archiveWrongChecksum = ErrorTemplate(
        .archiveWrongChecksum, "entry '{entry}' has a wrong checksum", hint: downloadAgain)
    public static let archiveWrongHash = ErrorTemplate(
        .archiveWrongChecksum, variant: "sha256",
        "entry '{entry}' does not have the SHA-256 that the entry table states",
        hint: downloadAgain)

    public static let archiveWrongCompressedHash = ErrorTemplate(
        .archiveWrongChecksum, variant: "compressed-sha256",
        "the compressed data of entry '{entry}' do not have the SHA-256 that the entry table states",
        hint: downloadAgain)

    // Writing.
    public static let archiveNothingToPack = ErrorTemplate(
        .archiveNothingToPack, "directory '{path}' contains no files", hint: "put the files of the pack there")
    public static let archiveOnlyExcludedFiles = ErrorTemplate(
        .archiveNothingToPack, variant: "excluded", "the archive contains no files except hidden ones and litter",
        hint: packAgain)
    public static let archiveFileIsLink = ErrorTemplate(
        .archiveLink, variant: "file", "could not pack '{path}': it is a link",
        hint: "replace the link with the file itself")
    public static let archiveFileIsSpecial = ErrorTemplate(
        .archiveSpecialFile, variant: "file", "could not pack '{path}': it is neither a file nor a directory",
        hint: "remove it from the directory")
    public static let archiveNotWritten = ErrorTemplate(
        .archiveFailed, "could not write archive '{path}': {reason}", hint: "try again")
    public static let archiveOutOfMemory = ErrorTemplate(
        .archiveFailed, variant: "memory", "could not read entry '{entry}': out of memory",
        hint: "close other programs, and try again")
    public static let archiveLibraryFailed = ErrorTemplate(
        .archiveFailed, variant: "library", "the ZIP library (libzip) failed: {reason}", hint: "try again")
}
