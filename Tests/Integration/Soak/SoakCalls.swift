import Foundation
import StoreModel
import StoreTestSupport
import Synchronization

/// Sends requests of many clients to a daemon, and records violations of the documented interface.
final class SoakCalls: Sendable {
    private struct State {
        var calls = 0
        var faults: [String] = []
        var statuses: [Int: Int] = [:]
    }
    private let state = Mutex(State())
    private let socket: String
    private let rest: SoakRest
    /// The end of the run; `nil` if each client does a fixed number of rounds.
    private let end: ContinuousClock.Instant?
    var calls: Int { state.withLock { $0.calls } }
    var statuses: [Int: Int] { state.withLock { $0.statuses } }
    /// The violations, at most a hundred.
    var faults: [String] { state.withLock { $0.faults } }

    init(_ socket: String, _ rest: SoakRest, until end: ContinuousClock.Instant?) {
        self.socket = socket
        self.rest = rest
        self.end = end
    }

    /// Runs `count` clients, each with its own thread and connection, and waits for all.
    ///
    /// - Parameters:
    ///   - rounds: the number of rounds of each client if the run has no end time.
    ///   - work: one round of a client.
    func run(_ count: Int, rounds: Int, _ work: @escaping @Sendable (SoakClient) throws -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        Thread.detachNewThread { [self] in
                            defer { continuation.resume() }
                            do {
                                let client = SoakClient(number, try SoakConnection(socket), self)
                                var round = 0
                                while goesOn(round, of: rounds) {
                                    try rest.round { try work(client) }
                                    round += 1
                                }
                            } catch {
                                fault("client \(number): \(error)")
                            }
                        }
                    }
                }
            }
        }
    }

    private func goesOn(_ round: Int, of rounds: Int) -> Bool {
        end.map { ContinuousClock.now < $0 } ?? (round < rounds)
    }

    func fault(_ text: String) {
        state.withLock { if $0.faults.count < 100 { $0.faults.append(text) } }
    }

    /// Counts a response, and records whether it is one that the question permits.
    func check(_ answer: SoakConnection.Answer, to question: SoakQuestion) {
        state.withLock { state in
            state.calls += 1
            state.statuses[answer.status, default: 0] += 1
        }
        if let text = question.fault(of: answer) { fault(text) }
    }
}

/// A client with its thread's connection.
final class SoakClient {
    let number: Int
    private let connection: SoakConnection
    private let calls: SoakCalls
    var generator: SeededGenerator

    init(_ number: Int, _ connection: SoakConnection, _ calls: SoakCalls) {
        self.number = number
        self.connection = connection
        self.calls = calls
        generator = SeededGenerator(seed: UInt64(number))
    }

    @discardableResult
    func ask(_ question: SoakQuestion) throws -> SoakConnection.Answer {
        let answer = try connection.ask(question.method, question.path, question.body)
        calls.check(answer, to: question)
        return answer
    }

    /// Sends a request that must succeed.
    @discardableResult
    func must(_ method: String, _ path: String, _ body: String? = nil) throws -> JSONValue {
        try ask(SoakQuestion(method, path, body)).json
    }

    /// Records a wrong state as an answer that was not expected.
    func fault(_ text: String) { calls.fault(text) }

    /// Waits for the end of the operation that an answer names, which must succeed.
    func finish(_ answer: JSONValue) throws {
        guard let operation = answer["operation"].text else { return calls.fault("no operation was begun: \(answer)") }
        while true {
            let record = try must("GET", "/v1/operations/\(operation)")
            guard let end = record["end"].text else {
                usleep(2000)
                continue
            }
            if end != "finished" { calls.fault("\(record)") }
            return
        }
    }
}
