/// The counters of the connection to the library's database, for the daemon's metrics.
public struct DatabaseMetrics: Sendable {
    /// The number of database transactions since the database was opened.
    ///
    /// Reads and failed transactions are included, and changes that were committed as one group count once.
    public internal(set) var transactions = 0
    /// The time that the database connection has spent working since the database was opened.
    ///
    /// The connection executes one transaction at a time, so the rest is idle time.
    public internal(set) var busy = Duration.zero
}
