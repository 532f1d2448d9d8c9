import ArgumentParser
import FoundationEssentials
import StorePublishing
import StoreServer
import StoreSystem

struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve a store on this machine, to try it out.",
        discussion: """
            The address is the first line of the output; add it to a client with \
            'storectl store add NAME ADDRESS --unsigned'. Only this machine is served. For others, put the folder \
            'public' behind a web server. Ctrl-C ends it.
            """)

    @OptionGroup var store: StoreArgument
    @Option(help: ArgumentHelp("The port to listen on; 0 picks one that is free.", valueName: "n"))
    var port = 0

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("A port is a number from 0 to 65535.") }
    }

    func run() async throws {
        try await StaticFileServer(directory: store.open().publicPath, port: port).run { url in
            print(url.absoluteString)
            // Whoever starts it as a part of something larger reads the address through a pipe.
            FileDescriptor.flushStreams()
        }
    }
}
