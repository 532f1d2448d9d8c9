public struct Settings {
    public var product = "org.example.cups"
    public init() {}
}
