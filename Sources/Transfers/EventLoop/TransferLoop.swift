import StoreCCurl
import StoreModel
import Synchronization

/// The event loop of the transfer engine's thread, which runs all transfers with libcurl's multi handle.
final class TransferLoop {
    private let multi: UnsafeMutableRawPointer
    private let commandQueue: CommandQueue
    private let configuration: TransferConfiguration
    private var transfers: [ObjectIdentifier: ActiveTransfer] = [:]
    private var jobOfHandle: [UnsafeMutableRawPointer: ObjectIdentifier] = [:]
    /// The earliest deadline of all running transfers; `nil` where there is none.
    private var nextDeadline: ContinuousClock.Instant?
    private let rateLimiting: RateLimitedTransfers
    private let proxies: ProxyAddresses
    private var hostQueue = HostWaitQueue()

    init(
        multi: UnsafeMutableRawPointer, commandQueue: CommandQueue, configuration: TransferConfiguration,
        received: ReceivedBytes
    ) {
        self.multi = multi
        self.commandQueue = commandQueue
        self.configuration = configuration
        rateLimiting = RateLimitedTransfers(received)
        proxies = ProxyAddresses(configuration)
    }

    /// Runs all transfers until the command to stop arrives.
    ///
    /// Then it ends them with `transfer.stopped` and releases the multi handle.
    func run() {
        while execute(commandQueue.dequeueAll()) {
            performTransfers()
            checkDeadlines(someAreConnected: transfers.values.contains { $0.isConnected })
            for id in rateLimiting.due(at: .now) { resume(id) }
            for late in hostQueue.removeExpired(at: .now) {
                let request = late.job.request
                late.makeSink().end(StoreError.timeout(request.url, .whole(request.timeouts.whole ?? .zero)))
            }
            let admission = hostQueue.admit(at: .now)
            for next in admission.transfers { begin(next.job, next.makeSink) }
            ccurl_multi_poll(multi, nil, 0, waitInMilliseconds(until: admission.next), nil)
        }
        for command in commandQueue.close() {
            if case .start(let job, let makeSink) = command {
                makeSink().end(StoreError.engineStopped(job.request.url))
            }
        }
        for next in hostQueue.removeAll() { next.makeSink().end(StoreError.engineStopped(next.job.request.url)) }
        for (id, transfer) in transfers {
            remove(id)?.end(throwing: StoreError.engineStopped(transfer.job.request.url))
        }
        ccurl_multi_cleanup(multi)
        commandQueue.threadDidEnd()
    }

    // MARK: Commands

    /// Executes commands to start, cancel or resume transfers, in order; returns `false` if one of them is to stop.
    private func execute(_ commands: [Command]) -> Bool {
        var continues = true
        for command in commands {
            switch command {
            case .start(let job, let makeSink): admit(job, makeSink)
            case .cancel(let job):
                hostQueue.remove(job)?.makeSink().end(CancellationError())
                remove(ObjectIdentifier(job))?.end(throwing: CancellationError())
            case .resume(let job): resume(ObjectIdentifier(job))
            case .setLimits(let limits):
                rateLimiting.rateLimiter.set(limits, at: .now)
                for id in rateLimiting.removeAll() { resume(id) }
            case .applyRates: for id in rateLimiting.removeAll() { resume(id) }
            case .stop: continues = false
            }
        }
        return continues
    }

    private func admit(_ job: TransferJob, _ makeSink: @escaping @Sendable () -> any BodySink) {
        // The command to cancel the transfer arrived before the command to start it.
        if job.isCancelled.load(ordering: .acquiring) { return makeSink().end(CancellationError()) }
        switch hostQueue.begin(.init(job: job, makeSink: makeSink), at: .now) {
        case .admitted: begin(job, makeSink)
        case .queued: break
        case .refused: makeSink().end(StoreError.hostBusy(job.request.url))
        }
    }

    /// Begins a transfer that its host admits.
    private func begin(_ job: TransferJob, _ makeSink: @Sendable () -> any BodySink) {
        takeConnection(for: job)
        start(job, makeSink())
    }

    /// Ends one of the transfers of a file that is downloaded over several connections, if a new transfer would wait for all
    /// of them.
    ///
    /// A catalogue or another file should not wait for a download that goes on with fewer connections. Further transfers of
    /// such files that wait for a connection themselves, in libcurl's queue, are ended as well: they would be first. The
    /// connections of HTTP/2 carry any number of transfers.
    private func takeConnection(for job: TransferJob) {
        guard let limit = configuration.connectionsPerHost, !job.isAdditionalConnection,
            transfers.values.contains(where: { $0.job.isAdditionalConnection })
        else { return }
        let running = transfers.values.filter { $0.host == job.host }
        guard running.count >= limit, !running.contains(where: { $0.handle.isMultiplexed }) else { return }
        let connected = running.filter(\.isConnected)
        var taken = running.filter { $0.job.isAdditionalConnection && !$0.isConnected }
        if connected.count >= limit {
            let counts = connected.reduce(into: [:]) { $0[$1.job.number, default: 0] += 1 }
            let last = connected.filter { counts[$0.job.number, default: 0] > 1 }.max { $0.startedAt < $1.startedAt }
            if let last { taken.append(last) }
        }
        for transfer in taken {
            remove(ObjectIdentifier(transfer.job))?.end(throwing: FileDownload.ConnectionTaken())
        }
    }

    /// Hands a transfer that may begin to libcurl; ends its sink with an error where that fails.
    private func start(_ job: TransferJob, _ sink: any BodySink) {
        let addressCheck = AddressCheck(job.request.addresses, proxies, isPublic: configuration.isPublicAddress)
        guard addressCheck.allows(job.request.url) else {
            hostQueue.transferDidEnd(job, at: .now)
            return sink.end(StoreError.localAddress(job.request.url))
        }
        guard let handle = EasyHandle() else {
            hostQueue.transferDidEnd(job, at: .now)
            return sink.end(StoreError.engineNotStarted(job.request.url))
        }
        let transfer = ActiveTransfer(
            job, handle: handle, sink: sink, rateLimiting: rateLimiting, addressCheck: addressCheck)
        var result = transfer.prepare(configuration)
        if result == CURLE_OK, ccurl_multi_add_handle(multi, handle.raw) != CURLM_OK { result = CURLE_OUT_OF_MEMORY }
        guard result == CURLE_OK else {
            hostQueue.transferDidEnd(job, at: .now)
            return transfer.end(result)
        }
        transfers[ObjectIdentifier(job)] = transfer
        rateLimiting.transferDidBegin(job)
        jobOfHandle[handle.raw] = ObjectIdentifier(job)
    }

    private func resume(_ id: ObjectIdentifier) {
        guard let result = transfers[id]?.resume(), result != CURLE_OK else { return }
        remove(id)?.end(result)
    }

    /// Removes a running transfer from libcurl's multi handle and returns it; `nil` where it is not running.
    ///
    /// Its connection is closed unless the transfer was complete.
    private func remove(_ id: ObjectIdentifier) -> ActiveTransfer? {
        guard let transfer = transfers.removeValue(forKey: id) else { return nil }
        jobOfHandle[transfer.handle.raw] = nil
        rateLimiting.transferDidEnd(transfer.job)
        hostQueue.transferDidEnd(transfer.job, startedAt: transfer.startedAt, transfer.response, at: .now)
        ccurl_multi_remove_handle(multi, transfer.handle.raw)
        return transfer
    }

    // MARK: Completion and deadlines

    /// Lets libcurl continue all transfers, and ends those that are complete, until no transfer ends.
    ///
    /// When a transfer ends, libcurl lets one go on that waits for a connection, in its next pass. libcurl 7.88 can lose the
    /// timer that it sets for that pass, and would sleep until something else happens. So the pass follows at once.
    private func performTransfers() {
        repeat {
            var running: Int32 = 0
            ccurl_multi_perform(multi, &running)
        } while finishCompleted() && !transfers.isEmpty
    }

    /// Ends the transfers that are complete; returns whether there was one.
    private func finishCompleted() -> Bool {
        var left: Int32 = 0
        var isAnyCompleted = false
        while let message = ccurl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let raw = message.pointee.easy_handle, let id = jobOfHandle[raw]
            else { continue }
            // Removing the handle frees the message.
            let result = ccurl_message_result(message)
            remove(id)?.end(result)
            isAnyCompleted = true
        }
        return isAnyCompleted
    }

    /// Ends the transfers of which a time limit has passed.
    ///
    /// - Parameter someAreConnected: whether a transfer has a connection, or has one opened.
    private func checkDeadlines(someAreConnected: Bool) {
        let now = ContinuousClock.now
        let changed = transfers.values.contains { $0.deadlinesChanged }
        guard changed || nextDeadline.map({ now >= $0 }) ?? false else { return }
        nextDeadline = nil
        for (id, transfer) in transfers {
            if let expiry = transfer.expire(at: now, othersAreConnected: someAreConnected) {
                remove(id)?.end(throwing: StoreError.timeout(transfer.job.request.url, expiry))
                continue
            }
            transfer.deadlinesChanged = false
            if let next = transfer.nextDeadline { nextDeadline = min(nextDeadline ?? next, next) }
        }
    }

    /// Returns the longest time for which the event loop may sleep, in milliseconds, until the next deadline.
    ///
    /// libcurl wakes earlier for its own timers.
    ///
    /// - Parameter nextAdmission: when the next waiting transfer may begin; `nil` where none waits for a time.
    private func waitInMilliseconds(until nextAdmission: ContinuousClock.Instant?) -> Int32 {
        guard let nextDeadline = [nextDeadline, rateLimiting.next, nextAdmission].compactMap({ $0 }).min() else {
            return Int32.max
        }
        // `inMilliseconds` is at least 1, so that the loop does not spin until the deadline.
        return Int32(clamping: (nextDeadline - .now).inMilliseconds)
    }
}
