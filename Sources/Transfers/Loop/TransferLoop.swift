import StoreCCurl
import Synchronization

/// The work of the engine's thread, and all that belongs to it alone.
final class TransferLoop {
    private let multi: UnsafeMutableRawPointer
    private let inbox: Inbox
    private let configuration: TransferConfiguration
    private var transfers: [ObjectIdentifier: ActiveTransfer] = [:]
    private var jobOfHandle: [UnsafeMutableRawPointer: ObjectIdentifier] = [:]
    /// When a deadline may pass next; `nil` is never.
    private var nextDeadline: ContinuousClock.Instant?
    private let pacing: Pacing
    private var waiting = WaitingTransfers()

    init(
        multi: UnsafeMutableRawPointer, inbox: Inbox, configuration: TransferConfiguration, received: ReceivedBytes
    ) {
        self.multi = multi
        self.inbox = inbox
        self.configuration = configuration
        pacing = Pacing(received)
    }

    /// Returns when the engine is to end; nothing of libcurl's is left then.
    func run() {
        while obey(inbox.take()) {
            var running: Int32 = 0
            curl_multi_perform(multi, &running)
            finishCompleted()
            checkDeadlines()
            for id in pacing.due(at: .now) { resume(id) }
            for next in waiting.admit(at: .now) { start(next.job, next.makeSink()) }
            curl_multi_poll(multi, nil, 0, waitInMilliseconds, nil)
        }
        for command in inbox.close() {
            if case .start(_, let makeSink) = command { makeSink().end(TransferError.stopped) }
        }
        for next in waiting.removeAll() { next.makeSink().end(TransferError.stopped) }
        for id in Array(transfers.keys) { remove(id)?.end(throwing: TransferError.stopped) }
        curl_multi_cleanup(multi)
        inbox.ended()
    }

    // MARK: Commands

    /// `false` where one of them was to stop.
    private func obey(_ commands: [Command]) -> Bool {
        var goesOn = true
        for command in commands {
            switch command {
            case .start(let job, let makeSink): take(job, makeSink)
            case .cancel(let job):
                waiting.remove(job)?.makeSink().end(CancellationError())
                remove(ObjectIdentifier(job))?.end(throwing: CancellationError())
            case .resume(let job): resume(ObjectIdentifier(job))
            case .limit(let limits):
                pacing.pacer.set(limits, at: .now)
                for id in pacing.all() { resume(id) }
            case .pace: for id in pacing.all() { resume(id) }
            case .stop: goesOn = false
            }
        }
        return goesOn
    }

    private func take(_ job: TransferJob, _ makeSink: @escaping @Sendable () -> any BodySink) {
        // The command to cancel it came before, and found nothing.
        if job.isCancelled.load(ordering: .acquiring) { return makeSink().end(CancellationError()) }
        switch waiting.begin(.init(job: job, makeSink: makeSink), at: .now) {
        case .now: start(job, makeSink())
        case .later: break
        case .never: makeSink().end(TransferError.serverBusy(job.request.url))
        }
    }

    /// Begins a transfer that is counted as running.
    private func start(_ job: TransferJob, _ sink: any BodySink) {
        guard let handle = EasyHandle() else {
            waiting.ended(job, at: .now)
            return sink.end(TransferError.notStarted)
        }
        let transfer = ActiveTransfer(job, handle: handle, sink: sink, pacing: pacing)
        var result = transfer.prepare(configuration)
        if result == CURLE_OK, curl_multi_add_handle(multi, handle.raw) != CURLM_OK { result = CURLE_OUT_OF_MEMORY }
        guard result == CURLE_OK else {
            waiting.ended(job, at: .now)
            return transfer.end(result)
        }
        transfers[ObjectIdentifier(job)] = transfer
        pacing.began(job)
        jobOfHandle[handle.raw] = ObjectIdentifier(job)
    }

    private func resume(_ id: ObjectIdentifier) {
        guard let result = transfers[id]?.resume(), result != CURLE_OK else { return }
        remove(id)?.end(result)
    }

    /// Takes a transfer out of libcurl's hands; its connection is closed unless the transfer was complete.
    private func remove(_ id: ObjectIdentifier) -> ActiveTransfer? {
        guard let transfer = transfers.removeValue(forKey: id) else { return nil }
        jobOfHandle[transfer.handle.raw] = nil
        pacing.ended(transfer.job)
        waiting.ended(transfer.job, begun: transfer.begunAt, transfer.response, at: .now)
        curl_multi_remove_handle(multi, transfer.handle.raw)
        return transfer
    }

    // MARK: Ends and deadlines

    private func finishCompleted() {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let raw = message.pointee.easy_handle, let id = jobOfHandle[raw]
            else { continue }
            // The message is gone once the handle is removed.
            let result = ccurl_message_result(message)
            remove(id)?.end(result)
        }
    }

    private func checkDeadlines() {
        let now = ContinuousClock.now
        let changed = transfers.values.contains { $0.deadlinesChanged }
        guard changed || nextDeadline.map({ now >= $0 }) ?? false else { return }
        nextDeadline = nil
        for (id, transfer) in transfers {
            if let error = transfer.expire(at: now) {
                remove(id)?.end(throwing: error)
                continue
            }
            transfer.deadlinesChanged = false
            if let next = transfer.deadlines.next { nextDeadline = min(nextDeadline ?? next, next) }
        }
    }

    /// libcurl waits less than this where it has timers of its own.
    private var waitInMilliseconds: Int32 {
        guard let nextDeadline = [nextDeadline, pacing.next, waiting.next(at: .now)].compactMap({ $0 }).min() else {
            return Int32.max
        }
        // Rounded up by `inMilliseconds` being at least 1, so that a deadline is not waited for in a tight loop.
        return Int32(clamping: (nextDeadline - .now).inMilliseconds)
    }
}
