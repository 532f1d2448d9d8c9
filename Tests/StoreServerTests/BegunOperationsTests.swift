import StoreModel
import Testing

@testable import StoreServer

/// Which ends of operations a notification reports.
@Suite struct BegunOperationsTests {
    private let operations = BegunOperations()
    private let cups = OperationID(rawValue: "cups")

    init() { operations.beginReporting() }

    @Test func `nothing is kept where no desktop reports it`() {
        let operations = BegunOperations()
        operations.insert(cups)
        _ = operations.beginPresence(of: "terminal", after: 0)
        operations.beginReporting()
        #expect(!operations.remove(cups, endedAt: 5))
        operations.insert(cups, viewer: "terminal")
        #expect(operations.remove(cups, endedAt: 5))
    }

    @Test func `an end is reported once, and only of an operation that was begun`() {
        #expect(!operations.remove(cups, endedAt: 5))
        operations.insert(nil)
        operations.insert(cups)
        #expect(operations.remove(cups, endedAt: 5))
        #expect(!operations.remove(cups, endedAt: 5))
    }

    /// A program that follows the events from the fourth on.
    @Test(arguments: [(3, nil, false), (4, nil, false), (5, nil, true), (4, 4, true), (4, 5, false), (4, 6, false)])
    func `an end that the program shows that began the operation is not reported`(
        start: UInt64, end: UInt64?, isReported: Bool
    ) {
        let number = operations.beginPresence(of: "terminal", after: start)
        if let end { operations.endPresence(number, at: end) }
        operations.insert(cups, viewer: "terminal")
        #expect(operations.remove(cups, endedAt: 5) == isReported)
    }

    @Test func `programs that did not begin the operation do not count, and each that joined it does`() {
        _ = operations.beginPresence(of: "other", after: 0)
        operations.insert(cups, viewer: "terminal")
        #expect(operations.remove(cups, endedAt: 5))
        operations.insert(cups)
        #expect(operations.remove(cups, endedAt: 5))
        operations.insert(cups)
        operations.insert(cups, viewer: "other")
        #expect(!operations.remove(cups, endedAt: 5))
    }

    @Test func `of operations that a previous process began, any program counts that shows ends`() {
        operations.insertResumed([cups])
        #expect(operations.remove(cups, endedAt: 5))
        let number = operations.beginPresence(of: "terminal", after: 5)
        operations.insertResumed([cups])
        #expect(!operations.remove(cups, endedAt: 6))
        operations.endPresence(number, at: 6)
        // A request that joins it says more.
        operations.insertResumed([cups])
        operations.insert(cups, viewer: "other")
        operations.insertResumed([cups])
        _ = operations.beginPresence(of: "terminal", after: 6)
        #expect(operations.remove(cups, endedAt: 7))
    }
}
