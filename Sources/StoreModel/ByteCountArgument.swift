/// A number of bytes in the notation of the command line: `512`, `20k`, `3M`, `1.5G`, in powers of 1000.
package struct ByteCountArgument: Sendable, Hashable {
    package let bytes: Int

    /// Parses a number of bytes such as `1.5G`; `nil` if the text is not a number of at least one byte.
    package init?(argument: String) {
        let factors: [Character: Double] = ["k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9]
        let factor = argument.last.flatMap { factors[$0] }
        guard let number = Double(factor == nil ? argument[...] : argument.dropLast()), number > 0,
            case let bytes = number * (factor ?? 1), (1..<9e18).contains(bytes)
        else { return nil }
        self.bytes = Int(bytes)
    }
}
