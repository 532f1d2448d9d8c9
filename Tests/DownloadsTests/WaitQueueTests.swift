import StoreTestSupport
import Testing

@testable import StoreDownloads

@Suite struct WaitQueueTests {
    @Test func `the queue is sorted and has each ticket once`() {
        var generator = SeededGenerator(seed: 7)
        var queue = WaitQueue()
        var model: [Int: Int] = [:]
        for _ in 0..<3000 {
            let (number, priority) = (
                Int.random(in: 0..<60, using: &generator), Int.random(in: -2...2, using: &generator)
            )
            switch Int.random(in: 0..<4, using: &generator) {
            case 0, 1:
                #expect(queue.insert(Ticket(priority: priority, number: number)) == (model[number] == nil))
                if model[number] == nil { model[number] = priority }
            case 2: #expect(queue.remove(number) == (model.removeValue(forKey: number) != nil))
            default:
                queue.setPriority(priority, of: number)
                if model[number] != nil { model[number] = priority }
            }
            let expected = model.map { Ticket(priority: $0.value, number: $0.key) }.sorted()
            #expect(Array(queue.tickets) == expected)
            #expect(queue.contains(number) == (model[number] != nil))
        }
        let all = queue.tickets.map(\.number)
        #expect(queue.removeFirst(2) == Array(all.prefix(2)))
        #expect(queue.removeFirst(1000) == Array(all.dropFirst(2)))
        #expect(queue.isEmpty)
        #expect(queue.removeFirst(-1) == [])
    }
}
