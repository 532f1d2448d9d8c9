import Testing

@testable import StoreServer

@Suite struct ByteRangeTests {
    @Test(arguments: [
        ("bytes=0-0", ByteRange.part(0..<1)), ("bytes=2-4", .part(2..<5)), ("bytes=5-", .part(5..<10)),
        ("bytes=-3", .part(7..<10)), ("bytes=-30", .part(0..<10)), ("bytes=0-99", .part(0..<10)),
        ("bytes=9-9", .part(9..<10)),
    ])
    func `a single range is supported`(header: String, expected: ByteRange) {
        #expect(ByteRange(header, size: 10) == expected)
    }

    @Test(arguments: ["bytes=10-", "bytes=10-12", "bytes=-0"])
    func `a range that begins after the end is unsatisfiable`(header: String) {
        #expect(ByteRange(header, size: 10) == .unsatisfiable)
    }

    @Test(arguments: [
        "", "bytes", "bytes=", "bytes=-", "bytes=4-2", "bytes=a-b", "bytes=0-1,3-4", "items=0-1", "bytes=+1-2",
        "bytes=--2", "bytes=0-99999999999999999999",
    ])
    func `anything else selects the whole file`(header: String) {
        #expect(ByteRange(header, size: 10) == .whole)
    }

    @Test func `every range of an empty file is unsatisfiable`() {
        #expect(ByteRange("bytes=0-", size: 0) == .unsatisfiable)
        #expect(ByteRange("bytes=-1", size: 0) == .unsatisfiable)
    }

    /// Compares every range of every small size with the bytes that the RFC selects.
    @Test func `every range of a small file has the bytes that the RFC says`() {
        for size in 0...6 {
            for first in 0...7 {
                for last in first...8 {
                    let counted = (0..<size).filter { $0 >= first && $0 <= last }
                    let expected = counted.isEmpty ? ByteRange.unsatisfiable : .part(counted[0]..<counted.last! + 1)
                    #expect(ByteRange("bytes=\(first)-\(last)", size: size) == expected)
                }
            }
        }
    }
}
