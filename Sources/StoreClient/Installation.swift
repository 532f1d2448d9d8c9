import StoreAPI
public import StoreModel

/// An installation that was asked for: begun, joined where it ran already, or found done.
public struct Installation {
    public let productIdentifier: String
    /// To ask for later; `nil` where the pack was there and nobody remembers the operation.
    public let operation: OperationID?
    /// The pack, where it was installed before.
    public let present: InstalledPack?
    /// How the download comes along, from now to its end, which is the last element. Empty where the pack was there.
    /// To be read once.
    public let progress: DownloadProgress
    private let client: StoreClient

    init(_ client: StoreClient, _ answer: InstallAnswer, _ productIdentifier: String, _ follower: DownloadFollower) {
        self.client = client
        var follower = follower
        if let download = answer.download { follower.follow(download) }
        self.productIdentifier =
            answer.download?.productIdentifier ?? answer.pack?.productIdentifier ?? productIdentifier
        operation = answer.operation
        present = answer.pack
        progress = DownloadProgress(follower: follower)
    }

    /// Waits for the end and gives the pack. Reads ``progress``, of which it tells `report` each status.
    ///
    /// - Throws: why it failed; `operation.cancelled` where somebody stopped it. Cancelling the waiting task leaves the
    ///   download running.
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
        if let present { return present }
        return try await client.pack(productIdentifier)
    }
}

/// How one download comes along; see ``Installation/progress``.
public struct DownloadProgress: AsyncSequence {
    let follower: DownloadFollower
    public func makeAsyncIterator() -> DownloadFollower { follower }
}

extension StoreClient {
    /// Installs a product, or joins the task that does.
    ///
    /// - Parameters:
    ///   - store: the store to take it from; without one, the store of highest priority that has it.
    ///   - consent: what somebody allowed that it, and what it needs, may do. Where more is asked for, the error thrown
    ///     has the code `consent.needed` and names it in `permissions`.
    ///   - priority: among downloads that wait for their turn the higher comes first; `nil` leaves that of one that runs as
    ///     it is, and else is 0.
    public func install(
        _ productIdentifier: String, store: String? = nil, consent: Set<Permission> = [], priority: Int? = nil
    ) async throws -> Installation {
        let follower = try await follower(product: productIdentifier)
        let answer = try await beginInstall(productIdentifier, store: store, consent: consent, priority: priority)
        return Installation(self, answer, productIdentifier, follower)
    }
}
