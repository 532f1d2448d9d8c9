import ArgumentParser
import FoundationEssentials
import StoreMessages
import StoreModel
import StoreSystem
import StoreTerminal
import StoreTransfers

/// The program that `storectl fetch` runs: downloads files with the transfer engine, without the daemon.
@main
struct FetchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "storectl fetch",
        abstract: "Download files without installing them",
        discussion: """
            Downloads in parallel into the current directory, each file under the last part of its URL. An existing file \
            is replaced once the new one is complete. An interrupted download (NAME.part) is resumed if --sha256 is \
            given, or if the server that sent it confirms by its entity tag that the file is unchanged. A file that \
            another process is downloading is left alone (exit code 7). The environment variables http_proxy, \
            https_proxy, all_proxy and no_proxy apply as in curl.

            If a source given with --mirror fails, the next one is tried without delay. With --sha256, bytes received \
            from one source are kept when switching to another.

            Ctrl-C and failures keep the received bytes in NAME.part, and leave no file without any. With '--output -' a \
            file is written to standard output once it is complete and verified.

            Examples:
              storectl fetch https://store.example/cups.zip
              storectl fetch https://store.example/cups.zip --output /tmp/c.zip \\
                --sha256 6e1f…
              storectl fetch https://store.example/list.json --output - | less
            """)

    @Argument(help: ArgumentHelp("URLs to download (https, http or file)", valueName: "url"))
    var urls: [String]

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Output file, or - for standard output; a directory if it is one, if it ends with /, or for several URLs",
            valueName: "path"),
        completion: .file())
    var output: String?

    @Option(help: ArgumentHelp("Expected SHA-256, one for each URL in the same order", valueName: "hex"))
    var sha256: [String] = []

    @Option(
        name: .customLong("mirror"),
        help: ArgumentHelp("Additional URL of the same file; repeatable, for a single file only", valueName: "url"))
    var mirrors: [String] = []

    @Option(
        name: .customLong("header"),
        help: ArgumentHelp("Header to send with each request; repeatable", valueName: "line")
    )
    var headers: [String] = []

    @Option(help: ArgumentHelp("Maximum connections per server", valueName: "n"))
    var connections = 4

    @Option(help: ArgumentHelp("Maximum parallel downloads", valueName: "n"))
    var parallel = 256

    @Option(
        help: ArgumentHelp(
            "Total bandwidth limit in bytes per second; suffixes k, M, G (powers of 1000)", valueName: "n"))
    var limitRate: ByteCountArgument?

    @Option(help: ArgumentHelp("Maximum file size in bytes; suffixes k, M, G (powers of 1000)", valueName: "n"))
    var maximumSize: ByteCountArgument?

    @Option(help: ArgumentHelp("Maximum attempts in a row that receive no bytes", valueName: "n"))
    var attempts = 4

    @Option(help: ArgumentHelp("Time limit for connecting, in seconds", valueName: "s"))
    var connectTimeout = 30

    @Option(help: ArgumentHelp("Time limit until the response begins, in seconds", valueName: "s"))
    var answerTimeout = 30

    @Option(help: ArgumentHelp("Fail an attempt after this many seconds without data", valueName: "s"))
    var stallTimeout = 30

    @Option(
        help: ArgumentHelp(
            "Minimum speed in bytes per second, averaged over --stall-timeout; suffixes k, M, G", valueName: "n"))
    var slowestRate: ByteCountArgument?

    @Option(help: ArgumentHelp("Time limit for a whole transfer, in seconds; 0 for none", valueName: "s"))
    var wholeTimeout = 0

    @Option(help: ArgumentHelp("Proxy for all URLs, as in curl (for example socks5h://host:port)", valueName: "url"))
    var proxy: String?

    @Option(help: ArgumentHelp("Hosts to contact without a proxy, separated by commas", valueName: "hosts"))
    var noProxy: String?

    @Option(help: ArgumentHelp("Certificates (PEM) to trust instead of the system's", valueName: "file"))
    var certificates: String?

    @Flag(help: "Wait until each file is on the disk, so that it survives a power cut")
    var sync = false

    @Flag(help: "Print one JSON document")
    var json = false

    @Flag(name: .shortAndLong, help: "Suppress progress output")
    var quiet = false

    @Option(help: "When to color the output")
    var color = ColorChoice.auto

    // Every command of storectl accepts these; they have no effect on this one.
    @Option(help: .hidden)
    var home: String?
    @Flag(help: .hidden)
    var noPager = false

    func validate() throws {
        let year = 365 * 24 * 60 * 60
        for (name, value, range) in [
            ("--connections", connections, 1...256), ("--parallel", parallel, 1...256),
            ("--attempts", attempts, 1...1_000_000), ("--connect-timeout", connectTimeout, 1...year),
            ("--answer-timeout", answerTimeout, 1...year), ("--stall-timeout", stallTimeout, 1...year),
            ("--whole-timeout", wholeTimeout, 0...year),
        ] where !range.contains(value) {
            throw ValidationError(
                EnglishText.filled(
                    "{option} must be from {first} to {last}",
                    ["option": name, "first": "\(range.lowerBound)", "last": "\(range.upperBound)"]))
        }
        guard sha256.isEmpty || sha256.count == urls.count else {
            throw ValidationError(
                EnglishText.filled(
                    "{urls} URLs but {hashes} hashes given",
                    ["urls": "\(urls.count)", "hashes": "\(sha256.count)"]))
        }
        for hex in sha256 where SHA256Digest(hex: hex) == nil {
            throw ValidationError(
                EnglishText.filled("invalid SHA-256 '{hash}': expected 64 hexadecimal digits", ["hash": hex]))
        }
        guard mirrors.isEmpty || urls.count == 1 else {
            throw ValidationError(
                EnglishText.filled(
                    "--mirror requires exactly one URL, but {number} were given", ["number": "\(urls.count)"]))
        }
        if isToStandardOutput {
            guard urls.count == 1 else {
                throw ValidationError(
                    EnglishText.filled(
                        "'--output -' requires exactly one URL, but {number} were given", ["number": "\(urls.count)"]))
            }
            guard !json, !sync else {
                throw ValidationError(EnglishText.filled("'--output -' can't be combined with --json or --sync"))
            }
        }
        if let proxy, ProxyAddress(proxy) == nil {
            throw ValidationError(
                EnglishText.filled(
                    "invalid proxy '{proxy}': expected [scheme://]host[:port]", ["proxy": proxy]))
        }
        for line in headers where !line.dropFirst().contains(":") {
            throw ValidationError(
                EnglishText.filled("invalid header '{header}': expected 'Name: value'", ["header": line]))
        }
    }

    func run() async throws {
        let console = self.console
        let files = try requestedFiles()
        let engine = TransferEngine(
            configuration: TransferConfiguration(
                connectionsPerHost: connections, connections: nil, connectionsPerFile: connections,
                certificates: certificates, proxy: proxy, noProxy: noProxy))
        if let limitRate { engine.setLimits(BandwidthLimits(total: limitRate.bytes)) }
        let batch = FetchBatch(
            engine: engine, retry: RetryPolicy(attempts: attempts), parallel: parallel, isDurable: sync,
            console: console)
        let results = try await Interrupts.cancelling { await batch.run(files) }
        await engine.shutdown()
        report(results)
        throw ArgumentParser.ExitCode(Self.exitCode(of: results).rawValue)
    }

    private var isToStandardOutput: Bool { output == FetchTarget.outputPath }

    private func report(_ results: [FetchBatch.Result]) {
        if json { console.document(["results": results]) }
        var isInterrupted = false
        for error in results.compactMap(\.error) {
            // Ctrl-C ends all downloads, and is reported once.
            guard error.code != .interrupted || !isInterrupted else { continue }
            if error.code == .interrupted { isInterrupted = true }
            console.error(error)
        }
        for partial in results.compactMap(\.partial) {
            let values = ["size": AmountFormat.bytes(partial.size, console.messages), "path": partial.path]
            console.note(
                partial.isResumable
                    ? console.messages.text("kept {size} in '{path}'; run the command again to resume", values)
                    : console.messages.text("kept {size} in '{path}'; only --sha256 can resume it", values))
        }
    }

    private var console: Console {
        Self.console(json: json, quiet: quiet, color: color)
    }

    private static func console(json: Bool, quiet: Bool, color: ColorChoice = .auto) -> Console {
        let environment = ProcessInfo.processInfo.environment
        return Console(
            json: json, quiet: quiet, color: color, language: Language(environment: environment),
            environment: environment)
    }

    /// Returns the exit code of a download of several files.
    ///
    /// It is 0 if no file failed, 130 after Ctrl-C, the common code if all failed with the same one, else 10.
    private static func exitCode(of results: [FetchBatch.Result]) -> StoreModel.ExitCode {
        let codes = Set(results.map { $0.error?.code.exitCode ?? .done })
        if codes.contains(.interrupted) { return .interrupted }
        return codes.count == 1 ? codes.first ?? .done : .partial
    }

    static func main() async {
        do {
            let command = try parse()
            try await command.run()
        } catch let end as ArgumentParser.ExitCode {
            CurrentProcess.exit(end.rawValue)
        } catch {
            CurrentProcess.exit(end(with: error).rawValue)
        }
    }

    /// Prints help, or the error of an invalid command line or environment, and returns the exit code.
    private static func end(with error: any Error) -> StoreModel.ExitCode {
        // The parser may have rejected the command line, so that the parsed option is not known.
        let wantsJSON = CommandLine.arguments.prefix { $0 != "--" }.contains("--json")
        let console = console(json: wantsJSON, quiet: false)
        if let error = error as? any CodedError {
            console.fail(ErrorReport(error))
            return error.code.exitCode
        }
        if exitCode(for: error).isSuccess {
            console.output.write(fullMessage(for: error) + "\n")
            return .done
        }
        console.usageError(message(for: error), help: "storectl fetch --help")
        return .usage
    }

    /// Returns the downloads that the command line describes, each with the file that it is written to.
    private func requestedFiles() throws -> [FetchBatch.File] {
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
                    bytes: max(1, (slowestRate?.bytes ?? 0).saturatingMultiplied(by: stallTimeout)),
                    in: .seconds(stallTimeout)),
                whole: wholeTimeout == 0 ? nil : .seconds(wholeTimeout)))
        var files: [FetchBatch.File] = []
        var paths: Set<String> = []
        for (index, text) in urls.enumerated() {
            let url = try Self.url(text)
            request.url = url
            let path = try path(for: url)
            let written = FetchTarget.paths(writtenFor: path)
            if let common = written.first(where: { paths.contains($0) }) {
                throw ValidationError(
                    EnglishText.filled(
                        "two of the URLs would be written to '{path}'; fetch them one by one", ["path": common]))
            }
            paths.formUnion(written)
            files.append(
                FetchBatch.File(
                    request: request, mirrors: try mirrors.map(Self.url), path: path,
                    expected: ExpectedContent(sha256: sha256.isEmpty ? nil : SHA256Digest(hex: sha256[index]))))
        }
        return files
    }

    private static func url(_ text: String) throws -> URL {
        guard let url = URL(string: text), url.scheme != nil else {
            throw ValidationError(
                EnglishText.filled("invalid URL '{url}': expected https://…, http://… or file:///…", ["url": text]))
        }
        return url
    }

    private func path(for url: URL) throws -> String {
        if isToStandardOutput { return FetchTarget.outputPath }
        if let output, urls.count == 1, !output.hasSuffix("/"), !FilePaths.isDirectory(output) { return output }
        let name = url.lastPathComponent
        // The system would take what is before a zero for the name.
        guard !name.isEmpty, name != "/", name != ".", name != "..", !name.contains("/"), !name.utf8.contains(0) else {
            throw ValidationError(
                EnglishText.filled(
                    "'{url}' contains no file name; set one with --output", ["url": url.absoluteString]))
        }
        guard let output else { return name }
        return output.hasSuffix("/") ? output + name : output + "/" + name
    }
}

extension Int {
    fileprivate func saturatingMultiplied(by other: Int) -> Int {
        let (product, isTooLarge) = multipliedReportingOverflow(by: other)
        return isTooLarge ? Int.max : product
    }
}

extension ByteCountArgument: ExpressibleByArgument {}

extension ColorChoice: ExpressibleByArgument {}
