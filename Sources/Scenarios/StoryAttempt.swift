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
            try await partial.take(Array(archive[start + partial.size..<start + count]))
        }
        told(partial.size)
    }

    /// Waits as long as a client would: until the answer must have begun, or until too long nothing has come.
    private func wait(until due: Duration?, heard: Duration?, begun: Duration) async throws {
        let (limit, failure): (Duration?, TransferError)
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
        let address = "'\(request.url.forMessages)'"
        switch failure {
        case .unreachable:
            throw TransferError(
                .transferUnreachable, "\(address) can't be reached: Connection refused. Check address and network.",
                isTransient: true)
        case .interrupted: throw TransferError.interrupted(request.url)
        case .insecure:
            throw TransferError(
                .transferTLS,
                "\(address): the other end did not prove who it is (certificate has expired). Check the address, the "
                    + "clock and the machine's certificates.")
        case .wrongBytes:
            try partial.restart()
            let wrong = [UInt8](repeating: 0, count: archive.count)
            try await partial.take(wrong)
            told(partial.size)
            _ = try partial.finished(expecting: expected, from: request.url, resumedFrom: 0, response: nil)
        }
    }
}

extension TransferError {
    /// A connection that broke in the middle.
    static func interrupted(_ url: URL) -> TransferError {
        TransferError(
            .transferInterrupted, "'\(url.forMessages)': the connection broke (Connection reset by peer). Try again.",
            isTransient: true)
    }
}
