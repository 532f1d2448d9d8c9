public import StoreAPI
public import StoreModel
import StoreSystem

extension StoreClient {
    /// Returns the statuses of the running downloads and of the last 1,000 that ended since the daemon's start.
    ///
    /// ``operations(of:limit:after:)`` also returns older ones.
    public func downloads() async throws -> [DownloadStatus] {
        try await get(Resource("downloads"), as: DownloadList.self).downloads
    }

    /// Returns the status of the newest download of the product with this identifier.
    ///
    /// - Throws: an error with the code `download.unknown` where there is none.
    public func download(_ productIdentifier: String) async throws -> DownloadStatus {
        try await get(Resource("downloads", productIdentifier))
    }

    /// Begins an installation and returns without waiting for its end; ``install(_:store:)`` reports its progress.
    ///
    /// - Parameters:
    ///   - consent: the permissions that the user granted to the product and its dependencies.
    ///   - agreed: the ``StoreModel/ChangePlan/agreement`` of the plan that the user agreed to; nothing else is done, or
    ///     the error `conflict.plan-changed` is thrown. `nil` does whatever is needed.
    ///   - priority: the priority in the wait queue; downloads with a higher one start first.
    ///   - rateLimit: the maximum rate of the product and of each dependency, in bytes per second. If the product is
    ///     being downloaded already, that download gets the new priority and rate limit; `nil` leaves them unchanged.
    public func beginInstall(
        _ productIdentifier: String, store: String? = nil, consent: Consent = [], agreed: Set<String>? = nil,
        priority: Int? = nil, rateLimit: Int? = nil
    ) async throws -> Installation {
        let request = InstallRequest(
            productIdentifier: productIdentifier, store: store, consent: consent.toAll, consents: consent.wireForm,
            agreed: agreed, priority: priority, rateLimit: rateLimit)
        return try await ask("POST", Resource("downloads"), body: request)
    }

    /// Begins the installations of several products with one request, and returns without waiting for their ends.
    ///
    /// ```swift
    /// for result in try await client.beginInstalls(["org.example.cups", "org.example.cats"]) {
    ///     print(result.productIdentifier, result.error?.message ?? "is being installed")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - productIdentifiers: the products; if one can't be installed, the others are nevertheless.
    ///   - store: the store of all products; the other parameters are those of
    ///     ``beginInstall(_:store:consent:agreed:priority:rateLimit:)``.
    /// - Returns: the installation of each product, or the error, in the order of `productIdentifiers`.
    public func beginInstalls(
        _ productIdentifiers: [String], store: String? = nil, consent: Consent = [], agreed: Set<String>? = nil,
        priority: Int? = nil, rateLimit: Int? = nil
    ) async throws -> [InstallResult] {
        var request = BatchInstallRequest(productIdentifiers: productIdentifiers)
        (request.store, request.agreed) = (store, agreed)
        (request.consent, request.consents) = (consent.toAll, consent.wireForm)
        (request.priority, request.rateLimit) = (priority, rateLimit)
        let response: BatchInstallResponse = try await ask("POST", Resource("installations"), body: request)
        return response.results
    }

    /// Begins the installation of a ZIP file on this machine, as if it came from an unsigned store.
    ///
    /// The file is opened here and passed to the daemon open, which has a copy of it when the method returns. So the daemon
    /// needs no access to the path, such as one in the sandbox of an application, unless the pack has to be repaired.
    ///
    /// - Parameters:
    ///   - path: the file's absolute path, which also names the file's product if the archive does not.
    ///   - consent: the permissions that the user granted to the pack.
    ///   - agreed: as for ``beginInstall(_:store:consent:agreed:priority:rateLimit:)``.
    ///   - priority: the priority in the wait queue; downloads with a higher one start first.
    ///   - rateLimit: the maximum rate of each dependency, in bytes per second.
    public func beginInstall(
        file path: String, consent: Consent = [], agreed: Set<String>? = nil, priority: Int? = nil,
        rateLimit: Int? = nil
    ) async throws -> Installation {
        let request = InstallRequest(
            productIdentifier: "", file: path, consent: consent.toAll, consents: consent.wireForm, agreed: agreed,
            priority: priority, rateLimit: rateLimit)
        return try await ask("POST", Resource("downloads"), body: request, files: try await Self.opened([path]))
    }

    /// Opens files and directories of this machine, to be passed to the daemon with a request that names them in the same order.
    ///
    /// - Returns: the files up to the first that can't be opened, is neither, or is too many; an error is ignored, because the daemon
    ///   tries to open the others itself and responds with the reason if it can't.
    static func opened(_ paths: [String]) async throws -> [OpenFile] {
        guard !paths.isEmpty else { return [] }
        return try await opening.run {
            var files: [OpenFile] = []
            for path in paths.prefix(UnixSocket.fileLimit) {
                guard let file = try? OpenFile.open(path), let kind = try? file.status().kind,
                    kind == .file || kind == .folder
                else { break }
                files.append(file)
            }
            return files
        }
    }

    private static let opening = BlockingWork(label: "client.files", concurrent: true)

    /// Pauses the download of a product until ``resumeDownload(_:)``, also across restarts of the daemon.
    ///
    /// The download keeps its bytes, its operation and its ticket in the wait queue. A download whose bytes are complete
    /// is not paused and finishes, as the returned status shows.
    ///
    /// - Throws: an error with the code `download.ended` where the product's download has ended, and `download.unknown`
    ///   where there is none.
    public func pauseDownload(_ productIdentifier: String) async throws -> DownloadStatus {
        try await changeDownload(productIdentifier, paused: true)
    }

    /// Resumes the paused download of a product; a download that is not paused is not changed.
    ///
    /// - Throws: an error with the code `download.ended` where the product's download has ended, and `download.unknown`
    ///   where there is none.
    public func resumeDownload(_ productIdentifier: String) async throws -> DownloadStatus {
        try await changeDownload(productIdentifier, paused: false)
    }

    /// Changes the priority or rate limit of a product's download, also across restarts of the daemon.
    ///
    /// A value that is `nil` stays unchanged.
    ///
    /// - Parameters:
    ///   - priority: the priority in the wait queue; a running download is not interrupted.
    ///   - rateLimit: the maximum rate in bytes per second; 0 removes the download's limit.
    /// - Throws: an error with the code `download.ended` where the product's download has ended, `download.unknown` where
    ///   there is none, `request.malformed`
    ///   where no change is requested.
    public func changeDownload(
        _ productIdentifier: String, paused: Bool? = nil, priority: Int? = nil, rateLimit: Int? = nil
    ) async throws -> DownloadStatus {
        let change = DownloadChangeRequest(paused: paused, priority: priority, rateLimit: rateLimit)
        return try await ask("PATCH", Resource("downloads", productIdentifier), body: change)
    }

    /// Cancels the download of a product; the returned status may not be its final one.
    public func cancelDownload(_ productIdentifier: String) async throws -> DownloadStatus {
        try await ask("DELETE", Resource("downloads", productIdentifier))
    }
}

extension Consent {
    /// The permissions for single products, as a request has them; `nil` if there are none.
    var wireForm: [String: Set<Permission>]? { toProducts.isEmpty ? nil : toProducts }
}
