import Glibc
import StoreSystem
import Testing

@Suite struct OpenFileLimitTests {
    @Test func `the limit of open files is raised to the maximum`() {
        let raised = OpenFileLimit.raise()
        var limit = rlimit()
        #expect(getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
        #expect(limit.rlim_cur == limit.rlim_max && Int(clamping: limit.rlim_cur) == raised)
    }
}
