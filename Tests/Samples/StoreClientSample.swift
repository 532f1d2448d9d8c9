import StoreClient

private func storeClientSample() async throws {
    // sample
    let client = try StoreClient()
    let pack = try await client.install("org.example.cups").finished { status in
        print(status.state.rawValue, status.fraction ?? 0)
    }
    print("Installed in", pack.path)
    // end
}
