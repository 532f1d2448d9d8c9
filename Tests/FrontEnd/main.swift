import Foundation
import StoreClient

let product = CommandLine.arguments.dropFirst().first ?? "org.example.cups"
do {
    let client = try StoreClient()  // starts the daemon with the first request, if it is not running
    let pack = try await client.install(product).finished { status in
        print(status.state.rawValue, status.fraction.map { "\(Int($0 * 100)) %" } ?? "")
    }
    print("Installed in", pack.path)
} catch let error as any CodedError {
    print("error:", error.message)  // error.code is stable: .productUnknown, .consentNeeded and others
    if let hint = error.hint { print("hint:", hint) }
    exit(error.code.exitCode.rawValue)
}
