/// The position of a task (a download) in a wait queue: higher priority first, then the task that began first.
///
/// A task that stops waiting and returns to the queue has the same position as before.
struct Ticket: Sendable, Hashable, Comparable {
    var priority = 0
    /// The number of the task (a download), counted in the order in which tasks began.
    let number: Int

    static func < (a: Ticket, b: Ticket) -> Bool {
        a.priority == b.priority ? a.number < b.number : a.priority > b.priority
    }
}
