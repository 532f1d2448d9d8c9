import StoreSystem
import Testing

/// Tests which machines are warned about.
@Suite struct SyncLimitationTests {
    private static let (ext4, fuse) = (0xEF53, 0x6573_5546)

    @Test func `a FUSE file system is reported, and others are not`() {
        #expect(SyncLimitation.all(fileSystemType: Self.fuse, kernelRelease: "6.1.0-13-amd64") == [.fileServer])
        for type in [Self.ext4, 0x5846_5342, 0x9123_683E, 0x0102_1994] {
            #expect(SyncLimitation.all(fileSystemType: type, kernelRelease: "6.1.0-13-amd64").isEmpty)
        }
    }

    @Test(arguments: ["2.6.78", "4.19.0-26-amd64", "5.7.19", "5.7-rc1"])
    func `a kernel that does not report failed writes is reported`(release: String) {
        #expect(SyncLimitation.all(fileSystemType: Self.ext4, kernelRelease: release) == [.unreportedWriteErrors])
        #expect(
            SyncLimitation.all(fileSystemType: Self.fuse, kernelRelease: release)
                == [.fileServer, .unreportedWriteErrors])
    }

    @Test(arguments: ["5.8.0", "5.8-rc1", "5.10.0-33-amd64", "6.1.0-13-amd64", "10.0", "", "unknown", "5"])
    func `a later or unknown kernel is not reported`(release: String) {
        #expect(SyncLimitation.all(fileSystemType: Self.ext4, kernelRelease: release).isEmpty)
    }

    @Test func `the limitations of a path that does not exist are unknown`() {
        #expect(SyncLimitation.all(at: "/nowhere/at/all").isEmpty)
    }

    @Test(arguments: [SyncLimitation.fileServer, .unreportedWriteErrors])
    func `a warning names the directory`(limitation: SyncLimitation) {
        #expect(limitation.warning(about: "/home/me/data").contains("'/home/me/data'"))
    }
}
