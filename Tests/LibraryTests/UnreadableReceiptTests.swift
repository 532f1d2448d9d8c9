import Glibc
import StoreLibrary
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

/// Receipts that a process can't read for now, although nothing is wrong with them.
@Suite struct UnreadableReceiptTests {
    @Test func `a repair fails while the receipt of the installed version can't be read`() async throws {
        // In a process of its own, which runs out of file descriptors.
        await #expect(processExitsWith: .success) {
            let home = try LibraryHome()
            let library = try await home.open()
            try await library.bring("a", ["file": "1"], version: "1")
            try await library.bring("a", ["file": "2"], version: "2")
            _ = try await library.rollBack("a", operation: OperationID())
            let staged = try await library.stage(
                OperationID(), productIdentifier: "a", kind: .thing, keepingReplaced: false)
            try staged.directory.put("file", "1")
            let receipt = Receipt.of(["file": "1"], identifier: "a")

            var limit = rlimit(rlim_cur: 256, rlim_max: 256)
            #expect(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
            var taken: [Int32] = []
            var next = open("/dev/null", O_RDONLY)
            while next >= 0 {
                taken.append(next)
                next = open("/dev/null", O_RDONLY)
            }
            // One is left: enough for the pack's directory or for a new receipt, but not for the receipt in the pack.
            close(taken.removeLast())
            #expect {
                _ = try staged.addReceipt(receipt)
            } throws: { error in
                (error as? StoreError)?.isPassing == true
            }
            for descriptor in taken { close(descriptor) }
            let repaired = try await library.commit(staged, receipt: receipt)
            #expect(repaired.version == Version("1"))
            // What the rollback replaced is still not the previous version.
            #expect(await failure { _ = try await library.rollBack("a", operation: OperationID()) } == .noPrevious)
        }
    }
}
