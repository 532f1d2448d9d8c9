public import StoreModel

extension Library {
    /// What the disk refused to clear away.
    enum Leftover {
        /// What an operation that ended has left in staging.
        case staged(OperationID)
        /// The version before of a pack that is gone.
        case previous(folder: String)
    }

    /// Removes what an operation prepared and did not commit. Where it did, and could not keep the version before, that
    /// is tried again; what can't be done now is tried at the next look at the library, and at the next start.
    public func discard(_ operation: OperationID) async {
        let folders = folders
        // Nothing is the rule, and need not wait for others.
        if let isThere = try? folders.staging.status(of: operation.rawValue) != nil, !isThere { return }
        do {
            if try await disk.run({ try Recovery(folders: folders).run(operation) }) { await emptyTrash() }
        } catch {
            unsettled.append(.staged(operation))
        }
    }

    /// What the disk refused before may go now: who looks at the library finds it settled.
    func settle() async {
        let leftovers = unsettled
        unsettled = []
        for leftover in leftovers {
            switch leftover {
            case .staged(let operation): await discard(operation)
            case .previous(let folder):
                if await removePrevious(folder) { await emptyTrash() } else { unsettled.append(leftover) }
            }
        }
    }

    /// - Returns: `false` where the disk refuses; it is gone, or somebody's again, otherwise.
    func removePrevious(_ folder: String) async -> Bool {
        let folders = folders
        return await
            (try? disk.run {
                // A pack that took the place meanwhile has removed it by itself, or has one of its own.
                guard try folders.packs.status(of: folder) == nil else { return true }
                try PreviousVersions(folders: folders).remove(folder)
                return true
            }) ?? false
    }
}
