import StoreLibrary
import StoreModel
import Synchronization

/// The user's limit for the size of all installed packs together, which downloads that run at the same time share.
final class LibrarySpace: Sendable {
    private let library: Library
    /// The packs that are ready to be committed, with the operations that install them, in the order of their claims.
    private let claims = Mutex<[(operation: OperationID, product: String, size: Int)]>([])

    init(_ library: Library) { self.library = library }

    /// Checks that all installed packs, and those that are ready to be committed, with the one of a download do not exceed the
    /// limit.
    ///
    /// - Parameters:
    ///   - size: the size of the new pack in bytes, which replaces that of the installed version.
    ///   - limit: the maximum size of all packs together in bytes; `nil` is unlimited.
    /// - Throws: `space.library-limit`.
    func require(_ size: Int, for request: DownloadRequest, limit: Int?) async throws {
        guard let limit else { return }
        let product = request.product.productIdentifier
        // The claims first: a pack that is committed in between is in both lists then, and not in neither. Later claims do not
        // count, so that of two packs that are ready at the same time the first is installed.
        var sizes = claims.withLock { claims in
            let earlier = claims.prefix { $0.operation != request.operation }
            return Dictionary(earlier.map { ($0.product, $0.size) }) { max($0, $1) }
        }
        sizes[product] = size
        let packs = try await library.all()
        // The store states the size of the new pack, so that the sum may overflow.
        let total =
            (packs.filter { sizes[$0.productIdentifier] == nil }.map(\.size) + sizes.values).checkedSum ?? .max
        guard total > limit else { return }
        throw StoreError(.libraryTooLarge, ["product": product, "size": .size(total), "limit": .size(limit)])
    }

    /// Checks the limit as ``require(_:for:limit:)`` does, for a pack that is ready to be committed, and counts the pack until
    /// ``release(_:)``.
    func claim(_ size: Int, for request: DownloadRequest, limit: Int?) async throws {
        // Before the check, which counts earlier claims.
        claims.withLock { $0.append((request.operation, request.product.productIdentifier, size)) }
        do {
            try await require(size, for: request, limit: limit)
        } catch {
            release(request.operation)
            throw error
        }
    }

    /// Forgets the pack of an operation, which is installed or will not be.
    func release(_ operation: OperationID) { claims.withLock { $0.removeAll { $0.operation == operation } } }
}
