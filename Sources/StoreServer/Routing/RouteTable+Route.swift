import Hummingbird
import StoreDownloads
import StoreModel

extension RouteTable {
    /// A row of the table.
    struct Route: Sendable {
        let method: HTTPRequest.Method
        /// As the router wants it: `:name` for one part, `**` for all that follow.
        let path: String
        let endpoint: Endpoint?

        var segments: [Substring] { path.split(separator: "/") }

        /// The path as OpenAPI writes it.
        var template: String {
            "/"
                + segments.map { segment in
                    segment == "**" ? "{path}" : segment.hasPrefix(":") ? "{\(segment.dropFirst())}" : String(segment)
                }.joined(separator: "/")
        }

        /// Whether the path of a request, which is in pieces, is this resource's.
        func matches(_ asked: [Substring]) -> Bool {
            let own = segments
            let isOpen = own.last == "**"
            let fixed = isOpen ? own.count - 1 : own.count
            guard isOpen ? asked.count > fixed : asked.count == fixed else { return false }
            return zip(own.prefix(fixed), asked).allSatisfy { $0.hasPrefix(":") || $0 == $1 }
        }

        /// Whether answers have a tag that a request may name.
        var isConditional: Bool { method == .get && endpoint?.isConditional == true }

        /// Whether the answer depends on the language of whoever asks.
        var hasLanguage: Bool { endpoint?.parameters.contains { $0.name == "Accept-Language" } == true }

        /// Whether it is an order that is given without a body.
        var takesNoBody: Bool {
            endpoint != nil && endpoint?.body == nil && [.post, .put, .patch].contains(method)
        }

        /// All that a request may say beside its body, the parts of the path first.
        var parameters: [Parameter] {
            var parameters = segments.filter { $0 == "**" || $0.hasPrefix(":") }
                .map { $0 == "**" ? "path" : String($0.dropFirst()) }
                .filter { name in endpoint?.parameters.contains { $0.name == name && $0.place == .path } == false }
                .map { Parameter.path($0, .name, Self.parts[$0] ?? $0) }
            parameters += endpoint?.parameters ?? []
            if isConditional {
                parameters.append(
                    .header("If-None-Match", .text, "Tags of what is there already: 304 where it is one of them."))
            }
            return parameters
        }

        private static let parts = [
            "id": "A productIdentifier.", "store": "The name of a store.", "name": "The name of a store.",
            "operation": "The id of an operation.", "key": "The name of a setting.",
            "path": "A file of the pack: relative, its parts apart by `/` or `%2F`.",
        ]

        /// All that it can refuse, or fail with.
        var problems: [ErrorCode] {
            var problems: [ErrorCode] = [.requestMalformed, .shuttingDown, .unexpected]
            if endpoint?.body != nil { problems.append(.requestMediaType) }
            if endpoint?.body != nil || takesNoBody { problems.append(.requestTooLarge) }
            return problems + (endpoint?.problems ?? [])
        }
    }
}
