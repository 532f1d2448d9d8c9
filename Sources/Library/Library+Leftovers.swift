public import StoreModel

extension Library {
    /// A directory of the library that could not be moved to the trash because the disk refused.
    ///
    /// The move is tried again later.
    enum Leftover {
        /// The staging directory of an operation that has ended, in which it prepared a pack.
        case staged(OperationID)
        /// The previous version of a pack that was removed from the directory named `folder`.
        case previous(folder: String)
    }

    /// Removes the staging directory of an operation that has ended, with all that the operation did not commit.
    ///
    /// If the operation committed a pack and could not keep the replaced version, that version becomes the previous
    /// version now. What fails is tried again when the library is read the next time, and at the next start. Does
    /// nothing if the operation has no staging directory.
    ///
    /// - Parameter emptiesTrash: whether the call also waits until the space is freed; otherwise ``emptyTrash()`` does
    ///   so later.
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

    /// Tries again to remove the library's directories that could not be removed before.
    ///
    /// The library does so before it is read, so that a reader finds it in order.
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

    /// Moves the previous version of a product whose pack is missing to the trash.
    ///
    /// If it can't be moved, this is tried again later.
    public func removePrevious(of productIdentifier: String) async {
        for folder in kinds.folders(for: productIdentifier) where await !removePrevious(folder) {
            leftovers.append(.previous(folder: folder))
        }
    }

    /// Moves the previous version of a pack that was removed to the trash.
    ///
    /// If a pack is in `folder` again, nothing is moved: the previous version is that pack's.
    ///
    /// - Returns: `false` if the disk refuses; `true` also if there is no previous version.
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
