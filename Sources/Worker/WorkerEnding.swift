import StoreSystem

/// The message with which a helper says how a worker ended: three numbers of eight bytes.
struct WorkerEnding: Equatable {
    let end: ProcessEnd

    init(_ end: ProcessEnd) { self.end = end }

    /// The length of the message in bytes.
    static let length = 24

    var bytes: [UInt8] {
        [Int64(end.exitCode ?? -1), Int64(end.signal ?? -1), Int64(end.largestMemory)].flatMap { number in
            withUnsafeBytes(of: number.littleEndian) { Array($0) }
        }
    }

    /// Reads the message of a helper; `nil` if it is malformed.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == WorkerEnding.length else { return nil }
        let numbers = (0..<3).map { index in
            bytes[(8 * index)..<(8 * index + 8)].reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        }.map(Int64.init(bitPattern:))
        guard let exitCode = Int32(exactly: numbers[0]), let signal = Int32(exactly: numbers[1]), numbers[2] >= 0,
            (exitCode == -1) != (signal == -1)
        else { return nil }
        end = ProcessEnd(
            exitCode: exitCode == -1 ? nil : exitCode, signal: signal == -1 ? nil : signal,
            largestMemory: Int(numbers[2]))
    }
}
