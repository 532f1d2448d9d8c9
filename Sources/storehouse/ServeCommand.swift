import ArgumentParser
import FoundationEssentials
import StorePublishing
import StoreServer
import StoreSystem
import StoreTrust

struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve a store on this machine for testing",
        discussion: """
            Prints the URL on the first line of output, and then the command with which a client adds the store: 'storectl \
            store add NAME URL' with '--fingerprint HEX' or '--root FILE' for a signed store, and with '--unsigned' for \
            one that is not signed. Listens on the loopback interface only: to publish a store, serve its directory \
            'public' with a web server. Press Ctrl-C to stop.
            """)

    @OptionGroup var store: StoreArgument
    @Option(help: ArgumentHelp("Port to listen on; 0 chooses a free one", valueName: "n"))
    var port = 0

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("--port must be from 0 to 65535") }
    }

    func run() async throws {
        let store = try store.open()
        let option = try Self.trustOption(of: store)
        try await StaticFileServer(directory: store.publicPath, port: port).run { url in
            Output.console.line(url.absoluteString)
            guard let option else { return }
            Output.console.hint("add it to a client with 'storectl store add NAME \(url.absoluteString) \(option)'")
        }
    }

    /// Returns the option of `storectl store add` with which a client accepts the store.
    ///
    /// The result is `nil` for a publisher's directory, which is no store.
    private static func trustOption(of store: Storehouse) throws -> String? {
        guard !store.isOfPublisher else { return nil }
        return try store.isSigned ? "--fingerprint \(RootFingerprint(of: store.firstRoot().bytes))" : "--unsigned"
    }
}
