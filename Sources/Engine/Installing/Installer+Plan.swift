import StoreDownloads
import StoreLibrary
public import StoreModel
public import StoreSystem

extension Installer {
    /// The maximum number of steps of a plan whose sizes on the disk, or texts, are looked up with a request to a store.
    ///
    /// For more of them, the plan would take longer than that is worth.
    private static let maximumLookupCount = 100

    /// Returns what the installation of products would change, without changing anything.
    ///
    /// The plan is computed like the installation itself, so that both fail for the same reasons, except for permissions
    /// that the user has not granted: these are listed.
    ///
    /// - Parameter opened: the files of the products, as far as the client has opened them, by their paths.
    /// - Returns: the plan of all products together. A product that is installed, or being downloaded, needs no step.
    /// - Throws: a file error; `CancellationError`.
    public func plan(_ products: [ChangePlan.Product], opened: [String: OpenFile] = [:]) async throws -> ChangePlan {
        var draft = PlanDraft()
        var offers: [String?: OfferLookup] = [:]
        for product in products {
            do {
                let preparation: Preparation
                if let path = product.file {
                    let local = try await readArchive(path, opened: opened[path])
                    preparation = try await prepare(local, consent: nil)
                    draft.contentSizes[local.item.productIdentifier] = local.contentSize
                } else {
                    preparation = try await prepare(
                        product.name, store: product.store, consent: nil, offers: &offers[product.store])
                }
                switch preparation {
                case .join, .present: break
                case .repair(let pack): draft.add([try await repairRequest(pack, consent: nil)])
                case .begin(let downloads):
                    draft.add(downloads.requests)
                    draft.add(warnings: downloads.warnings)
                }
            } catch let error as CancellationError {
                throw error
            } catch {
                draft.add(ErrorReport(error), of: product.name)
            }
        }
        return try await plan(draft)
    }

    /// Returns the plan of the downloads in a draft.
    ///
    /// - Parameter keptBack: the newer versions that the request leaves out.
    /// - Throws: a file error; `CancellationError`.
    func plan(_ draft: PlanDraft, keptBack: [AvailableUpdate] = []) async throws -> ChangePlan {
        let sizes = try await installedSizes(of: draft.downloads.map(\.request))
        var steps: [ChangePlan.Step] = []
        let signed = await stores.signed
        for ((request, requiredBy), size) in zip(draft.downloads, sizes) {
            let item = request.product
            let missing = await library.missingPermissions(
                asked: item.permissions, of: item.productIdentifier, kind: item.kind)
            steps.append(
                ChangePlan.Step(
                    id: try request.stepIdentifier(), action: request.action,
                    productIdentifier: item.productIdentifier, store: request.store, signed: signed[request.store],
                    kind: item.kind, name: item.productName.text(),
                    installed: try await library.pack(of: item.productIdentifier)?.version, version: item.version,
                    requiredBy: requiredBy, downloadSize: request.resource.size,
                    diskSize: size ?? draft.contentSizes[item.productIdentifier], permissions: missing.sorted()))
        }
        var plan = ChangePlan(
            steps: steps, keptBack: keptBack, failures: draft.failures, freeSpace: try? library.freeSpace(),
            warnings: draft.warnings)
        if let shortage = plan.shortage { plan.warnings.append(shortage) }
        if let excess = try await excess(of: plan) { plan.warnings.append(excess) }
        return plan
    }

    /// Returns a warning if the library will be larger than the user's limit; `nil` if not, or without a limit.
    ///
    /// A step without a known size counts as what is installed of its product.
    private func excess(of plan: ChangePlan) async throws -> String? {
        guard let limit = settings.current.libraryMaximumSize else { return nil }
        var sizes: [String: Int] = [:]
        for pack in try await library.all() { sizes[pack.productIdentifier] = pack.size }
        for step in plan.steps { sizes[step.productIdentifier] = step.diskSize ?? sizes[step.productIdentifier] }
        let total = sizes.values.checkedSum ?? .max
        guard total > limit, !plan.steps.isEmpty else { return nil }
        return EnglishText.filled(
            "the library would hold {size}, more than the limit of {limit} (setting library.maximumSize)",
            ["size": ErrorFormatter.rounded(total), "limit": ErrorFormatter.rounded(limit)])
    }

    /// Returns the sizes in bytes of the packs that downloads would install; `nil` for those that are not known.
    private func installedSizes(of requests: [DownloadRequest]) async throws -> [Int?] {
        try await lookUp("sizes", requests) { await downloads.installedSize(of: $0) }
    }

    /// Looks up something that only helps to decide about a plan, with a request to a store for each element.
    ///
    /// All requests together take at most as long as a store's catalogue may delay a plan.
    ///
    /// - Parameters:
    ///   - name: what is looked up, by which tests find the wait.
    ///   - body: looks up one element; it has to react to cancellation.
    /// - Returns: for each element what `body` returns; `nil` for those that took too long, and for all if they are too
    ///   many.
    /// - Throws: `CancellationError`.
    func lookUp<Element: Sendable, Value: Sendable>(
        _ name: String, _ elements: [Element], _ body: @escaping @Sendable (Element) async -> Value?
    ) async throws -> [Value?] {
        var values = [Value?](repeating: nil, count: elements.count)
        guard !elements.isEmpty, elements.count <= Self.maximumLookupCount else { return values }
        let (slots, limit) = (ConcurrencyLimit(8), settings.current.catalogueWaitTimeout)
        try await withThrowingTaskGroup(of: (Int, Value?)?.self) { group in
            defer { group.cancelAll() }
            group.addTask { [clock] in
                try await clock.sleep(limit, "plan \(name)")
                return nil
            }
            for (index, element) in elements.enumerated() {
                group.addTask { (index, try await slots.run { await body(element) }) }
            }
            for _ in elements {
                // The wait ends without a value: what is not known then is left out.
                guard let (index, value) = try await group.next() ?? nil else { return }
                values[index] = value
            }
        }
        try Task.checkCancellation()
        return values
    }
}

/// The downloads of a plan in the making, each product once, and what is known beside them.
struct PlanDraft {
    /// The downloads in the order in which they begin, each with the product that needs it; `nil` if it was requested.
    private(set) var downloads: [(request: DownloadRequest, requiredBy: String?)] = []
    private(set) var failures: [ChangePlan.Failure] = []
    private(set) var warnings: [String] = []
    /// The sizes in bytes of the packs of local files, by product identifier.
    var contentSizes: [String: Int] = [:]
    /// The index of each product's download.
    private var indexes: [String: Int] = [:]

    /// Adds the downloads of a product and of its missing dependencies, the product's own last.
    mutating func add(_ requests: [DownloadRequest]) {
        var needing: [String: String] = [:]
        for product in requests.reversed().map(\.product) {
            for dependency in product.dependencies where needing[dependency] == nil {
                needing[dependency] = product.productIdentifier
            }
        }
        for (position, request) in requests.enumerated() {
            let identifier = request.product.productIdentifier
            let requiredBy = position == requests.count - 1 ? nil : needing[identifier]
            if let index = indexes[identifier] {
                if requiredBy == nil { downloads[index].requiredBy = nil }
            } else {
                indexes[identifier] = downloads.count
                downloads.append((request, requiredBy))
            }
        }
    }

    /// Adds the reason why a product can't be changed.
    mutating func add(_ error: ErrorReport, of product: String) {
        failures.append(ChangePlan.Failure(productIdentifier: product, error: error))
    }

    /// Adds warnings about stores, each once.
    mutating func add(warnings new: [String]) { warnings += new.filter { !warnings.contains($0) } }
}

extension ChangePlan {
    /// A warning if the archives and the files to install need more space than is free; `nil` if not, or if unknown.
    ///
    /// The sizes that are known count: with the others, even more is needed.
    fileprivate var shortage: String? {
        guard let freeSpace else { return nil }
        let needed = steps.flatMap { [$0.downloadSize, $0.diskSize] }.compactMap(\.self).checkedSum ?? .max
        guard needed > freeSpace else { return nil }
        return EnglishText.filled(
            "there may not be enough free space: about {needed} needed, {free} free",
            ["needed": ErrorFormatter.rounded(needed), "free": ErrorFormatter.rounded(freeSpace)])
    }
}

extension DownloadRequest {
    /// Returns a text that is equal for two requests only if they install the same archive in the same way.
    ///
    /// The operation's identifier and what the user chose beside the content, such as the priority, don't count, nor do
    /// permissions, which need consent in any case.
    func stepIdentifier() throws -> String {
        let parts: [[String?]] = [
            [
                action.rawValue, product.productIdentifier, store, product.kind.rawValue, product.version?.text,
                resource.url.absoluteString, resource.size.map(String.init), resource.sha256?.hex,
            ],
            product.mirrors.map(\.absoluteString), product.dependencies,
        ]
        return SHA256Digest(of: try JSON.encode(parts)).hex
    }
}
