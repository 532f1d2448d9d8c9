/// The circuits of hosts as a value: which hosts have no network path, and which download probes each of them.
///
/// A circuit is opened by a transfer that failed for lack of a network, and closed by one that reached the host.
/// Whether there is a network is never asked of the system, because a store on this machine or in the local network
/// needs no route out.
///
/// Downloads are called tasks here. A task that can have its bytes from several hosts waits only if all their circuits
/// are open, and then for whichever closes first. While a circuit is open, one task at a time probes the host
/// (half-open state), the first in the circuit's wait queue. The time of the next probe is common to all circuits: at a
/// change of the network, and after delays that double.
struct HostCircuits: Sendable {
    private struct Circuit {
        var queue = WaitQueue()
        /// The number of the download that probes the unreachable host; `nil` while none does.
        ///
        /// A circuit with a probe is half-open.
        var probe: Int?
        /// Whether the network changed after the probe of the host began, so that its failure may be out of date.
        var networkChanged = false

        var isUnused: Bool { probe == nil && queue.isEmpty }
    }

    private let delays: ProbeDelays
    /// The open circuits by host name: those of hosts that could not be reached for lack of a network.
    private var open: [String: Circuit] = [:]
    /// The number of rounds of probes of hosts since the last change of the network or the last success.
    private var probeCount = 0

    init(_ delays: ProbeDelays = ProbeDelays()) { self.delays = delays }

    /// The delay before the next round of probes of hosts; `nil` if no download waits or probes.
    var probeDelay: Duration? {
        guard open.values.contains(where: { !$0.isUnused }) else { return nil }
        return delays.delay(beforeRound: probeCount)
    }

    /// Returns whether the download with a number may transfer from one of these hosts now.
    ///
    /// It may if the circuit of one host is closed, or if the download probes one. Without hosts it always may.
    func allows(_ number: Int, _ hosts: [String]) -> Bool {
        hosts.isEmpty || hosts.contains { host in open[host].map { $0.probe == number } ?? true }
    }

    /// Opens the circuits of hosts after a transfer failed for lack of a network, and clears their probes.
    mutating func open(_ hosts: [String]) {
        // The delays of an earlier outage don't apply to this one.
        if open.isEmpty { probeCount = 0 }
        for host in hosts { open[host, default: Circuit()].probe = nil }
    }

    /// Adds a download to the wait queues of hosts; returns `false`, and adds nothing, if it need not wait.
    ///
    /// That is also so if the network changed during the last probe of a host: the download then probes that host.
    mutating func wait(_ ticket: Ticket, for hosts: [String]) -> Bool {
        guard !allows(ticket.number, hosts) else { return false }
        for host in hosts where open[host]?.probe == nil && open[host]?.networkChanged == true {
            open[host]?.probe = ticket.number
            open[host]?.networkChanged = false
            return false
        }
        for host in hosts { open[host]?.queue.insert(ticket) }
        return true
    }

    /// Closes the circuit of a host that a transfer has reached.
    ///
    /// - Returns: the numbers of the downloads that waited for the host, in the order of the queue.
    mutating func close(_ host: String) -> [Int] {
        guard var circuit = open.removeValue(forKey: host) else { return [] }
        probeCount = 0
        let released = circuit.queue.removeFirst(circuit.queue.count)
        for number in released { removeFromQueues(number) }
        return released
    }

    private mutating func removeFromQueues(_ number: Int) {
        // Changed in place: a copy of the circuit would be a second reference to its queue, which each change then copies.
        for host in Array(open.keys) where open[host]?.queue.remove(number) == true {
            // A circuit that no task waits for is forgotten; the next transfer finds out.
            if open[host]?.isUnused == true { open[host] = nil }
        }
    }

    /// Removes the download with a number, which no longer waits for a host, or which probed one and has no result.
    ///
    /// - Returns: the numbers of the downloads that probe the hosts in its place.
    mutating func leave(_ number: Int) -> [Int] {
        var next: [Int] = []
        for host in Array(open.keys)
        where open[host]?.probe == number || open[host]?.queue.contains(number) == true {
            open[host]?.queue.remove(number)
            if open[host]?.probe == number {
                let first = open[host]?.queue.removeFirst(1).first
                open[host]?.probe = first
                next += [first].compactMap { $0 }
            }
            if open[host]?.isUnused == true { open[host] = nil }
        }
        for number in next { removeFromQueues(number) }
        return next
    }

    /// Changes the priority of the download with a number in the wait queues of all hosts.
    mutating func setPriority(_ priority: Int, of number: Int) {
        for host in Array(open.keys) { open[host]?.queue.setPriority(priority, of: number) }
    }

    /// Begins a round of probes of unreachable hosts.
    ///
    /// - Parameter afterChange: whether the reason is a change of the network, and not that the delay has passed.
    /// - Returns: the numbers of the downloads that probe: the first in the queue of each host without a probe.
    mutating func beginProbes(afterChange: Bool) -> [Int] {
        probeCount = afterChange ? 0 : probeCount + 1
        var probes: [Ticket] = []
        for host in open.keys.sorted() {
            guard var circuit = open[host] else { continue }
            if circuit.probe != nil {
                circuit.networkChanged = circuit.networkChanged || afterChange
            } else if let first = circuit.queue.tickets.first {
                if !probes.contains(first) { probes.append(first) }
                circuit.queue.remove(first.number)
                (circuit.probe, circuit.networkChanged) = (first.number, false)
            }
            open[host] = circuit
        }
        for probe in probes { removeFromQueues(probe.number) }
        return probes.sorted().map(\.number)
    }
}
