import FoundationEssentials
import StoreModel
import StorePublishing
import StoreSystem
import StoreTestSupport
import StoreTrust
import Testing

/// Damaged files, and other mistakes in what signs a store.
extension SignedStoreTests {
    @Test func `a damaged file of lifetimes is named`() throws {
        try sign()
        try workshop.store().setLifetime(30, of: .targets)
        for damage in ["", "{", #"{"targets": "long"}"#] {
            try Directory.open(workshop.storePath + "/metadata").replace("lifetimes.json", with: Data(damage.utf8))
            let error = try #require(throws: StoreError.self) { try publish() }
            #expect(error.code == .storeDamaged && error.message.contains("/metadata/lifetimes.json'"), "\(error)")
        }
    }

    @Test func `an agent that can't be started is an error of the agent`() throws {
        try sign()
        // Longer than the system allows for one argument of a program.
        let agent = String(repeating: " ", count: 1 << 20)
        let error = try #require(throws: StoreError.self) { try publish(KeyRing(agent: agent)) }
        #expect(error.code == .keyAgent, "\(error)")
    }
}
