import Synchronization

/// A counting semaphore that admits waiting downloads by the priority of their tickets.
///
/// Downloads are called tasks here. A task that holds a slot is never preempted by one of higher priority.
final class PrioritySemaphore: Sendable {
    /// A function that is called once, when the wait for a slot is over.
    ///
    /// It must not block. Its argument is `true` if the caller holds a slot, and `false` if the wait was cancelled.
    typealias Completion = @Sendable (_ isAdmitted: Bool) -> Void

    private struct State {
        var limit: Int
        /// The numbers of the tasks (downloads) that hold a slot of the semaphore.
        var holders: Set<Int> = []
        /// The numbers of the tasks that gave back their slot and have not ended yet.
        var ending: Set<Int> = []
        var queue = WaitQueue()
        /// The completions of the queued tasks (downloads) that wait for a slot.
        ///
        /// The other queued tasks have only reserved a ticket.
        var waiting: [Int: Completion] = [:]
        /// The tasks that hold a slot of the semaphore but have not asked to acquire one yet.
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

    /// Whether more packs are likely to be ready soon: tasks will get a slot, or at least ``many`` hold one.
    ///
    /// A pack that is ready can then share the syncs of its commit with others.
    var isBusy: Bool {
        state.withLock { state in
            (!state.queue.isEmpty && state.ending.count < Self.maximumEnding) || state.holders.count >= Self.many
        }
    }

    /// The number of ending tasks from which on none is admitted.
    ///
    /// An ending task waits for the disk, and takes about ten kilobytes meanwhile. So many share its syncs; more would only
    /// gather where the disk is slower than the network.
    static let maximumEnding = 512

    /// The number of tasks with a slot from which on others are expected soon.
    ///
    /// Fewer downloads are typically started by hand, and should be committed without delay.
    private static let many = 4

    /// Reserves tickets, positions in the wait queue, for tasks that will acquire a slot of the semaphore later.
    ///
    /// No task is admitted before all tickets are in the queue, so that the order does not depend on which task runs
    /// first. Each task must acquire its slot or ``release(_:)`` the ticket afterwards.
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
                acquire(ticket) { isAdmitted in
                    continuation.resume(with: isAdmitted ? .success(()) : .failure(CancellationError()))
                }
                // If the task was cancelled before it was in the queue, the handler has found nothing.
                if Task.isCancelled { cancelWait(ticket.number) }
            }
        } onCancel: {
            cancelWait(ticket.number)
        }
    }

    /// Waits for a slot of the semaphore without a Swift task, which takes several kilobytes while it waits.
    ///
    /// - Parameter completion: called when the wait is over, perhaps before this method returns. The slot must be given back
    ///   with ``release(_:)``.
    func acquire(_ ticket: Ticket, _ completion: @escaping Completion) {
        let isAdmitted = state.withLock { state in
            if state.reserved.remove(ticket.number) != nil { return true }
            state.queue.insert(ticket)
            state.waiting[ticket.number] = completion
            return false
        }
        if isAdmitted { completion(true) } else { admit() }
    }

    /// Ends the wait of the task with a number; does nothing if the task does not wait.
    func cancelWait(_ number: Int) {
        let completion = state.withLock { state in
            let completion = state.waiting.removeValue(forKey: number)
            if completion != nil { state.queue.remove(number) }
            return completion
        }
        completion?(false)
    }

    /// Releases the semaphore's slot or the reserved ticket of the task with a number, if it has one.
    ///
    /// - Parameter isEnding: whether a task that held a slot counts as ending from now on, until this is called again without
    ///   it. While ``maximumEnding`` tasks do, no other is admitted.
    func release(_ number: Int, isEnding: Bool = false) {
        state.withLock { state in
            state.queue.remove(number)
            state.reserved.remove(number)
            let heldSlot = state.holders.remove(number) != nil
            if !isEnding {
                state.ending.remove(number)
            } else if heldSlot {
                state.ending.insert(number)
            }
        }
        admit()
    }

    /// Changes the priority of the task with a number in the wait queue; does nothing if the task does not wait.
    func setPriority(_ priority: Int, of number: Int) {
        state.withLock { $0.queue.setPriority(priority, of: number) }
    }

    /// Returns whether the task with a number has asked for a slot of the semaphore and waits for it.
    func isWaiting(_ number: Int) -> Bool { state.withLock { $0.waiting[number] != nil } }

    private func admit() {
        let admitted = state.withLock { state in
            let numbers = state.queue.removeFirst(
                min(state.limit - state.holders.count, Self.maximumEnding - state.ending.count))
            state.holders.formUnion(numbers)
            return numbers.compactMap { number in
                let completion = state.waiting.removeValue(forKey: number)
                if completion == nil { state.reserved.insert(number) }
                return completion
            }
        }
        for completion in admitted { completion(true) }
    }
}
