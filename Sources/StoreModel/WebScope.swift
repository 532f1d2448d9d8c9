/// What a client of the daemon's web listener may do.
public enum WebScope: String, Sendable, Codable, CaseIterable {
    /// Read everything that the interface shows, except access tokens.
    case read
    /// Install, update, remove and use content, and control downloads.
    case install
    /// Change settings, stores and purchases, and stop the daemon.
    case settings
}
