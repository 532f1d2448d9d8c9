/// How much a connection has done: for metrics.
public struct DatabaseMetrics: Sendable {
    /// Those that failed and questions included; changes that were written together are one.
    public internal(set) var transactions = 0
    /// How long it was at work. It does one thing at a time, so that this and the rest make up its whole life.
    public internal(set) var busy = Duration.zero
}
