import StoreSystem
import Testing

@Suite struct PromiseTests {
    @Test func `a promise may be resolved before and while a task waits`() async throws {
        let early = Promise<Int>()
        early.keep(1)
        early.keep(2)
        #expect(try await early.value() == 1)
        let late = Promise<Int>()
        let waiting = Task { try await late.value() }
        await Task.yield()
        late.keep(3)
        #expect(try await waiting.value == 3)
    }

    @Test func `a cancelled task stops waiting`() async {
        let never = Promise<Void>()
        let waiting = Task { try await never.value() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        never.keep(())
    }
}
