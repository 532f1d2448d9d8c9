import StoreClient
import StoreModel
import StoreSystem

let product = CommandLine.arguments.dropFirst().first ?? "org.example.cups"
let client = try StoreClient(home: .current())
let pack = try await client.install(product).finished { status in
    print(status.state.rawValue, status.fraction.map { "\(Int($0 * 100)) %" } ?? "")
}
print("It lies in", pack.path)
