import Glibc
import StoreSystem
import StoreTestSupport
import Testing

@Suite struct ResourceUsageTests {
    @Test func `exactly the open descriptors are counted`() async {
        // In a process of its own, in which nothing else opens any.
        await #expect(processExitsWith: .success) {
            let before = ResourceUsage.current().openDescriptors
            let opened = (0..<10).map { _ in open("/dev/null", O_RDONLY | O_CLOEXEC) }
            #expect(opened.allSatisfy { $0 >= 0 })
            #expect(ResourceUsage.current().openDescriptors == before + 10)
            for descriptor in opened { close(descriptor) }
            #expect(ResourceUsage.current().openDescriptors == before)
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
}
