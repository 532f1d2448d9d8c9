import FoundationEssentials
import StoreModel
import StoreSystem
import StoreTransfers

/// One attempt to download an archive, as the story tells it.
struct StoryAttempt {
    let product: String
    let moments: [Story.Moment]
    let archive: Data
    let request: TransferRequest
    let expected: ExpectedContent
    let clock: StoryClock
    /// Told how many bytes are here.
    let told: @Sendable (Int) -> Void

    /// Returns when all bytes are in the file.
    ///
    /// - Throws: what the attempt fails with; `CancellationError`.
    func run(into partial: PartialFile) async throws {
        let begun = clock.elapsed
        // When the server was last heard of, in the attempt.
        var heard: Duration?
        for moment in moments {
            try await wait(until: begun + moment.after, heard: heard, begun: begun)
            switch moment.happening {
            case .bytes(let count):
                heard = moment.after
                try await bring(count, into: partial)
            case .stalls: try await wait(until: nil, heard: heard, begun: begun)
            case .status(let status, let retryAfter):
                var headers = TransferHeaders()
                if let retryAfter { headers["Retry-After"] = String(retryAfter) }
                try TransferResponse(status: status, headers: headers, effectiveURL: request.url).requireSuccess()
            case .fails(let failure): try await fail(failure, partial)
            }
        }
        try await bring(archive.count, into: partial)
    }

    private func bring(_ count: Int, into partial: PartialFile) async throws {
        if count > partial.size {
            let start = archive.startIndex
            try await partial.append(Array(archive[start + partial.size..<start + count]))
        }
        told(partial.size)
    }

    /// Waits as long as a client would: until the answer must have begun, or until too long nothing has come.
    private func wait(until due: Duration?, heard: Duration?, begun: Duration) async throws {
        let (limit, failure): (Duration?, StoreError)
        if let heard {
            let stall = request.timeouts.stall
            (limit, failure) = (stall.map { begun + heard + $0.window }, .stalled(request.url, stall ?? StallLimit()))
        } else {
            let answer = request.timeouts.answer
            (limit, failure) = (answer.map { begun + $0 }, .unanswered(request.url, within: answer ?? .zero))
        }
        if let due, due <= limit ?? due { return try await clock.sleep(until: due, product) }
        // Without a limit it waits for as long as anybody can move the clock.
        try await clock.sleep(until: limit ?? .seconds(Duration.longestStory * 2), product)
        throw failure
    }

    private func fail(_ failure: Story.Failure, _ partial: PartialFile) async throws {
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
            told(partial.size)
            _ = try partial.finished(expecting: expected, from: request.url, resumedFrom: 0, response: nil)
        }
    }
}

extension StoreError {
    /// A connection that broke in the middle.
    static func interrupted(_ url: URL) -> StoreError {
        transfer(.transferConnectionBroke, url, ["reason": "Connection reset by peer"], isTransient: true)
    }
}
