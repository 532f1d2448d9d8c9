/// Who waits for the network: a value. It decides by what becomes of transfers, never by asking the system whether there
/// is one: a store on this machine, or in the house, needs no way out.
///
/// A host is lost from a transfer that failed for want of a network until one that came through. A task that can have its
/// bytes from several hosts waits only where all are lost, and then stands in line for each. Meanwhile nobody else
/// tries it but one at a time, the first in line, at each look. When to look is one question for all of them: when the
/// system tells of a change, and after waits that double.
struct NetworkQueue: Sendable {
    private struct Host {
        var line = Line()
        /// Who tries it now.
        var scout: Int?
        /// Something changed after it had begun to try: if it fails, that may be out of date.
        var hasChanged = false
    }

    /// How long until the next look where nothing changes.
    struct Waits: Sendable {
        var first = Duration.seconds(5)
        var longest = Duration.seconds(60)
    }

    private let waits: Waits
    private var lost: [String: Host] = [:]
    /// Looks since the last change or the last success.
    private var looks = 0

    init(_ waits: Waits = Waits()) { self.waits = waits }

    /// How long until the next look; `nil` where nobody waits or tries.
    var wait: Duration? {
        guard lost.values.contains(where: { $0.scout != nil || !$0.line.isEmpty }) else { return nil }
        return min(waits.first * (1 << min(looks, 20)), waits.longest)
    }

    /// Whether a task may transfer from one of these hosts; from none, which is no network's affair, it may.
    func allows(_ number: Int, _ hosts: [String]) -> Bool {
        hosts.isEmpty || hosts.contains { host in lost[host].map { $0.scout == number } ?? true }
    }

    /// A transfer failed for want of a network, wherever it was tried.
    mutating func lose(_ hosts: [String]) {
        // What was learned of an earlier loss says nothing of this one.
        if lost.isEmpty { looks = 0 }
        for host in hosts { lost[host, default: Host()].scout = nil }
    }

    /// - Returns: `false` where it need not wait.
    mutating func enter(_ place: Place, _ hosts: [String]) -> Bool {
        guard !allows(place.number, hosts) else { return false }
        for host in hosts where lost[host]?.scout == nil && lost[host]?.hasChanged == true {
            lost[host]?.scout = place.number
            lost[host]?.hasChanged = false
            return false
        }
        for host in hosts { lost[host]?.line.insert(place) }
        return true
    }

    /// A transfer from the host came through, or failed for another reason.
    ///
    /// - Returns: who waited for it, in order.
    mutating func reach(_ host: String) -> [Int] {
        guard var found = lost.removeValue(forKey: host) else { return [] }
        looks = 0
        let released = found.line.removeFirst(found.line.count)
        for number in released { leaveLines(number) }
        return released
    }

    /// Whoever goes does not wait for other hosts, either.
    private mutating func leaveLines(_ number: Int) {
        for (host, var state) in lost where state.line.remove(number) {
            // What nobody waits for is not known any more; the next one finds out.
            lost[host] = state.scout == nil && state.line.isEmpty ? nil : state
        }
    }

    /// Someone does not wait any more, or does not try any more and has nothing to tell.
    ///
    /// - Returns: who tries in the place of it.
    mutating func leave(_ number: Int) -> [Int] {
        var next: [Int] = []
        for (host, var state) in lost where state.scout == number || state.line.contains(number) {
            state.line.remove(number)
            if state.scout == number {
                state.scout = state.line.removeFirst(1).first
                next += [state.scout].compactMap { $0 }
            }
            // What nobody waits for is not known any more; the next one finds out.
            lost[host] = state.scout == nil && state.line.isEmpty ? nil : state
        }
        for number in next { leaveLines(number) }
        return next
    }

    mutating func move(_ number: Int, to priority: Int) {
        for host in lost.keys { lost[host]?.line.move(number, to: priority) }
    }

    /// It is time to look, or the system told of a change.
    ///
    /// - Returns: who are to try, one for each host that nobody tries now.
    mutating func look(isChange: Bool) -> [Int] {
        looks = isChange ? 0 : looks + 1
        var scouts: [Place] = []
        for host in lost.keys.sorted() {
            guard var state = lost[host] else { continue }
            if state.scout != nil {
                state.hasChanged = state.hasChanged || isChange
            } else if let first = state.line.places.first {
                if !scouts.contains(first) { scouts.append(first) }
                state.line.remove(first.number)
                (state.scout, state.hasChanged) = (first.number, false)
            }
            lost[host] = state
        }
        for scout in scouts { leaveLines(scout.number) }
        return scouts.sorted().map(\.number)
    }
}
