import FoundationEssentials
import StoreModel
import Synchronization
import Testing

@testable import StoreEvents

/// Tests the values of the bus, without threads and files.
@Suite struct EventValueTests {
    private func event(_ sequence: UInt64) -> EncodedEvent {
        EncodedEvent(Event(sequence: sequence, time: .distantPast, happening: .catalogue(store: "s")))
    }

    private func status(_ id: String, _ state: DownloadState, received: Int = 0) -> DownloadStatus {
        DownloadStatus(
            operation: OperationID(rawValue: id), action: .install, productIdentifier: id, store: "s", state: state,
            activity: state == .downloading ? .transferring : nil, bytesReceived: received)
    }

    /// Returns the events of one download: a state change, then progress.
    private func transfer(_ id: String, from first: UInt64, count: UInt64) -> [EncodedEvent] {
        var events: [EncodedEvent] = []
        for sequence in first..<first + count {
            let happening = Event.Happening.download(status(id, .downloading, received: Int(sequence)))
            events.append(
                EncodedEvent(
                    Event(sequence: sequence, time: .distantPast, happening: happening), after: events.last))
        }
        return events
    }

    // MARK: Sequence numbers

    @Test func `the next block is due exactly once, when half of the previous one is used`() {
        var sequence = EventSequence(firstBlock: 10..<20, blockSize: 10)
        #expect(sequence.last == 9)
        var due: [UInt64] = []
        for _ in 0..<9 {
            let number = sequence.allocate()
            if sequence.beginReservation() { due.append(number ?? 0) }
        }
        #expect(due == [14])
        // The last number of a block is the cursor of those that begin with the next block.
        #expect(sequence.allocate() == nil && sequence.last == 18)
        sequence.endReservation(nil)
        #expect(sequence.allocate() == nil && sequence.beginReservation())
        sequence.endReservation(100..<110)
        #expect(sequence.allocate() == 100 && sequence.last == 100)
    }

    // MARK: Replay

    @Test func `the replay buffer evicts the oldest events and raises its retention floor`() {
        var buffer = ReplayBuffer(capacity: 3, retentionFloor: 4)
        buffer.append([event(5), event(6)])
        #expect(buffer.retentionFloor == 4 && !buffer.hasEvicted)
        #expect(buffer.events(after: 4, journaled: nil)?.map(\.sequence) == [5, 6])
        buffer.append([event(7), event(8)])
        #expect(buffer.retentionFloor == 5 && buffer.hasEvicted)
        #expect(buffer.events(after: 4, journaled: nil) == nil)
        #expect(buffer.events(after: 5, journaled: nil)?.map(\.sequence) == [6, 7, 8])
        #expect(buffer.events(after: 8, journaled: nil)?.isEmpty == true)
    }

    @Test func `the replay buffer continues the journal until it evicts`() {
        let journaled = EventJournalReader.Content(retentionFloor: 1, events: [event(2), event(3)])
        var buffer = ReplayBuffer(capacity: 2, retentionFloor: 4)
        buffer.append([event(5)])
        #expect(buffer.events(after: 2, journaled: journaled)?.map(\.sequence) == [3, 5])
        #expect(buffer.events(after: 0, journaled: journaled) == nil)
        buffer.append([event(6), event(7)])
        #expect(buffer.events(after: 2, journaled: journaled) == nil)
    }

    @Test func `replayed progress is reduced to the newest`() {
        var buffer = ReplayBuffer(capacity: 10, retentionFloor: 0)
        buffer.append(transfer("a", from: 1, count: 5) + [event(6)])
        #expect(buffer.events(after: 0, journaled: nil)?.map(\.sequence) == [1, 5, 6])
        #expect(buffer.events(after: 5, journaled: nil)?.map(\.sequence) == [6])
    }

    // MARK: Subscriptions

    @Test func `a subscription buffer keeps the newest progress and all state changes`() {
        var buffer = SubscriptionBuffer(capacity: 100)
        for event in transfer("a", from: 1, count: 30) + [event(31)] + transfer("b", from: 32, count: 30) {
            buffer.append(event)
        }
        var read: [UInt64] = []
        while let event = buffer.popFirst() { read.append(event.sequence) }
        #expect(read == [1, 30, 31, 32, 61])
        #expect(!buffer.hasOverflowed)
    }

    @Test func `a subscription buffer overflows with state changes but not with progress`() {
        var buffer = SubscriptionBuffer(capacity: 10)
        for event in transfer("a", from: 1, count: 1000) { buffer.append(event) }
        #expect(!buffer.hasOverflowed)
        // Events are read in between, so that positions differ from indices.
        #expect(buffer.popFirst()?.sequence == 1)
        for sequence in 1001...1004 { buffer.append(event(UInt64(sequence))) }
        #expect(!buffer.hasOverflowed)
        for sequence in 1005...1020 { buffer.append(event(UInt64(sequence))) }
        #expect(buffer.hasOverflowed && buffer.popFirst() == nil)
    }

    // MARK: Downloads

    @Test func `ended downloads are listed in the order of their ends, up to the capacity`() {
        var downloads = RecentDownloads(endedCapacity: 2)
        for (index, id) in ["a", "b", "c"].enumerated() {
            let running = Event(
                sequence: UInt64(index), time: .distantPast, happening: .download(status(id, .downloading)))
            downloads.apply(EncodedEvent(running))
        }
        #expect(downloads.running.map(\.productIdentifier) == ["a", "b", "c"] && downloads.ended.isEmpty)
        for id in ["c", "a", "b"] {
            let ended = Event(sequence: 9, time: .distantPast, happening: .download(status(id, .finished)))
            downloads.apply(EncodedEvent(ended))
        }
        #expect(downloads.ended.map(\.productIdentifier) == ["a", "b"] && downloads.running.isEmpty)
    }

    @Test func `the list of ended downloads and the snapshot are the same`() async throws {
        let events = try await EventBus { 1..<UInt64(1 + $0) }
        for index in 0..<EventBus.endedDownloadsCapacity + 10 {
            events.publish(.download(status("\(index)", .downloading)))
            events.publish(.download(status("\(index)", index % 2 == 0 ? .finished : .failed)))
        }
        events.publish(.download(status("running", .downloading)))
        let ended = events.endedDownloads
        #expect(ended.count == EventBus.endedDownloadsCapacity && ended.first?.productIdentifier == "10")
        #expect(events.downloadSnapshot.downloads.filter(\.state.isEnd) == ended)
        #expect(events.lastEndedDownload(of: "9") == nil)
        #expect(events.lastEndedDownload(of: "11")?.state == .failed)
    }

    @Test func `an end is listed even if no sequence number is left`() async throws {
        let gate = AsyncStream<Void>.makeStream()
        let isFirst = Mutex(true)
        let events = try await EventBus { count in
            let first = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            if first { return 1..<4 }
            for await _ in gate.stream {}
            return 100..<UInt64(100 + count)
        }
        for index in 0..<3 { events.publish(.download(status("\(index)", .finished))) }
        #expect(events.lastSequence == 2)
        #expect(events.endedDownloads.map(\.productIdentifier) == ["0", "1", "2"])
        #expect(events.lastEndedDownload(of: "2")?.state == .finished)
        gate.continuation.finish()
    }
}
