extension StoreManager {
    /// Whether nothing more happens before time passes on the clock that was given to
    /// ``open(places:environment:overrides:kinds:clock:transfers:network:log:)``, or somebody asks for something.
    ///
    /// - Parameter waits: whether a wait of that name is under way on that clock.
    public func isAtRest(_ waits: @Sendable (_ who: String) -> Bool) async -> Bool {
        guard busy.isEmpty, beginning.isEmpty else { return false }
        return await downloads.isAtRest(waits)
    }
}
