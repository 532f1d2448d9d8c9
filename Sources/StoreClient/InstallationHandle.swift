public import StoreModel

/// A handle of an installation that was requested from the daemon, with its progress and its result.
public struct InstallationHandle {
    /// The identifier of the product that is installed.
    public let productIdentifier: String
    /// The daemon's response to the request to install.
    public let installation: Installation
    /// The statuses of the installation's download from now to its end; empty where there is nothing to download.
    ///
    /// The last element is the final status. The sequence can be iterated once.
    public let progress: DownloadProgress
    private let client: StoreClient

    init(
        _ client: StoreClient, _ installation: Installation, _ productIdentifier: String, _ follower: DownloadFollower
    ) {
        self.client = client
        var follower = follower
        if let download = installation.download { follower.follow(download) }
        self.productIdentifier =
            installation.download?.productIdentifier ?? installation.pack?.productIdentifier ?? productIdentifier
        self.installation = installation
        progress = DownloadProgress(follower: follower)
    }

    /// Waits until the product is installed and returns the installed pack.
    ///
    /// It iterates ``progress``. Cancelling the waiting task leaves the download running.
    ///
    /// - Parameter report: called with each status of the download.
    /// - Throws: the error that the installation failed with; `operation.cancelled` where it was cancelled.
    public func finished(_ report: (DownloadStatus) async -> Void = { _ in }) async throws -> InstalledPack {
        for try await status in progress {
            await report(status)
            switch status.end {
            case .failed: throw status.error ?? ErrorReport(code: .unexpected, message: "The installation failed.")
            case .cancelled:
                throw ErrorReport(
                    code: .cancelled, message: "The installation of '\(productIdentifier)' was cancelled.")
            case .finished, nil: break
            }
        }
        if let pack = installation.pack { return pack }
        return try await client.pack(productIdentifier)
    }
}

/// An asynchronous sequence of the statuses of one download, in order.
public struct DownloadProgress: AsyncSequence {
    let follower: DownloadFollower
    public func makeAsyncIterator() -> DownloadFollower { follower }
}

extension StoreClient {
    /// Installs a product, or joins the download that installs it already.
    ///
    /// - Parameters:
    ///   - store: the store to install the product from; `nil` is the store of highest priority that offers it.
    ///   - consent: the permissions that the user grants the product and its dependencies. Where more are needed, the
    ///     error has the code `consent.needed` and lists them in `permissions`.
    ///   - priority: waiting downloads with a higher priority start first. `nil` is 0, and leaves the priority of a
    ///     running download unchanged.
    public func install(
        _ productIdentifier: String, store: String? = nil, consent: Consent = [], priority: Int? = nil
    ) async throws -> InstallationHandle {
        let follower = try await follower(product: productIdentifier)
        let installation = try await beginInstall(productIdentifier, store: store, consent: consent, priority: priority)
        return InstallationHandle(self, installation, productIdentifier, follower)
    }
}
