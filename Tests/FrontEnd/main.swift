import StoreClient

let product = CommandLine.arguments.dropFirst().first ?? "org.example.cups"
let client = try StoreClient()
let pack = try await client.install(product).finished { status in
    print(status.state.rawValue, status.fraction.map { "\(Int($0 * 100)) %" } ?? "")
}
print("Installed in", pack.path)
