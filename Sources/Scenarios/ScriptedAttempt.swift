import FoundationEssentials
import StoreModel
import StoreSystem
import StoreTransfers

/// A simulated attempt to download an archive, which follows the scenario's script.
struct ScriptedAttempt {
    let product: String
    let events: [ScenarioScript.TransferEvent]
    let archive: Data
    let request: TransferRequest
    let expected: ExpectedContent
    let clock: VirtualClock
    /// A function that is called with the number of bytes of the archive received so far.
    let reportProgress: @Sendable (Int) -> Void

    /// Writes the archive to the file as the scenario's script states, and returns after the last byte.
    ///
    /// - Throws: the scripted failure; `CancellationError`.
    func run(into partial: PartialFile) async throws {
        let begun = clock.elapsed
        // The time of the last received byte, since the attempt began.
        var lastReceived: Duration?
        for event in events {
            try await wait(until: begun + event.after, lastReceived: lastReceived, begun: begun)
            switch event.action {
            case .bytes(let count):
                lastReceived = event.after
                try await receive(count, into: partial)
            case .stalls: try await wait(until: nil, lastReceived: lastReceived, begun: begun)
            case .status(let status, let retryAfter):
                var headers = TransferHeaders()
                if let retryAfter { headers["Retry-After"] = String(retryAfter) }
                try TransferResponse(status: status, headers: headers, effectiveURL: request.url).requireSuccess()
            case .fails(let failure): try await fail(failure, partial)
            }
        }
        try await receive(archive.count, into: partial)
    }

    private func receive(_ count: Int, into partial: PartialFile) async throws {
        if count > partial.size {
            let start = archive.startIndex
            try await partial.append(Array(archive[start + partial.size..<start + count]))
        }
        reportProgress(partial.size)
    }

    /// Waits until `due` by the virtual clock, or fails when the client's time limit ends earlier.
    ///
    /// The limit applies to the time until the response begins, or to the time between two bytes.
    private func wait(until due: Duration?, lastReceived: Duration?, begun: Duration) async throws {
        let (limit, failure): (Duration?, StoreError)
        if let lastReceived {
            let stall = request.timeouts.stall
            (limit, failure) = (
                stall.map { begun + lastReceived + $0.window }, .stalled(request.url, stall ?? StallLimit())
            )
        } else {
            let answer = request.timeouts.answer
            (limit, failure) = (answer.map { begun + $0 }, .unanswered(request.url, within: answer ?? .zero))
        }
        if let due, due <= limit ?? due { return try await clock.sleep(until: due, product) }
        // Without a limit, the wait is longer than any scenario.
        try await clock.sleep(until: limit ?? .seconds(Duration.longestScenario * 2), product)
        throw failure
    }

    private func fail(_ failure: ScenarioScript.TransferFailure, _ partial: PartialFile) async throws {
        switch failure {
        case .unreachable:
            throw StoreError.transfer(
                .transferConnectFailed, request.url, ["reason": "Connection refused"], isTransient: true)
        case .interrupted: throw StoreError.interrupted(request.url)
        case .insecure:
            throw StoreError.transfer(
                .transferCertificateInvalid, request.url, ["reason": "certificate has expired"])
        case .wrongBytes:
            try partial.restart()
            let wrong = [UInt8](repeating: 0, count: archive.count)
            try await partial.append(wrong)
            reportProgress(partial.size)
            _ = try partial.finished(expecting: expected, from: request.url, resumedFrom: 0, response: nil)
        }
    }
}

extension StoreError {
    /// Returns the error of a connection that broke during the transfer from a URL.
    static func interrupted(_ url: URL) -> StoreError {
        transfer(.transferConnectionBroke, url, ["reason": "Connection reset by peer"], isTransient: true)
    }
}
