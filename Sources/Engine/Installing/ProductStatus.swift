import StoreDownloads
import StoreLibrary
import StoreModel

/// What runs and what is installed for one product, looked up once at the begin of a request.
struct ProductStatus: Sendable {
    let productIdentifier: String
    /// The running download; `nil` where none runs.
    let download: DownloadStatus?
    /// The pack in the product's directory, whoever put it there; `nil` where there is none.
    let pack: LibraryPack?

    /// The store that the installed pack came from.
    var origin: String? { pack?.origin?.store }
}
