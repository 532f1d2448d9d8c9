import StoreLibrary
import StoreModel
import StoreSystem
import Synchronization

/// The queue of downloads whose archives are to be unpacked, of which several may be unpacked together.
///
/// A download whose turn it is takes those along that wait behind it with the same ``UnpackStep/group``, and does their work
/// with its own. If that fails, or one of them is cancelled, each of them is done alone: so one pack has no effect on
/// whether another is installed, nor on the reason why it is not.
final class UnpackQueue: Sendable {
    /// A download that waits; an object, because its request is large.
    private final class Member: Sendable {
        let step: UnpackStep
        let group: UnpackGroup?
        let ticket: Ticket
        let turn: CheckedContinuation<Turn, Never>

        init(_ step: UnpackStep, _ ticket: Ticket, _ turn: CheckedContinuation<Turn, Never>) {
            (self.step, self.ticket, self.turn) = (step, ticket, turn)
            group = step.group
        }
    }

    /// What a download does next that has waited.
    private enum Turn {
        /// Unpack, together with others; the flag cancels the work on all of them.
        case lead([Member], CancellationFlag)
        /// Nothing: another download has prepared the pack.
        case prepared(PreparedPack)
        /// Wait again, and unpack alone.
        case alone
        case cancelled
    }

    private struct State {
        /// The downloads that wait, by the numbers of their tickets.
        var waiting: [Int: Member] = [:]
        /// The flags that cancel work on several packs, by the numbers of their downloads.
        var flags: [Int: CancellationFlag] = [:]

        /// Removes the downloads whose packs are prepared together with that of `member`, in the order of their tickets.
        mutating func takeOthers(for member: Member) -> [Member] {
            guard let group = member.group else { return [] }
            var room = UnpackGroup.sizeLimit - member.step.fetched.size
            var others: [Member] = []
            for other in waiting.values.filter({ $0.group == group }).sorted(by: { $0.ticket < $1.ticket }) {
                room -= other.step.fetched.size
                if room < 0 || others.count + 1 == UnpackGroup.packLimit { break }
                others.append(other)
                waiting[other.ticket.number] = nil
            }
            return others
        }
    }

    /// The slots for unpacking archives, as many as processors and at least two.
    ///
    /// More would gain nothing, while transfers, which wait for the network, have more slots.
    private let slots = PrioritySemaphore(limit: max(2, ParallelWork.processors))
    private let blockingWork: BlockingWork
    private let state = Mutex(State())

    /// Creates a queue without downloads.
    ///
    /// - Parameter blockingWork: the queue on which archives are unpacked.
    init(_ blockingWork: BlockingWork) { self.blockingWork = blockingWork }

    /// Changes the priority of a download that waits; does nothing if it does not wait.
    func setPriority(_ priority: Int, of number: Int) { slots.setPriority(priority, of: number) }

    /// Returns whether a download waits for its turn.
    func isWaiting(_ number: Int) -> Bool { slots.isWaiting(number) }

    /// Waits for the turn of a download, and prepares its pack.
    ///
    /// When the task is cancelled, the work stops, and this function returns only when it has stopped.
    ///
    /// - Throws: as ``UnpackStep/run(ticket:)``.
    func run(_ step: UnpackStep, _ ticket: Ticket) async throws -> PreparedPack {
        switch await turn(of: step, ticket) {
        case .prepared(let pack): return pack
        case .cancelled: throw CancellationError()
        case .alone: try await slots.acquire(ticket)
        case .lead(let others, let flag):
            if let pack = await prepare(step, ticket, with: others, flag) {
                slots.release(ticket.number)
                return pack
            }
        }
        defer { slots.release(ticket.number) }
        let place = try await step.placement()
        return try await blockingWork.runCancellable { flag in
            try UnpackStep.prepare([step], in: [place], cancellation: flag)[0]
        }
    }

    private func turn(of step: UnpackStep, _ ticket: Ticket) async -> Turn {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let member = Member(step, ticket, continuation)
                state.withLock { $0.waiting[ticket.number] = member }
                slots.acquire(ticket) { [self] isAdmitted in endWait(of: ticket.number, isAdmitted) }
                // If the task was cancelled before it was in the queue, the handler has found nothing.
                if Task.isCancelled { cancel(ticket.number) }
            }
        } onCancel: {
            cancel(ticket.number)
        }
    }

    private func cancel(_ number: Int) {
        state.withLock { $0.flags[number] }?.cancel()
        slots.cancelWait(number)
    }

    /// Ends the wait of a download that has been given a slot, or was cancelled.
    private func endWait(of number: Int, _ isAdmitted: Bool) {
        let ended: (member: Member, turn: Turn)? = state.withLock { state in
            guard let member = state.waiting.removeValue(forKey: number) else { return nil }
            guard isAdmitted else { return (member, .cancelled) }
            let (others, flag) = (state.takeOthers(for: member), CancellationFlag())
            if !others.isEmpty { for each in [member] + others { state.flags[each.ticket.number] = flag } }
            return (member, .lead(others, flag))
        }
        guard let ended else {
            // Another download has taken this one along in the meantime.
            if isAdmitted { slots.release(number) }
            return
        }
        if case .lead(let others, _) = ended.turn { for other in others { slots.cancelWait(other.ticket.number) } }
        ended.member.turn.resume(returning: ended.turn)
    }

    /// Prepares the pack of a download together with those of others.
    ///
    /// - Returns: the pack of the download; `nil` if it has to be prepared alone.
    private func prepare(
        _ step: UnpackStep, _ ticket: Ticket, with others: [Member], _ flag: CancellationFlag
    ) async -> PreparedPack? {
        if others.isEmpty { return nil }
        let steps = [step] + others.map(\.step)
        // Whose error it is becomes clear when each is done alone.
        let packs = await withTaskCancellationHandler {
            try? await prepare(steps, flag)
        } onCancel: {
            flag.cancel()
        }
        state.withLock { state in
            for number in [ticket.number] + others.map(\.ticket.number) { state.flags[number] = nil }
        }
        for (number, other) in others.enumerated() {
            other.turn.resume(returning: packs.map { .prepared($0[number + 1]) } ?? .alone)
        }
        return packs?[0]
    }

    private func prepare(_ steps: [UnpackStep], _ flag: CancellationFlag) async throws -> [PreparedPack] {
        var places: [PackPlacement] = []
        for step in steps { places.append(try await step.placement()) }
        return try await blockingWork.run { [places] in
            try flag.check()
            return try UnpackStep.prepare(steps, in: places, cancellation: flag)
        }
    }
}
