import ArgumentParser
import FoundationEssentials
import StoreModel
import StoreSystem
import StoreTerminal
import StoreTransfers

/// `stored fetch`, which `storectl fetch` runs: the transfer engine on its own, without a home and without the daemon.
struct FetchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch",
        abstract: "Downloads files, and does nothing else with them.",
        discussion: """
            Each goes into a file of its own name in the current folder, side by side. A file that is here in part \
            (NAME.part) is gone on with where --sha256 can prove the end of it, or the server says that it is still the \
            same. http_proxy and its kin hold as for curl.

            Where --mirror gives further addresses of a file, one that fails costs no wait while another is left; with \
            --sha256 what has come is kept from one to the next.

            For example:
              storectl fetch https://store.example/cups.zip
              storectl fetch https://store.example/cups.zip --output /tmp/c.zip --sha256 6e1f…
            """)

    @Argument(help: ArgumentHelp("Addresses: https, http or file.", valueName: "url"))
    var urls: [String]

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The file to write; for several, or with a / at its end, the folder.", valueName: "path"))
    var output: String?

    @Option(help: ArgumentHelp("What the content must be; one for each address, in their order.", valueName: "hex"))
    var sha256: [String] = []

    @Option(
        name: .customLong("mirror"),
        help: ArgumentHelp(
            "Another address of the same file, any number of times; for one file only.", valueName: "url")
    )
    var mirrors: [String] = []

    @Option(name: .customLong("header"), help: ArgumentHelp("A line to send with each request.", valueName: "line"))
    var headers: [String] = []

    @Option(help: ArgumentHelp("Connections to one server at once.", valueName: "n"))
    var connections = 4

    @Option(help: ArgumentHelp("Files at once.", valueName: "n"))
    var parallel = 256

    @Option(help: ArgumentHelp("Bytes a second for all together; k, M and G stand for thousands.", valueName: "n"))
    var limitRate: ByteCount?

    @Option(help: ArgumentHelp("Refuse what is longer; k, M and G stand for thousands.", valueName: "n"))
    var maximumSize: ByteCount?

    @Option(help: ArgumentHelp("How often to try, counted from the last attempt that brought bytes.", valueName: "n"))
    var attempts = 4

    @Option(help: ArgumentHelp("Seconds for making a connection.", valueName: "s"))
    var connectTimeout = 30

    @Option(help: ArgumentHelp("Seconds for the server to begin its answer.", valueName: "s"))
    var answerTimeout = 30

    @Option(help: ArgumentHelp("Seconds without a byte that are taken for the end.", valueName: "s"))
    var stallTimeout = 30

    @Option(
        help: ArgumentHelp(
            "Bytes a second that are too few, over the time of --stall-timeout; k, M and G stand for thousands.",
            valueName: "n"))
    var slowestRate: ByteCount?

    @Option(help: ArgumentHelp("Seconds for a whole transfer; 0 is no limit.", valueName: "s"))
    var wholeTimeout = 0

    @Option(
        help: ArgumentHelp("The proxy for all addresses, as curl takes it (socks5h://host:port).", valueName: "url"))
    var proxy: String?

    @Option(help: ArgumentHelp("Hosts that are asked without a proxy, with commas between them.", valueName: "hosts"))
    var noProxy: String?

    @Option(help: ArgumentHelp("Certificates (PEM) to trust instead of the machine's.", valueName: "file"))
    var certificates: String?

    @Flag(help: "Print one JSON document instead of text.")
    var json = false

    @Flag(name: .shortAndLong, help: "Say nothing but errors.")
    var quiet = false

    func validate() throws {
        for (name, value) in [
            ("--connections", connections), ("--parallel", parallel), ("--attempts", attempts),
            ("--connect-timeout", connectTimeout), ("--answer-timeout", answerTimeout),
            ("--stall-timeout", stallTimeout),
        ] where value < 1 { throw ValidationError("\(name) is at least 1.") }
        guard wholeTimeout >= 0 else { throw ValidationError("--whole-timeout is 0 or more.") }
        guard sha256.isEmpty || sha256.count == urls.count else {
            throw ValidationError("There are \(urls.count) addresses and \(sha256.count) hashes.")
        }
        for hex in sha256 where SHA256Digest(hex: hex) == nil {
            throw ValidationError("'\(hex)' is no SHA-256: that is 64 hexadecimal digits.")
        }
        guard mirrors.isEmpty || urls.count == 1 else {
            throw ValidationError("--mirror is for one file; \(urls.count) addresses were given.")
        }
        for line in headers where !line.dropFirst().contains(":") {
            throw ValidationError("'\(line)' is no header: that is a name, a colon and a value.")
        }
    }

    func run() async throws {
        let console = Console(
            program: "storectl", json: json, quiet: quiet, environment: ProcessInfo.processInfo.environment)
        let files = try wanted()
        let engine = try TransferEngine(
            configuration: TransferConfiguration(
                connectionsPerHost: connections, connections: nil, connectionsPerFile: connections,
                certificates: certificates, proxy: proxy, noProxy: noProxy))
        if let limitRate { engine.setLimits(BandwidthLimits(total: limitRate.bytes)) }
        let batch = FetchBatch(
            engine: engine, retry: RetryPolicy(attempts: attempts), parallel: parallel, console: console)
        let results = await batch.run(files)
        await engine.shutdown()
        if json { console.document(["results": results]) }
        for result in results {
            if let error = result.error { console.warn(error.message) }
        }
        throw FetchEnd(code: FetchEnd.code(of: results))
    }

    /// What to bring from where to where.
    private func wanted() throws -> [FetchBatch.File] {
        var fields = TransferHeaders()
        for line in headers {
            let parts = line.split(separator: ":", maxSplits: 1).map { $0.drop { $0 == " " } }
            fields.add(String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
        }
        var request = TransferRequest(
            URL(filePath: "/"), headers: fields, sizeLimit: maximumSize?.bytes,
            timeouts: TransferTimeouts(
                connect: .seconds(connectTimeout), answer: .seconds(answerTimeout),
                stall: StallLimit(
                    bytes: max(1, (slowestRate?.bytes ?? 0).multipliedOrMost(by: stallTimeout)),
                    in: .seconds(stallTimeout)),
                whole: wholeTimeout == 0 ? nil : .seconds(wholeTimeout)))
        var files: [FetchBatch.File] = []
        var paths: Set<String> = []
        for (index, text) in urls.enumerated() {
            let url = try Self.address(text)
            request.url = url
            let path = try path(for: url)
            guard paths.insert(path).inserted else {
                throw ValidationError("Two of the addresses would be written to '\(path)'. Fetch them one by one.")
            }
            files.append(
                FetchBatch.File(
                    request: request, mirrors: try mirrors.map(Self.address), path: path,
                    expected: ExpectedContent(sha256: sha256.isEmpty ? nil : SHA256Digest(hex: sha256[index]))))
        }
        return files
    }

    private static func address(_ text: String) throws -> URL {
        guard let url = URL(string: text), url.scheme != nil else {
            throw ValidationError("'\(text)' is no address; it should begin with https:// or http://.")
        }
        return url
    }

    private func path(for url: URL) throws -> String {
        if let output, urls.count == 1, !output.hasSuffix("/") { return output }
        let name = url.lastPathComponent
        guard !name.isEmpty, name != "/", name != ".", name != "..", !name.contains("/") else {
            throw ValidationError("'\(url.absoluteString)' names no file. Say with --output how to call it.")
        }
        guard let output else { return name }
        return output.hasSuffix("/") ? output + name : output + "/" + name
    }
}

extension Int {
    fileprivate func multipliedOrMost(by other: Int) -> Int {
        let (product, isTooLarge) = multipliedReportingOverflow(by: other)
        return isTooLarge ? Int.max : product
    }
}

extension ByteCount: ExpressibleByArgument {}

/// The end of a fetch whose failures were told already.
struct FetchEnd: Error {
    let code: StoreModel.ExitCode

    /// 0 where none failed, the common code where all failed alike, else 10.
    static func code(of results: [FetchBatch.Result]) -> StoreModel.ExitCode {
        let codes = Set(results.map { $0.error?.code.exitCode ?? .done })
        return codes.count == 1 ? codes.first ?? .done : .partial
    }
}
