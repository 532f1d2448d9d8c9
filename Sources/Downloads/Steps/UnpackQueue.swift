import StoreLibrary
import StoreModel
import StoreSystem
import Synchronization

/// The queue of downloads whose archives are to be unpacked, of which several may be unpacked in one batch.
///
/// An admitted download forms a batch with waiting downloads of the same ``UnpackStep/group`` and unpacks all of them.
/// If the batch fails or a member is cancelled, each is unpacked alone: so one pack has no effect on whether another is
/// installed, nor on the reason why it is not.
final class UnpackQueue: Sendable {
    /// A download that waits for its turn; an object, because its request is large.
    private final class Member: Sendable {
        let step: UnpackStep
        /// The group of the packs that may be prepared in one batch with its own; `nil` for none.
        let group: UnpackGroup?
        let number: Int
        let turn: CheckedContinuation<Turn, Never>

        init(_ step: UnpackStep, _ group: UnpackGroup?, _ number: Int, _ turn: CheckedContinuation<Turn, Never>) {
            (self.step, self.group, self.number, self.turn) = (step, group, number, turn)
        }
    }

    /// What a download that has waited does next.
    private enum Turn {
        /// Unpack: it holds a slot.
        case admitted
        /// Unpack a batch, with these other members: it holds a slot for all of them. The flag cancels the work.
        case lead([Member], CancellationFlag)
        /// Nothing: another download has prepared the pack.
        case prepared(PreparedPack)
        /// Wait again, and unpack alone: the batch with this pack failed, or was cancelled.
        case alone
        case cancelled
    }

    private struct State {
        let slots: Int
        /// The number of slots that no download holds.
        var free: Int
        var queue = WaitQueue()
        /// The downloads in ``queue``, by the numbers of their tickets.
        var waiting: [Int: Member] = [:]
        /// The flags that cancel batches, by the numbers of their downloads.
        var flags: [Int: CancellationFlag] = [:]
        /// New priorities of downloads that are being unpacked in a batch, by the numbers of the downloads.
        var priorities: [Int: Int] = [:]

        /// Removes and returns the next download, and the other members of its batch; `nil` if none waits, or no slot
        /// is free.
        mutating func next() -> (member: Member, turn: Turn)? {
            guard free > 0, let number = queue.removeFirst(1).first, let member = waiting.removeValue(forKey: number)
            else { return nil }
            free -= 1
            let others = takeOthers(for: member)
            if others.isEmpty { return (member, .admitted) }
            let flag = CancellationFlag()
            for each in [member] + others { flags[each.number] = flag }
            return (member, .lead(others, flag))
        }

        /// Removes and returns the other members of a download's batch, in the order of the queue.
        private mutating func takeOthers(for member: Member) -> [Member] {
            guard let group = member.group else { return [] }
            // An equal share of those that wait, so that no other slot stays empty.
            let count = min((queue.count + slots) / slots, UnpackGroup.packLimit) - 1
            var room = UnpackGroup.sizeLimit - member.step.fetched.size
            var others: [Member] = []
            for ticket in queue.tickets {
                guard others.count < count, room > 0 else { break }
                guard let other = waiting[ticket.number], other.group == group, other.step.fetched.size <= room else {
                    continue
                }
                room -= other.step.fetched.size
                others.append(other)
            }
            for other in others {
                queue.remove(other.number)
                waiting[other.number] = nil
            }
            return others
        }
    }

    private let blockingWork: BlockingWork
    private let state: Mutex<State>

    /// Creates a queue without downloads.
    ///
    /// As many are unpacked at once as there are processors, and at least two. More would gain nothing, while transfers, which
    /// wait for the network, have more slots.
    ///
    /// - Parameter blockingWork: the queue on which archives are unpacked.
    init(_ blockingWork: BlockingWork) {
        self.blockingWork = blockingWork
        let slots = max(2, ParallelWork.processors)
        state = Mutex(State(slots: slots, free: slots))
    }

    /// Changes the priority of a download, if it waits here or may wait again.
    func setPriority(_ priority: Int, of number: Int) {
        state.withLock { state in
            state.queue.setPriority(priority, of: number)
            if state.flags[number] != nil { state.priorities[number] = priority }
        }
    }

    /// Returns whether a download waits for its turn.
    func isWaiting(_ number: Int) -> Bool { state.withLock { $0.waiting[number] != nil } }

    /// Waits for the turn of a download, and prepares its pack.
    ///
    /// When the task is cancelled, the work stops, and this function returns only when it has stopped.
    ///
    /// - Throws: an error of the archive or its content; `content.hash-mismatch`; `consent.needed`; a conflict with an installed
    ///   pack; `CancellationError`.
    func run(_ step: UnpackStep, _ ticket: Ticket) async throws -> PreparedPack {
        switch await turn(of: step, step.group, ticket) {
        case .prepared(let pack): return pack
        case .admitted: break
        case .lead(let others, let flag):
            if let pack = await prepare(step, ticket.number, with: others, flag) {
                release()
                return pack
            }
        case .alone:
            var ticket = ticket
            if let priority = state.withLock({ $0.priorities.removeValue(forKey: ticket.number) }) {
                ticket.priority = priority
            }
            guard case .admitted = await turn(of: step, nil, ticket) else { throw CancellationError() }
        case .cancelled: throw CancellationError()
        }
        defer { release() }
        let place = try await step.placement()
        return try await blockingWork.runCancellable { flag in
            try step.prepare(in: place, cancellation: flag)
        }
    }

    // MARK: Waiting

    private func turn(of step: UnpackStep, _ group: UnpackGroup?, _ ticket: Ticket) async -> Turn {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let member = Member(step, group, ticket.number, continuation)
                state.withLock { state in
                    state.waiting[ticket.number] = member
                    state.queue.insert(ticket)
                }
                admit()
                // If the task was cancelled before it was in the queue, the handler has found nothing.
                if Task.isCancelled { cancel(ticket.number) }
            }
        } onCancel: {
            cancel(ticket.number)
        }
    }

    /// Cancels a download: ends its wait, or the work on the packs that are being prepared together with its own.
    private func cancel(_ number: Int) {
        let member = state.withLock { state in
            state.flags[number]?.cancel()
            state.queue.remove(number)
            return state.waiting.removeValue(forKey: number)
        }
        member?.turn.resume(returning: .cancelled)
    }

    private func admit() {
        while let (member, turn) = state.withLock({ $0.next() }) { member.turn.resume(returning: turn) }
    }

    private func release() {
        state.withLock { $0.free += 1 }
        admit()
    }

    // MARK: Several packs

    /// Prepares the pack of a download together with those of others.
    ///
    /// - Returns: the pack of the download; `nil` if each has to be prepared alone.
    private func prepare(
        _ step: UnpackStep, _ number: Int, with others: [Member], _ flag: CancellationFlag
    ) async -> PreparedPack? {
        let steps = [step] + others.map(\.step)
        // Whose error it is becomes clear when each is done alone.
        let packs = await withTaskCancellationHandler {
            try? await prepare(steps, flag)
        } onCancel: {
            flag.cancel()
        }
        state.withLock { state in
            for each in [number] + others.map(\.number) { state.flags[each] = nil }
            if packs != nil { for other in others { state.priorities[other.number] = nil } }
            state.priorities[number] = nil
        }
        for (index, other) in others.enumerated() {
            other.turn.resume(returning: packs.map { .prepared($0[index + 1]) } ?? .alone)
        }
        return packs?[0]
    }

    private func prepare(_ steps: [UnpackStep], _ flag: CancellationFlag) async throws -> [PreparedPack] {
        var places: [PackPlacement] = []
        for step in steps { places.append(try await step.placement()) }
        return try await blockingWork.run { [places] in
            try flag.check()
            return try UnpackStep.prepareBatch(steps[...], in: places[...], cancellation: flag)
        }
    }
}
