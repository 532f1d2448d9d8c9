public import StoreModel
import StoreSystem

extension StoreError {
    /// Whether this error means that a ZIP archive is invalid: its structure, names, limits or contents.
    ///
    /// Errors of the file system, such as a failed read, are not meant.
    public var isArchiveRejection: Bool { template == .archiveRejected }
}

/// Runs `body`, and wraps errors that mean an invalid ZIP archive in an error that contains the archive's path.
func rejecting<Value>(_ archive: OpenFile, _ body: () throws -> Value) throws -> Value {
    do {
        return try body()
    } catch let error as StoreError where ErrorCode.archiveCodes.contains(error.code) && !error.isArchiveRejection {
        throw StoreError(.archiveRejected, ["archive": .path(archive.path)], cause: error)
    }
}

extension ErrorCode {
    /// The error codes that mean that the ZIP archive itself is invalid.
    fileprivate static let archiveCodes: Set<ErrorCode> = [
        .archiveNoEndRecord, .archiveDataAfter, .archiveSeveralEndRecords, .archiveHiddenRecord,
        .archiveZIP64Mismatch, .archiveSeveralDisks, .archiveBadDirectory, .archiveDataBefore, .archiveDataBetween,
        .archiveOverlap, .archiveHeaderMismatch, .archiveDescriptorMismatch, .archiveBadExtraField,
        .archiveNameNotUTF8, .archiveControlCharacter, .archiveBackslash, .archiveTraversal, .archiveEmptyNamePart,
        .archiveSecondName, .archiveDuplicateName, .archiveNameCollision, .archiveFileAndFolder, .archiveReservedName,
        .archiveHiddenName, .archiveUnportableName, .archiveNothingToPack,
        .archiveLink, .archiveSpecialFile, .archiveEncrypted, .archiveUnknownMethod, .archiveTooManyEntries,
        .archiveTooLarge, .archiveTooDense, .archiveTooDeep, .archiveNameTooLong, .archiveWrongSize, .archiveBadData,
        .archiveWrongChecksum,
    ]
}
