/// Returns whether a file name precedes another in natural order: `2.png` before `10.png`.
///
/// Of two names that differ only in leading zeros, the one with more zeros is first.
package func isNaturallyBefore(_ left: String, _ right: String) -> Bool {
    var (a, b) = (Array(left.utf8)[...], Array(right.utf8)[...])
    while let x = a.first, let y = b.first {
        if isDigit(x), isDigit(y) {
            let (m, n) = (takeNumber(&a), takeNumber(&b))
            // Without leading zeros, the longer number is greater.
            if m.count != n.count { return m.count < n.count }
            if m != n { return m.lexicographicallyPrecedes(n) }
        } else {
            if x != y { return x < y }
            a.removeFirst()
            b.removeFirst()
        }
    }
    guard a.isEmpty, b.isEmpty else { return a.isEmpty }
    return left.utf8.lexicographicallyPrecedes(right.utf8)
}

private func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

private func takeNumber(_ bytes: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let number = bytes.prefix(while: isDigit)
    bytes = bytes[number.endIndex...]
    return number.drop { $0 == UInt8(ascii: "0") }
}
