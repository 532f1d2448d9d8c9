import StoreCatalogue
import StoreDownloads
import StoreEngine
import StoreLibrary
import StoreModel
import StoreSkins
import StoreSystem
import StoreXML

// Error codes that several endpoints can return for the same reason.
extension ErrorCode {
    /// The error codes of fetching and reading a store's catalogue.
    static let ofCatalogues: [ErrorCode] = [
        .catalogueMalformed, .catalogueHashMismatch, .catalogueTooLarge, .catalogueUnsupportedFormat,
        .catalogueMissing, .catalogueBadAddress, .storeUnavailable, .storeSlow,
        .transferLocalAddress, .noSpace,
    ]
    /// The error codes with which the metadata or the catalogue of a signed store does not verify.
    static let ofTrust: [ErrorCode] = [
        .trustMalformed, .trustUnsupported, .trustSignature, .trustExpired, .trustRollback, .trustMixed,
        .trustHashMismatch, .trustTooLarge, .trustMissing, .trustUnknownTarget, .trustNoRoot, .trustPublishers,
        .trustPublisherScope, .trustStale,
    ]
    /// The error codes of finding a product in the stores by its identifier.
    static let ofProducts: [ErrorCode] =
        [.productUnknown, .productWithdrawn, .storeUnknown, .severalStores]
        // The exit code of an unavailable store depends on the reason.
        + [ExitCode.network, .refused, .space].map { ErrorCode(storeUnavailable.rawValue, $0) }
    /// The error codes with which an installation may fail before its download starts.
    static let ofInstalling: [ErrorCode] = [
        .productIncomplete, .dependencyLimit, .kindUnknown, .consentNeeded, .notPurchased, .productBusy, .otherStore,
        .packByHand,
        .kindChanged, .noSpace,
    ]
    /// The error codes of fetching a file.
    static let ofTransfers: [ErrorCode] = [
        .transferUnreachable, .transferTimeout, .transferInterrupted, .transferTooLong, .transferTooShort,
        .transferTLS, .transferHTTPStatus, .transferRedirects, .transferBadAnswer,
        .transferLocalAddress,
    ]
    /// The error codes of checking an image.
    static let ofImages: [ErrorCode] = [
        .imageUnknown, .imageDamaged, .imageTrailing, .imageTooLarge, .imageFrames, .svgActive,
    ]
    /// The error codes of checking a sticker that was fetched out of an archive, or the whole archive.
    static let ofSingleStickers: [ErrorCode] =
        ofImages + [.archiveWrongSize, .archiveBadData, .archiveWrongChecksum, .contentHashMismatch, .noSpace]
    /// The error codes of loading a skin.
    static let ofSkins: [ErrorCode] = [
        .skinMissing, .skinBadInformation, .skinTooLarge, .skinParentLoop, .skinParentMissing, .skinCompiledTooLarge,
        .xmlNotUTF8, .xmlMalformed, .xmlDoctype, .xmlEntity, .xmlTooLarge, .xmlFailed,
    ]
}
