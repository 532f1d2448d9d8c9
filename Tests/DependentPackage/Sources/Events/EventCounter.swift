public struct EventCounter {
    public var count = 0
    public init() {}
}
