import Testing

/// Tests the matrix itself, with scenarios that run nothing.
@Suite(.enabled(if: CrashShim.canPreload, "the thread sanitizer takes the place of a preloaded library"))
struct CrashMatrixTests {
    /// A scenario in which the fault occurs at each of the first calls.
    private struct Scenario: CrashSubject {
        let name: String
        let calls: Int

        func run(on worker: CrashWorker, _ fault: CrashFault, at place: Int) async -> CrashOutcome {
            CrashOutcome(call: fault.action != .count && place <= calls ? "write" : nil)
        }

        func record(on worker: CrashWorker) async throws -> PowerCutModel { throw CrashWorker.Hangs(what: name) }

        func recover(from state: PowerCutState, _ tree: FolderTree, on worker: CrashWorker) async -> CrashOutcome {
            CrashOutcome()
        }
    }

    @Test func `a scenario whose calls are not counted, or have no end, is a problem`() async throws {
        let worker = try CrashWorker(shim: try await CrashShim(), programs: IsolatedPrograms())
        let matrix = CrashMatrix()
        let subjects = [Scenario(name: "endless", calls: .max), Scenario(name: "short", calls: 5)]
        try await matrix.run(subjects, on: [worker], choosing: nil)
        let uncounted = matrix.problems.filter { $0.text.contains("no call of the programs was counted") }
        #expect(uncounted.map(\.scenario) == ["endless", "short"])
        let endless = matrix.problems.filter { $0.scenario == "endless" && $0.text.contains("no run ended unaffected") }
        #expect(endless.count == CrashMatrix.faults.count, "\(matrix.problems)")
        #expect(matrix.problems.count == uncounted.count + endless.count)
        #expect(matrix.unaffected == CrashMatrix.faults.count)
    }
}
