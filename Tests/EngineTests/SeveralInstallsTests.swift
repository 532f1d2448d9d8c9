import StoreEngine
import StoreModel
import StoreTestSupport
import Testing

/// Products that are installed with one request.
@Suite(.hangGuard)
struct SeveralInstallsTests {
    private let home: EngineHome
    init() throws { home = try EngineHome() }

    @Test func `several products are installed, whatever becomes of one of them`() async throws {
        let store = try FileStore(
            .init("a"), .init("b", dependencies: ["a", "c"]), .init("c"), .init("gone"), .init("present"))
        store["gone"].withdrawn = true
        try store.publish()
        let manager = try await home.open(using: store)
        let present = try await manager.installed("present")
        let names = ["b", "none", "a", "gone", "present", "b"]
        let results = try await manager.installs.install(names, store: nil)
        #expect(results.count == names.count)
        let first = try results[0].get()
        #expect(Set(first.dependencies) == ["a", "c"] && !first.joined)
        for (index, code) in [(1, ErrorCode.productUnknown), (3, .productWithdrawn)] {
            #expect(await failure { _ = try results[index].get() } == code)
        }
        #expect(try results[2].get().joined && results[5].get().operation == first.operation)
        #expect(try results[4].get().operation == present.operation && results[4].get().download == nil)
        #expect(try await manager.end(of: first).state == .finished)
        #expect(Set(try await manager.packs.list().map(\.productIdentifier)) == ["a", "b", "c", "present"])
        // The first of the dependencies was asked for by name, too.
        _ = try await manager.packs.uninstall("b")
        #expect(try await manager.packs.list(unneededOnly: true).map(\.productIdentifier) == ["c"])
        await manager.close()
    }

    @Test func `an unknown store is an error of each product`() async throws {
        let manager = try await home.open(using: FileStore(.init("a"), .init("b")))
        for result in try await manager.installs.install(["a", "b"], store: "other") {
            #expect(await failure { _ = try result.get() } == .storeUnknown)
        }
        #expect(try await manager.installs.install([], store: nil).isEmpty)
        #expect(try await manager.history.operations().isEmpty)
        await manager.close()
    }

    @Test func `several products need the steps that the user agreed to`() async throws {
        let manager = try await home.open(using: FileStore(.init("a"), .init("b")))
        let plan = try await manager.installs.plan([ChangePlan.Product("a")])
        let results = try await manager.installs.install(["a", "b"], store: nil, agreed: plan.agreement)
        #expect(try await manager.end(of: results[0].get()).state == .finished)
        #expect(await failure { _ = try results[1].get() } == .planChanged)
        await manager.close()
    }
}
