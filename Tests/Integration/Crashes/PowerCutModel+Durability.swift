/// What is durable after a number of recorded calls.
extension PowerCutModel {
    /// Returns the number of steps whose changes of names are durable together, by the last sync of everything.
    func syncedCompletely(before end: Int) -> Int {
        steps[..<end].lastIndex { if case .syncAll = $0 { true } else { false } } ?? 0
    }

    /// Returns the number of steps whose changes of names a journal contains.
    ///
    /// A sync writes the journal up to the last change of its file or directory; without such a change, it writes nothing.
    func journaled(before end: Int) -> Int {
        var journaled = syncedCompletely(before: end)
        for index in journaled..<max(journaled, end) {
            guard case .sync(let node, isBytesOnly: false) = steps[index],
                let change = changedNodes[..<index].lastIndex(where: { $0.contains(node) })
            else { continue }
            journaled = max(journaled, change + 1)
        }
        return journaled
    }

    /// Returns the changes of names between a transaction and `end` that the log of synced inodes contains.
    ///
    /// - Parameter transaction: the number of steps that the last transaction contains.
    func logged(since transaction: Int, before end: Int) -> Set<Int> {
        var logged: Set<Int> = []
        for sync in transaction..<max(transaction, end) {
            guard case .sync(let node, isBytesOnly: false) = steps[sync] else { continue }
            // The inodes whose names are in the log: with a directory those of its entries, with a name those of the
            // directory that contains it last.
            var named = [node]
            var known: Set<Int> = [node]
            func add(_ others: [Int]) { named += others.filter { known.insert($0).inserted } }
            for index in transaction..<sync where steps[index].folders.contains(node) {
                logged.insert(index)
                add(steps[index].nodes)
            }
            while let next = named.popLast() {
                let changes = (transaction..<sync).filter { steps[$0].nodes.contains(next) }
                logged.formUnion(changes)
                if let last = changes.last { add(steps[last].destinations + steps[last].nodes) }
            }
        }
        return logged
    }

    /// Returns the changes of names up to `end` that neither a sync of their directories nor one of everything covers.
    func uncovered(before end: Int) -> [Int] {
        // Durable are also directories that were synced later, and files and directories that a durable change refers
        // to, together with the changes that made that possible.
        var covered: Set<Int> = []
        var found: Set<Int> = []
        var uncovered: [Int] = []
        for index in (0..<end).reversed() {
            switch steps[index] {
            case .syncAll: return uncovered.reversed()
            case .sync(let node, _): covered.insert(node)
            case let step where step.isName:
                if covered.isDisjoint(with: step.folders), found.isDisjoint(with: step.nodes) {
                    uncovered.append(index)
                } else {
                    found.formUnion(step.nodes)
                }
            default: break
            }
        }
        return uncovered.reversed()
    }
}
