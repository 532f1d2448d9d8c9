import Synchronization

/// A counting semaphore that admits waiting downloads by the priority of their tickets.
///
/// Downloads are called tasks here. A task that holds a slot is never preempted by one of higher priority.
final class PrioritySemaphore: Sendable {
    private struct State {
        var limit: Int
        /// The numbers of the tasks (downloads) that hold a slot of the semaphore.
        var holders: Set<Int> = []
        var queue = WaitQueue()
        /// The queued tasks (downloads) that have called ``PrioritySemaphore/acquire(_:)`` and wait for a slot.
        ///
        /// The other queued tasks have only reserved a ticket.
        var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]
        /// The tasks that hold a slot of the semaphore but have not called ``PrioritySemaphore/acquire(_:)`` yet.
        ///
        /// They were admitted on a reserved ticket.
        var reserved: Set<Int> = []
    }
    private let state: Mutex<State>

    /// Creates a semaphore with all slots free.
    ///
    /// - Parameter limit: the number of slots; less than 1 counts as 1.
    init(limit: Int) { state = Mutex(State(limit: max(1, limit))) }

    /// Changes the semaphore's number of slots, at least 1.
    ///
    /// Tasks that hold a slot keep it, even if there are fewer slots now.
    func setLimit(_ limit: Int) {
        state.withLock { $0.limit = max(1, limit) }
        admit()
    }

    /// Whether more packs are likely to be ready soon: tasks wait for a slot, or at least ``many`` hold one.
    ///
    /// A pack that is ready can then share the syncs of its commit with others.
    var isBusy: Bool { state.withLock { !$0.queue.isEmpty || $0.holders.count >= Self.many } }

    /// The number of tasks with a slot from which on others are expected soon.
    ///
    /// Fewer are what a person chooses one by one, and watches.
    private static let many = 4

    /// Reserves tickets, positions in the wait queue, for tasks that will acquire a slot of the semaphore later.
    ///
    /// No task is admitted before all tickets are in the queue, so that the order does not depend on which task runs
    /// first. Each task must ``acquire(_:)`` or ``release(_:)`` afterwards.
    func reserve(_ tickets: [Ticket]) {
        state.withLock { state in
            for ticket in tickets { state.queue.insert(ticket) }
        }
        admit()
    }

    /// Waits for a slot of the semaphore, which the caller must give back with ``release(_:)``.
    ///
    /// - Throws: `CancellationError` if the calling Swift task is cancelled while it waits; it holds no slot then.
    func acquire(_ ticket: Ticket) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isAdmitted = state.withLock { state in
                    if state.reserved.remove(ticket.number) != nil { return true }
                    state.queue.insert(ticket)
                    state.waiting[ticket.number] = continuation
                    return false
                }
                if isAdmitted { return continuation.resume() }
                admit()
                // If the task was cancelled before it was in the queue, the handler has found nothing.
                if Task.isCancelled { cancelWait(ticket.number) }
            }
        } onCancel: {
            cancelWait(ticket.number)
        }
    }

    /// Releases the semaphore's slot or the reserved ticket of the task with a number, if it has one.
    func release(_ number: Int) {
        state.withLock { state in
            state.queue.remove(number)
            state.reserved.remove(number)
            state.holders.remove(number)
        }
        admit()
    }

    /// Changes the priority of the task with a number in the wait queue; does nothing if the task does not wait.
    func setPriority(_ priority: Int, of number: Int) {
        state.withLock { $0.queue.setPriority(priority, of: number) }
    }

    /// Returns whether the task with a number has called ``acquire(_:)`` and waits for a slot of the semaphore.
    func isWaiting(_ number: Int) -> Bool { state.withLock { $0.waiting[number] != nil } }

    private func cancelWait(_ number: Int) {
        let continuation = state.withLock { state in
            let continuation = state.waiting.removeValue(forKey: number)
            if continuation != nil { state.queue.remove(number) }
            return continuation
        }
        continuation?.resume(throwing: CancellationError())
    }

    private func admit() {
        let admitted = state.withLock { state in
            let numbers = state.queue.removeFirst(state.limit - state.holders.count)
            state.holders.formUnion(numbers)
            return numbers.compactMap { number in
                let continuation = state.waiting.removeValue(forKey: number)
                if continuation == nil { state.reserved.insert(number) }
                return continuation
            }
        }
        for continuation in admitted { continuation.resume() }
    }
}
