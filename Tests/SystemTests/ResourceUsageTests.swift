import Glibc
import StoreSystem
import StoreTestSupport
import Testing

@Suite struct ResourceUsageTests {
    @Test func `exactly the open descriptors are counted`() async {
        // In a process of its own, in which only the testing library and the runtime open descriptors, each of them once
        // and when it is first needed. So the count is compared until none was opened while both counted.
        await #expect(processExitsWith: .success) {
            let null = (0..<10).map { _ in open("/dev/null", O_RDONLY | O_CLOEXEC) }
            #expect(null.allSatisfy { $0 >= 0 })
            let isExact = { (0..<100).contains { _ in ResourceUsage.current().openDescriptors == countByAsking() } }
            #expect(isExact())
            for descriptor in null { close(descriptor) }
            #expect(isExact())
        }
    }

    @Test(.enabled(if: !Sanitizers.areEnabled, "a sanitizer has an allocator of its own"))
    func `memory counts as allocated until it is freed, whether it is used or not`() async {
        // In a process of its own, in which nothing else allocates.
        await #expect(processExitsWith: .success) {
            // The first is of an arena, the second a mapping of its own (M_MMAP_THRESHOLD in mallopt(3)).
            for size in [64 << 10, 256 << 20] {
                let before = ResourceUsage.current()
                let memory = try #require(malloc(size))
                let during = ResourceUsage.current()
                free(memory)
                let after = ResourceUsage.current()
                let room = 32 << 10
                #expect(abs(during.allocatedMemory - before.allocatedMemory - size) < room)
                #expect(abs(after.allocatedMemory - before.allocatedMemory) < room)
                #expect(during.residentMemory - before.residentMemory < 128 << 20)
            }
        }
    }

    @Test(.enabled(if: !Sanitizers.areEnabled, "a sanitizer has an allocator of its own"))
    func `freed memory between allocations is returned to the system`() async {
        // In a process of its own, in which nothing else allocates.
        await #expect(processExitsWith: .success) {
            let (size, count) = (8 << 10, 4_000)
            let blocks = (0..<count).map { _ in
                let block = malloc(size)!
                memset(block, 1, size)
                return block
            }
            // Every hundredth stays in use.
            for (number, block) in blocks.enumerated() where number % 100 != 0 { free(block) }
            let before = (HeapLimit.heldMemory, ResourceUsage.current().residentMemory)
            HeapLimit.returnFreedMemory()
            #expect(before.0 - HeapLimit.heldMemory > size * count / 2)
            #expect(before.1 - ResourceUsage.current().residentMemory > size * count / 2)
            withExtendedLifetime(blocks) {}
        }
    }
}

/// The number of open descriptors, each asked for.
///
/// Those that were inherited from a process with thousands of open files have large numbers.
private func countByAsking() -> Int { (0..<min(getdtablesize(), 1 << 16)).count { fcntl($0, F_GETFD) >= 0 } }
