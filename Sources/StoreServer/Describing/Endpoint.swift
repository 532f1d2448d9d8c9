import Hummingbird
import StoreModel

/// What one method of one resource takes and gives. The interface's document is made of these, and each request is
/// held to its own before the route sees it.
struct Endpoint: Sendable {
    /// Unique; for those who make a client from the document.
    let name: String
    let summary: String
    let parameters: [Parameter]
    /// The component that the request's body must be; `nil` where none is taken.
    let body: String?
    let answers: [Answer]
    /// What can be refused beside what any request may be refused for.
    let problems: [ErrorCode]

    private init(
        name: String, summary: String, parameters: [Parameter], body: String?, answers: [Answer], problems: [ErrorCode]
    ) {
        self.name = name
        self.summary = summary
        self.parameters = parameters
        self.body = body
        self.answers = answers
        self.problems = problems
    }

    init(
        _ name: String, _ summary: String, body: String? = nil, _ answers: Answer..., problems: [ErrorCode] = []
    ) {
        self.init(name: name, summary: summary, parameters: [], body: body, answers: answers, problems: problems)
    }

    init(
        _ name: String, _ summary: String, _ parameters: [Parameter], _ answers: Answer..., problems: [ErrorCode] = []
    ) {
        self.init(name: name, summary: summary, parameters: parameters, body: nil, answers: answers, problems: problems)
    }

    /// A success.
    struct Answer: Sendable {
        enum Content: Sendable {
            case none
            /// A JSON document, by the name of its component.
            case document(String)
            case events
            /// Text of a type of its own.
            case text(type: String)
            case file
            /// The document that describes the interface.
            case openAPI
            /// Figures in Prometheus' text form.
            case metrics
        }

        let status: HTTPResponse.Status
        let content: Content
        let summary: String

        static func ok(_ component: String, _ summary: String) -> Answer {
            Answer(status: .ok, content: .document(component), summary: summary)
        }

        static func ok(_ content: Content, _ summary: String) -> Answer {
            Answer(status: .ok, content: content, summary: summary)
        }

        static func created(_ component: String, _ summary: String) -> Answer {
            Answer(status: .created, content: .document(component), summary: summary)
        }

        static func accepted(_ component: String, _ summary: String) -> Answer {
            Answer(status: .accepted, content: .document(component), summary: summary)
        }

        static func noContent(_ summary: String) -> Answer {
            Answer(status: .noContent, content: .none, summary: summary)
        }

        /// What a file that can be had by ranges gives beside the whole of it.
        static let partialContent = Answer(
            status: .partialContent, content: .file, summary: "The bytes that `Range` asks for.")
        static let rangeNotSatisfiable = Answer(
            status: .rangeNotSatisfiable, content: .none, summary: "The range lies behind the file's end.")
    }

    /// Whether what it gives has a tag, so that who has it already need not be sent it again.
    var isConditional: Bool {
        answers.contains { answer in
            switch answer.content {
            case .document, .file, .text, .openAPI: answer.status == .ok
            case .none, .events, .metrics: false
            }
        }
    }
}

/// Something that a request says beside its body.
struct Parameter: Sendable {
    enum Place: String, Sendable { case path, query, header }

    let name: String
    let place: Place
    let schema: Schema
    let summary: String

    static func query(_ name: String, _ schema: Schema, _ summary: String) -> Parameter {
        Parameter(name: name, place: .query, schema: schema, summary: summary)
    }

    static func path(_ name: String, _ schema: Schema, _ summary: String) -> Parameter {
        Parameter(name: name, place: .path, schema: schema, summary: summary)
    }

    static func header(_ name: String, _ schema: Schema, _ summary: String) -> Parameter {
        Parameter(name: name, place: .header, schema: schema, summary: summary)
    }

    /// - Throws: `request.malformed` where the text is not what the parameter may be.
    func check(_ text: String) throws {
        let value: JSONValue =
            switch schema.shape {
            case .whole: Int(text).map(JSONValue.integer) ?? .string(text)
            case .flag: Bool(text).map(JSONValue.bool) ?? .string(text)
            default: .string(text)
            }
        do {
            try schema.check(value, with: [:])
        } catch {
            throw ServerError(.requestMalformed, "The parameter '\(name)' \(error.reason).")
        }
    }
}

extension [Parameter] {
    /// In which language names are wanted.
    static let languages = [
        Parameter.header(
            "Accept-Language", .text, "The languages that names are wanted in; what can't be read counts for nothing.")
    ]

    /// What a file may be asked for with.
    static let ofFiles = [
        Parameter.header("Range", .text, "One range of bytes is understood; of anything else the whole is given."),
        .header("If-Range", .text, "The tag or time for which the range holds."),
        .header("If-Modified-Since", .text, "The `Last-Modified` of what is there already."),
    ]

    /// What makes a list come in pieces.
    static func pages(of range: ClosedRange<Int> = 1...1000, _ summary: String) -> [Parameter] {
        [
            .query("limit", .whole(in: range), summary),
            .query("after", .name, "`next` of the piece before: what comes after it in the order is given."),
        ]
    }
}
