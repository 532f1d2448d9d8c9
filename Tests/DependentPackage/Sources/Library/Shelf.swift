public struct Shelf {
    public var packs: [String] = []
    public init() {}
}
