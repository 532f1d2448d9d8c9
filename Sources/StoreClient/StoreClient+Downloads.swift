public import StoreAPI
public import StoreModel

extension StoreClient {
    /// What runs, and what ended since the daemon's start.
    public func downloads() async throws -> [DownloadStatus] {
        try await get(Resource("downloads"), as: DownloadList.self).downloads
    }

    /// The newest download of a product.
    public func download(_ productIdentifier: String) async throws -> DownloadStatus {
        try await get(Resource("downloads", productIdentifier))
    }

    /// Begins an installation and does not wait. ``install(_:store:)`` is the same with its progress.
    ///
    /// - Parameters:
    ///   - consent: what somebody allowed that it, and what it needs, may do.
    ///   - rateLimit: bytes a second that it, and what it needs, may bring, each.
    public func beginInstall(
        _ productIdentifier: String, store: String? = nil, consent: Set<Permission> = [], rateLimit: Int? = nil
    ) async throws -> InstallAnswer {
        let request = InstallRequest(
            productIdentifier: productIdentifier, store: store, consent: consent, rateLimit: rateLimit)
        return try await ask("POST", Resource("downloads"), body: request)
    }

    /// Begins the installation of a ZIP that lies on this machine, as if from an unsigned store.
    ///
    /// - Parameters:
    ///   - path: absolute; the daemon must be able to read it.
    ///   - consent: what somebody allowed that it may do.
    ///   - rateLimit: bytes a second that what it needs may bring, each.
    public func beginInstall(
        file path: String, consent: Set<Permission> = [], rateLimit: Int? = nil
    ) async throws -> InstallAnswer {
        let request = InstallRequest(productIdentifier: "", file: path, consent: consent, rateLimit: rateLimit)
        return try await ask("POST", Resource("downloads"), body: request)
    }

    /// Stops the download of a product. The status that is answered may not be its end yet.
    public func cancelDownload(_ productIdentifier: String) async throws -> DownloadStatus {
        try await ask("DELETE", Resource("downloads", productIdentifier))
    }
}
