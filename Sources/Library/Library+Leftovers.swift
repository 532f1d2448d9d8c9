public import StoreModel

extension Library {
    /// Something that could not be removed because the disk refused, and is tried again.
    enum Leftover {
        /// The staging directory of an operation that has ended.
        case staged(OperationID)
        /// The previous version of a pack that is gone.
        case previous(folder: String)
    }

    /// Removes what an operation staged and did not commit.
    ///
    /// Where it did commit but could not keep the previous version, that is tried again. What fails now is tried again
    /// when the library is read the next time, and at the next start.
    ///
    /// - Parameter emptiesTrash: whether the call also waits until the space is given back; else ``emptyTrash()`` does so
    ///   later.
    public func discard(_ operation: OperationID, emptiesTrash: Bool = true) async {
        let folders = folders
        // Most often there is nothing, which need not wait for other work.
        if let isThere = try? folders.staging.status(of: operation.rawValue) != nil, !isThere { return }
        do {
            let hasRemoved = try await disk.run { try Recovery(folders: folders).run(operation) }
            if hasRemoved, emptiesTrash { await emptyTrash() }
        } catch {
            leftovers.append(.staged(operation))
        }
    }

    /// Tries again to remove what could not be removed before, so that a reader finds the library in order.
    func removeLeftovers() async {
        let pending = leftovers
        leftovers = []
        for leftover in pending {
            switch leftover {
            case .staged(let operation): await discard(operation)
            case .previous(let folder):
                if await removePrevious(folder) { await emptyTrash() } else { leftovers.append(leftover) }
            }
        }
    }

    /// Removes the previous version of a pack that is gone.
    ///
    /// - Returns: `false` where the disk refuses.
    func removePrevious(_ folder: String) async -> Bool {
        let folders = folders
        return await
            (try? disk.run {
                // A pack that was installed meanwhile has removed it, or has a previous version of its own.
                guard try folders.packs.status(of: folder) == nil else { return true }
                try PreviousVersions(folders: folders).remove(folder)
                return true
            }) ?? false
    }
}
