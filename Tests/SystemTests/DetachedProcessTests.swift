import StoreSystem
import StoreTestSupport
import Testing

@Suite struct DetachedProcessTests {
    @Test func `a program runs although it is no longer observed from the moment of its start`() async throws {
        let folder = try TemporaryFolder()
        let errors = try Directory.open("/dev").openFile("null")
        for number in 0..<100 {
            try DetachedProcess.start(["/usr/bin/touch", "\(folder.path)/\(number)"], errors: errors).release()
        }
        try await eventually { try folder.directory.names().count == 100 }
    }
}
