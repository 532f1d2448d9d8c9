import StoreSystem
import Testing

@testable import StoreWorker

/// Tests what a service says of a program that can't be started.
@Suite struct WorkerAvailabilityTests {
    @Test func `a failed start is known without another one`() {
        let service = WorkerService(WorkerService.Settings(), program: InstalledProgram(path: "/bin/false"))
        let failed = service.availability.obstacle
        #expect(failed?.contains("the program does not work") == true, "\(failed ?? "")")
        #expect(service.expectedAvailability.obstacle == failed)
    }
}
