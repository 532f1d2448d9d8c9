import Hummingbird
import StoreAPI
import StoreEngine
import StoreModel
import StoreOpenAPI
import StoreScenarios

extension RouteTable {
    /// Adds the HTTP route `/v1/scenario/clock`, with which tests of front-ends advance a scenario's simulated clock.
    ///
    /// A scenario is a scripted sequence of events that plays in place of the network.
    ///
    /// - Parameter restart: called when the scenario restarts the daemon.
    mutating func addScenarioClock(
        _ scenario: Scenario, _ manager: StoreManager, restart: @escaping @Sendable () -> Void
    ) {
        get(
            "/v1/scenario/clock",
            Endpoint("scenarioClock", "The position of the scenario's clock.", .ok(ClockDocument.self, "The clock."))
        ) { _ in
            try .json(await ClockDocument(scenario, manager))
        }
        on(
            .post, "/v1/scenario/clock",
            Endpoint(
                "advanceScenarioClock", "Advances the scenario's clock, and responds when everything due has happened.",
                body: ClockRequest.self, .ok(ClockDocument.self, "The clock after the advance."),
                errors: [.scenarioClockRuns])
        ) { request in
            let body = try await request.body(ClockRequest.self)
            guard let duration = Duration(scenarioSeconds: body.advance) else {
                throw StoreError(
                    .requestBodyInvalid, ["reason": "'advance' must be a number of seconds from 0 to ten years"])
            }
            guard scenario.clockMode == .moved else {
                throw StoreError(.scenarioClockRuns)
            }
            let move = try await scenario.advance(by: duration)
            let response = try Response.json(await ClockDocument(scenario, manager, move))
            return move.restarts ? response.whenWritten(restart) : response
        }
    }
}

extension Response {
    /// Returns the response with a function that is called after its body was written, or after writing has failed.
    fileprivate func whenWritten(_ completion: @escaping @Sendable () -> Void) -> Response {
        var response = self
        response.body = ResponseBody(contentLength: body.contentLength) { [body] writer in
            defer { completion() }
            try await body.write(writer)
        }
        return response
    }
}

extension ClockDocument {
    fileprivate init(_ scenario: Scenario, _ manager: StoreManager, _ move: Scenario.Advance? = nil) async {
        self.init(
            title: scenario.script.title, elapsed: scenario.clock.elapsed.seconds, time: scenario.clock.date,
            next: await scenario.nextTime()?.seconds, sequence: manager.events.lastSequence,
            restarts: move?.restarts ?? false,
            steps: (move?.steps ?? []).map {
                ClockStep(
                    at: $0.step.at.seconds, action: $0.step.action.rawValue, productIdentifier: $0.step.product,
                    error: $0.error)
            })
    }
}
