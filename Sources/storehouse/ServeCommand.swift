import ArgumentParser
import FoundationEssentials
import StorePublishing
import StoreServer
import StoreSystem

struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve a store on this machine for testing",
        discussion: """
            Prints the URL on the first line of output; add it to a client with 'storectl store add NAME URL \
            --unsigned'. Listens on the loopback interface only: to publish a store, serve its directory 'public' with a \
            web server. Press Ctrl-C to stop.
            """)

    @OptionGroup var store: StoreArgument
    @Option(help: ArgumentHelp("Port to listen on; 0 chooses a free one", valueName: "n"))
    var port = 0

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("--port must be from 0 to 65535") }
    }

    func run() async throws {
        try await StaticFileServer(directory: store.open().publicPath, port: port).run { url in
            Output.console.line(url.absoluteString)
        }
    }
}
