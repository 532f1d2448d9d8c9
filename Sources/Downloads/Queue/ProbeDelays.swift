/// The delays before rounds of probes of unreachable hosts while the network does not change.
///
/// Each delay is twice as long as the one before, up to the longest.
struct ProbeDelays: Sendable {
    var first = Duration.seconds(5)
    var longest = Duration.seconds(60)

    /// Returns the delay before a round of probes of unreachable hosts.
    ///
    /// Rounds are counted from 0 since the last change of the network.
    func delay(beforeRound round: Int) -> Duration { min(first * (1 << min(round, 20)), longest) }
}
