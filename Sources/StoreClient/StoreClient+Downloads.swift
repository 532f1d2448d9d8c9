import StoreAPI
public import StoreModel

extension StoreClient {
    /// What runs, and the last 1,000 that ended since the daemon's start; ``operations(of:limit:after:)`` has all.
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
    ///   - priority: among downloads that wait for their turn the higher comes first.
    ///   - rateLimit: bytes a second that it, and what it needs, may bring, each.
    ///
    /// One that runs already gets both, too; `nil` leaves them as they are.
    public func beginInstall(
        _ productIdentifier: String, store: String? = nil, consent: Set<Permission> = [], priority: Int? = nil,
        rateLimit: Int? = nil
    ) async throws -> Installation {
        let request = InstallRequest(
            productIdentifier: productIdentifier, store: store, consent: consent, priority: priority,
            rateLimit: rateLimit)
        return try await ask("POST", Resource("downloads"), body: request)
    }

    /// Begins the installation of a ZIP that lies on this machine, as if from an unsigned store.
    ///
    /// - Parameters:
    ///   - path: absolute; the daemon must be able to read it.
    ///   - consent: what somebody allowed that it may do.
    ///   - priority: as for a product.
    ///   - rateLimit: bytes a second that what it needs may bring, each.
    public func beginInstall(
        file path: String, consent: Set<Permission> = [], priority: Int? = nil, rateLimit: Int? = nil
    ) async throws -> Installation {
        let request = InstallRequest(
            productIdentifier: "", file: path, consent: consent, priority: priority, rateLimit: rateLimit)
        return try await ask("POST", Resource("downloads"), body: request)
    }

    /// Pauses the download of a product, durably: its transfer stops, and it keeps its bytes, its operation and its place
    /// in the order until ``resumeDownload(_:)``. One that is paused stays so; one of which all bytes are here finishes,
    /// as the status answered shows.
    ///
    /// - Throws: an error with the code `download.unknown` where none runs.
    public func pauseDownload(_ productIdentifier: String) async throws -> DownloadStatus {
        try await changeDownload(productIdentifier, paused: true)
    }

    /// Lets the paused download of a product go on. One that is not paused goes on anyway.
    ///
    /// - Throws: an error with the code `download.unknown` where none runs.
    public func resumeDownload(_ productIdentifier: String) async throws -> DownloadStatus {
        try await changeDownload(productIdentifier, paused: false)
    }

    /// Changes how the download of a product runs, durably; what is `nil` stays as it is.
    ///
    /// - Parameters:
    ///   - priority: among those that wait for their turn the higher comes first; those that run go on.
    ///   - rateLimit: bytes that may come in a second; 0 is without a limit of its own.
    /// - Throws: an error with the code `download.unknown` where none runs, `request.malformed` where nothing is to change.
    public func changeDownload(
        _ productIdentifier: String, paused: Bool? = nil, priority: Int? = nil, rateLimit: Int? = nil
    ) async throws -> DownloadStatus {
        let change = DownloadChangeRequest(paused: paused, priority: priority, rateLimit: rateLimit)
        return try await ask("PATCH", Resource("downloads", productIdentifier), body: change)
    }

    /// Stops the download of a product. The status that is answered may not be its end yet.
    public func cancelDownload(_ productIdentifier: String) async throws -> DownloadStatus {
        try await ask("DELETE", Resource("downloads", productIdentifier))
    }
}
