import StoreClient
import StoreModel
import StoreSystem

private func storeClientSample() async throws {
    // sample
    let client = try StoreClient(home: .current())
    let installation = try await client.install("org.example.cups")
    let pack = try await installation.finished { status in
        print(status.state.rawValue, status.fraction ?? 0)
    }
    print(pack.path)
    // end
}
