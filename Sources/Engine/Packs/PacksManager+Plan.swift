import StoreLibrary
public import StoreModel

extension PacksManager {
    /// Returns what the removal of packs would change, without changing anything.
    ///
    /// The plan is computed by the checks of ``uninstall(_:using:agreed:)``, so that both fail for the same reasons.
    ///
    /// - Parameters:
    ///   - identifiers: the product identifiers of the packs, which are removed together: those that need others come
    ///     first.
    ///   - successor: the identifier of the skin to apply instead, if one of the packs is the skin in use.
    /// - Returns: the plan, with the packs that nothing would need any more.
    /// - Throws: a file error; `CancellationError`.
    public func plan(removing identifiers: [String], using successor: String? = nil) async throws -> ChangePlan {
        var packs: [String: LibraryPack] = [:]
        var failures: [String: ErrorReport] = [:]
        var removed = Set(identifiers)
        let candidates = try await inOrderOfRemoval(identifiers)
        var seen = -1
        // A pack that stays may need others that would otherwise be removed. It is checked before them, unless they need each
        // other, so that few rounds suffice.
        while removed.count != seen {
            seen = removed.count
            for identifier in candidates where removed.contains(identifier) {
                try Task.checkCancellation()
                do {
                    packs[identifier] = try await requireRemovable(identifier, together: removed, using: successor)
                } catch let error as CancellationError {
                    throw error
                } catch let error as StoreError where error.code == .packMissing {
                    removed.remove(identifier)
                    // A pack whose directory is missing is only forgotten, which changes nothing that a plan shows.
                    if await lister.missingPack(identifier) == nil { failures[identifier] = ErrorReport(error) }
                } catch {
                    failures[identifier] = ErrorReport(error)
                    removed.remove(identifier)
                }
            }
        }
        let order = Self.order(identifiers.filter(removed.contains).compactMap { packs[$0] })
        let dependencies = order.flatMap { $0.origin?.dependencies ?? [] }
        let unneeded =
            dependencies.isEmpty
            ? [] : try await lister.listing().unneeded(without: removed).among(dependencies)
        return ChangePlan(
            steps: try order.map { try ChangePlan.Step(removing: $0) }, unneeded: unneeded,
            failures: identifiers.compactMap { identifier in
                failures[identifier].map { ChangePlan.Failure(productIdentifier: identifier, error: $0) }
            }, freeSpace: try? library.freeSpace())
    }

    /// Checks that the user agreed to the removal of this version of a pack.
    ///
    /// - Parameter agreed: the identifiers of the steps of the plan that the user agreed to; `nil` allows all.
    /// - Throws: `conflict.plan-changed`.
    static func require(_ agreed: Set<String>?, toRemove pack: LibraryPack) throws {
        guard let agreed, try !agreed.contains(pack.removalIdentifier()) else { return }
        throw StoreError(.planChanged, ["product": pack.productIdentifier])
    }

    /// Checks that a pack can be removed together with others.
    private func requireRemovable(
        _ identifier: String, together removed: Set<String>, using successor: String?
    ) async throws -> LibraryPack {
        let pack = try await requireRemovable(identifier, after: removed)
        guard pack.origin != nil else {
            throw StoreError(.packNotManaged, ["path": .path(library.path(of: pack))])
        }
        _ = try await requireReplaceable(pack, by: successor)
        // The kind knows nothing of other packs that are removed before this one.
        if try await dependents(on: identifier).isEmpty { try await kinds[pack.kind]?.willRemove(identifier) }
        return pack
    }

    /// Returns products in the order in which their packs are removed, those without a pack last.
    private func inOrderOfRemoval(_ identifiers: [String]) async throws -> [String] {
        let installed = Dictionary(grouping: try await library.all(), by: \.productIdentifier)
        let ordered = Self.order(identifiers.flatMap { installed[$0] ?? [] })
        return ordered.map(\.productIdentifier) + identifiers.filter { installed[$0] == nil }
    }

    /// Returns packs in an order in which none comes before one that needs it, unless they need each other.
    private static func order(_ packs: [LibraryPack]) -> [LibraryPack] {
        func dependencies(of pack: LibraryPack) -> Set<String> {
            Set(pack.origin?.dependencies ?? []).subtracting([pack.productIdentifier])
        }
        var (rest, ordered) = (packs, [LibraryPack]())
        // How many of the remaining packs need each product.
        var dependents: [String: Int] = [:]
        for pack in packs {
            for dependency in dependencies(of: pack) { dependents[dependency, default: 0] += 1 }
        }
        while !rest.isEmpty {
            let free = rest.filter { dependents[$0.productIdentifier, default: 0] == 0 }
            let next = free.isEmpty ? [rest[0]] : free
            ordered += next
            for pack in next {
                for dependency in dependencies(of: pack) { dependents[dependency, default: 0] -= 1 }
            }
            let taken = Set(next.map(\.productIdentifier))
            rest.removeAll { taken.contains($0.productIdentifier) }
        }
        return ordered
    }
}

extension LibraryPack {
    /// Returns a text that is equal for two removals only if they remove the same version of the same pack.
    ///
    /// Each installation of a version is an operation of its own.
    fileprivate func removalIdentifier() throws -> String {
        let parts = [OperationAction.uninstall.rawValue, productIdentifier, origin?.operation.rawValue]
        return SHA256Digest(of: try JSON.encode(parts)).hex
    }
}

extension ChangePlan.Step {
    /// Creates the step that removes an installed pack.
    fileprivate init(removing pack: LibraryPack) throws {
        self.init(
            id: try pack.removalIdentifier(), action: .uninstall,
            productIdentifier: pack.productIdentifier, store: pack.origin?.store, kind: pack.kind,
            name: pack.name.text(), installed: pack.version, diskSize: pack.size)
    }
}
