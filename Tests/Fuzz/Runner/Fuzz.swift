import Glibc
import StoreCFuzzer
import Synchronization

/// Runs libFuzzer on one target: `Fuzz NAME` with the arguments of libFuzzer; without a name it lists the targets.
///
/// `scripts/fuzz` builds and runs it.
@main
enum Fuzz {
    /// The target, chosen once before libFuzzer starts.
    fileprivate static let chosen = Mutex<FuzzTarget?>(nil)

    static func main() {
        var arguments = CommandLine.arguments
        // For merging, libFuzzer restarts the program with its own arguments only.
        let variable = "STORECTL_FUZZ_TARGET"
        if arguments.count > 1, !arguments[1].hasPrefix("-") { setenv(variable, arguments.remove(at: 1), 1) }
        let name = getenv(variable).map { String(cString: $0) } ?? ""
        guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
            for target in FuzzTarget.all { print(target.name, target.longest) }
            exit(name.isEmpty ? 0 : 2)
        }
        chosen.withLock { $0 = target }
        var count = Int32(arguments.count)
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        let code = words.withUnsafeMutableBufferPointer { words in
            var start = words.baseAddress
            return withUnsafeMutablePointer(to: &start) { LLVMFuzzerRunDriver(&count, $0, feed) }
        }
        exit(code)
    }
}

/// Required by libFuzzer's own `main`, which is linked in but never runs.
@_cdecl("LLVMFuzzerTestOneInput")
func feed(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    do {
        let bytes = Array(UnsafeBufferPointer(start: data, count: size))
        try Fuzz.chosen.withLock { $0 }?.feed(bytes)
    } catch {
        fatalError("an error that the target does not expect: \(error)")
    }
    return 0
}
