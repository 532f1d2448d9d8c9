import Algorithms
import DequeModule

/// A queue of tickets (positions of downloads) in the order of service, with at most one for each number.
///
/// A sorted deque and not a heap: nearly all tickets are added at the back and removed from the front, and a ticket
/// that leaves from the middle is found by binary search.
struct WaitQueue: Sendable {
    private(set) var tickets: Deque<Ticket> = []
    private var priorities: [Int: Int] = [:]

    var isEmpty: Bool { tickets.isEmpty }
    var count: Int { tickets.count }

    func contains(_ number: Int) -> Bool { priorities[number] != nil }

    /// Adds a ticket to the queue; returns `false`, and adds nothing, if a ticket of the same number is in it already.
    @discardableResult
    mutating func insert(_ ticket: Ticket) -> Bool {
        guard priorities[ticket.number] == nil else { return false }
        priorities[ticket.number] = ticket.priority
        tickets.insert(ticket, at: tickets.partitioningIndex { $0 > ticket })
        return true
    }

    /// Removes the ticket with a number from the queue, and returns whether it was in the queue.
    @discardableResult
    mutating func remove(_ number: Int) -> Bool {
        guard let priority = priorities.removeValue(forKey: number) else { return false }
        let ticket = Ticket(priority: priority, number: number)
        tickets.remove(at: tickets.partitioningIndex { $0 >= ticket })
        return true
    }

    /// Changes the priority of the ticket with a number, and with it the position in the queue.
    ///
    /// Does nothing if no such ticket is in the queue.
    mutating func setPriority(_ priority: Int, of number: Int) {
        if remove(number) { insert(Ticket(priority: priority, number: number)) }
    }

    /// Removes the first tickets of the queue, at most `count` of them, and returns their numbers.
    mutating func removeFirst(_ count: Int) -> [Int] {
        let first = tickets.prefix(max(0, count)).map(\.number)
        tickets.removeFirst(first.count)
        for number in first { priorities[number] = nil }
        return first
    }
}
