/// The limits of the partial files that failed downloads leave: how old they become, and how large all together.
public struct PartialFileLimits: Sendable, Hashable {
    /// The time for which a partial file is kept after its download failed; zero keeps none.
    public var age: Duration
    /// The maximum size in bytes of all kept partial files together; 0 keeps none.
    public var size: Int

    /// Creates limits of kept partial files.
    public init(age: Duration = .seconds(7 * 86_400), size: Int = 4 << 30) {
        self.age = age
        self.size = size
    }

    /// Returns whether a partial file with a number of bytes is kept when its download fails.
    func keeps(_ bytes: Int) -> Bool { age > .zero && bytes > 0 && bytes <= size }
}
