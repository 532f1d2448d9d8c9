import Testing

@testable import StoreSystem

@Suite struct FileSystemSizeTests {
    @Test(
        arguments: [
            (0, 4096, 0), (3, 4096, 12_288),
            // What file systems without a limit state, and one that has less than nothing free.
            (1 << 40, 1 << 24, .max), (.max, 4096, .max), (.max, 1, .max),
        ] as [(UInt64, UInt64, Int)])
    func `the free space of a file system is at most what a number can be`(blocks: UInt64, size: UInt64, free: Int) {
        #expect(Directory.size(ofBlocks: blocks, each: size) == free)
    }
}
