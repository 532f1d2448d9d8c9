import Hummingbird
import StoreAPI
import StoreEngine
import StoreModel
import StoreScenarios

extension RouteTable {
    /// `/v1/scenario/clock`: the clock of the story that is played, for whoever tests a front-end.
    ///
    /// - Parameter restart: called when the daemon is to end and start again.
    mutating func addScenario(
        _ scenario: Scenario, _ manager: StoreManager, restart: @escaping @Sendable () -> Void
    ) {
        get(
            "/v1/scenario/clock",
            Endpoint("storyClock", "How far the story is that is played.", .ok("Clock", "The story's clock."))
        ) { _ in
            try .json(await ClockDocument(scenario, manager))
        }
        on(
            .post, "/v1/scenario/clock",
            Endpoint(
                "moveStoryClock", "Moves the story's clock, and answers when all that follows from it has happened.",
                body: "ClockRequest", .ok("Clock", "The story's clock after the move."), problems: [.scenarioClockRuns])
        ) { request in
            let wanted = try await request.body(ClockRequest.self)
            guard let duration = Duration(storySeconds: wanted.advance) else {
                throw ServerError(.requestMalformed, "'advance' is a number of seconds from 0 to ten years.")
            }
            guard scenario.clockMode == .moved else {
                throw ScenarioError(.scenarioClockRuns, "The story's clock runs by itself, and can't be moved.")
            }
            let move = try await scenario.advance(by: duration)
            let answer = try Response.json(await ClockDocument(scenario, manager, move))
            return move.restarts ? answer.whenWritten(restart) : answer
        }
    }
}

extension Response {
    /// The same, with something done when all of it is on its way, or can't be.
    fileprivate func whenWritten(_ end: @escaping @Sendable () -> Void) -> Response {
        var response = self
        response.body = ResponseBody(contentLength: body.contentLength) { [body] writer in
            defer { end() }
            try await body.write(writer)
        }
        return response
    }
}

extension ClockDocument {
    fileprivate init(_ scenario: Scenario, _ manager: StoreManager, _ move: Scenario.Move? = nil) async {
        self.init(
            title: scenario.story.title, elapsed: scenario.clock.elapsed.seconds, time: scenario.clock.date,
            next: await scenario.nextTime()?.seconds, sequence: manager.events.lastSequence,
            restarts: move?.restarts ?? false,
            steps: (move?.steps ?? []).map {
                ClockStep(
                    at: $0.step.at.seconds, action: $0.step.action.rawValue, productIdentifier: $0.step.product,
                    error: $0.error)
            })
    }
}
