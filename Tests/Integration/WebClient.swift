import Foundation
import StoreTestSupport
import Testing

/// Requests to the web listener of a real daemon, as a browser or a program sends them.
struct WebClient: Sendable {
    /// The address of the pages, without a path.
    let origin: String
    /// The value of the header `Cookie` with the session; `nil` for a client that is not logged in.
    var cookie: String?

    struct Answer: Sendable {
        let status: Int
        /// The status line and the header fields, in lower case.
        let head: String
        let body: String
        /// The values of the header fields, by their names in lower case.
        let headers: [String: String]
    }

    /// The error of a request that got no response.
    struct Unreachable: Error, CustomStringConvertible { let description: String }

    /// Switches the pages of a home on, and logs a client in.
    static func logIn(_ home: TestHome) async throws -> WebClient {
        let link = try await link(home)
        let address = try #require(URL(string: link))
        var client = WebClient(origin: "http://\(address.host() ?? ""):\(address.port ?? 0)")
        let answer = try await client.get(String(link.dropFirst(client.origin.count)))
        try #require(answer.status == 303, "\(answer)")
        let cookie = try #require(answer.head.range(of: "storectl-session="))
        client.cookie = "storectl-session=" + answer.head[cookie.upperBound...].prefix { $0 != ";" }
        return client
    }

    /// Opens a one-time link as a browser does, and follows the redirections.
    ///
    /// - Returns: the path of the page at the end, with its query, and the page.
    static func follow(_ link: String) async throws -> (path: String, answer: Answer) {
        let address = try #require(URL(string: link))
        var client = WebClient(origin: "http://\(address.host() ?? ""):\(address.port ?? 0)")
        var path = String(link.dropFirst(client.origin.count))
        for _ in 0..<5 {
            let answer = try await client.get(path, ["Accept": "text/html"])
            if let cookie = answer.headers["set-cookie"]?.split(separator: ";").first { client.cookie = String(cookie) }
            guard answer.status == 303 else { return (path, answer) }
            path = try #require(answer.headers["location"])
            try #require(path.hasPrefix("/") && !path.hasPrefix("//"), "the redirection leads elsewhere: \(path)")
        }
        throw Unreachable(description: "\(link): too many redirections")
    }

    /// Switches the pages of a home on, and returns a one-time link.
    static func link(_ home: TestHome) async throws -> String {
        let web = try await home.must("web", "--no-open", "--json").json
        return try #require(web["link"]?.text)
    }

    func get(_ path: String, _ headers: [String: String] = [:]) async throws -> Answer {
        try await send("GET", path, headers)
    }

    /// Sends the form of a page.
    func post(_ path: String, _ form: String = "", _ headers: [String: String] = [:]) async throws -> Answer {
        let own = ["Content-Type": "application/x-www-form-urlencoded", "Origin": origin]
        return try await send("POST", path, own.merging(headers) { $1 }, body: form)
    }

    func send(
        _ method: String, _ path: String, _ headers: [String: String] = [:], body: String? = nil
    ) async throws -> Answer {
        var arguments = ["-q", "--silent", "--show-error", "--include", "--noproxy", "*", "-X", method, origin + path]
        var all = headers
        if let cookie, all["Cookie"] == nil { all["Cookie"] = cookie }
        for (name, value) in all { arguments += ["-H", "\(name): \(value)"] }
        if let body { arguments += ["--data-binary", body] }
        let result = try await Programs.run(
            "/usr/bin/curl", arguments, environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C"])
        guard result.exit == 0 else { throw Unreachable(description: "curl \(arguments): \(result)") }
        let parts = result.output.components(separatedBy: "\r\n\r\n")
        let status = Int(parts[0].split(separator: " ").dropFirst().first ?? "") ?? 0
        let fields = parts[0].components(separatedBy: "\r\n").dropFirst().compactMap { line in
            line.firstIndex(of: ":").map { end in
                (line[..<end].lowercased(), line[end...].dropFirst().trimmingCharacters(in: .whitespaces))
            }
        }
        return Answer(
            status: status, head: parts[0].lowercased(), body: parts.dropFirst().joined(separator: "\r\n\r\n"),
            headers: Dictionary(fields) { first, _ in first })
    }
}
