import Synchronization

/// The skin in use, for all to read, and those who wait for it to change.
final class CurrentSkin: Sendable {
    private let state: Mutex<State>

    private struct State {
        var skin: ResolvedSkin
        var status: SkinStatus
        var generation = 0
        /// The generation in which each identifier changed last: whoever has seen one knows from it all that is new.
        var changedIn: [String: Int] = [:]
        var bells: [Int: AsyncStream<Void>.Continuation] = [:]
        var lastBell = 0
    }

    init(_ skin: ResolvedSkin) {
        state = Mutex(State(skin: skin, status: SkinStatus(chosen: nil, chain: [], problem: nil)))
    }

    deinit {
        for bell in state.withLock({ $0.bells.values }) { bell.finish() }
    }

    var skin: ResolvedSkin { state.withLock { $0.skin } }
    var status: SkinStatus { state.withLock { $0.status } }

    /// - Parameter identifiers: that the skin says something else for than the one before.
    func set(_ skin: ResolvedSkin, _ status: SkinStatus, changed identifiers: [String]) {
        let bells = state.withLock { state in
            state.skin = skin
            guard state.status != status || !identifiers.isEmpty else { return [] as [AsyncStream<Void>.Continuation] }
            state.status = status
            state.generation += 1
            for identifier in identifiers { state.changedIn[identifier] = state.generation }
            return Array(state.bells.values)
        }
        for bell in bells { bell.yield() }
    }

    func change(since generation: Int) -> (SkinChange, Int)? {
        state.withLock { state in
            guard state.generation > generation else { return nil }
            let changed = state.changedIn.filter { $0.value > generation }.map(\.key).sorted { $0.isBefore($1) }
            return (SkinChange(status: state.status, skin: state.skin, identifiers: changed), state.generation)
        }
    }

    func subscribe() -> (AsyncStream<Void>, Int) {
        let (bell, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let (number, generation) = state.withLock { state in
            state.lastBell += 1
            state.bells[state.lastBell] = continuation
            return (state.lastBell, state.generation)
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { state in
                state.bells[number] = nil
            }
        }
        return (bell, generation)
    }
}
