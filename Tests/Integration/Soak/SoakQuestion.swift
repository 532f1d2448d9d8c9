import Foundation
import StoreModel
import StoreTestSupport

/// A request of a soak run, and the refusals that a daemon without a defect may respond with.
struct SoakQuestion: Sendable {
    let method: String
    let path: String
    let body: String?
    /// The error codes that are permitted because of what other clients do.
    let refusals: [ErrorCode]
    /// Whether one of the refusals is the only right response.
    let isRefused: Bool

    private init(_ method: String, _ path: String, _ body: String?, refusals: [ErrorCode], isRefused: Bool) {
        (self.method, self.path, self.body) = (method, path, body)
        (self.refusals, self.isRefused) = (refusals, isRefused)
    }

    /// A request that succeeds, unless one of `refusals` is permitted.
    init(_ method: String, _ path: String, _ body: String? = nil, or refusals: [ErrorCode] = []) {
        self.init(method, path, body, refusals: refusals, isRefused: false)
    }

    /// A request that is always refused, with one of these codes.
    static func refused(_ method: String, _ path: String, _ body: String? = nil, with codes: ErrorCode...) -> Self {
        SoakQuestion(method, path, body, refusals: codes, isRefused: true)
    }

    static func cancel(_ product: String) -> Self {
        SoakQuestion("DELETE", "/v1/downloads/\(product)", or: [.downloadMissing, .downloadEnded])
    }

    /// Returns why a response is not one that the question permits; `nil` if it is.
    func fault(of answer: SoakConnection.Answer) -> String? {
        let text =
            "\(method) \(path) \(body ?? ""): \(answer.status) \(String(decoding: answer.body.prefix(500), as: UTF8.self))"
        if answer.status < 400 {
            guard (200..<300).contains(answer.status), !isRefused else { return "not expected: \(text)" }
            return nil
        }
        // A response to HEAD has no body; all refusals of these requests have one status.
        if method == "HEAD", answer.body.isEmpty {
            return !refusals.isEmpty && answer.status == 404 ? nil : "not expected: \(text)"
        }
        let problem = answer.json
        guard answer.isProblem, let word = problem["code"].text, let documented = DocumentedErrorCodes.all[word],
            problem["status"].number == Double(answer.status)
        else { return "no documented code: \(text)" }
        if let documented, problem["exitCode"].number != Double(documented) {
            return "documented with exit code \(documented): \(text)"
        }
        return refusals.contains { $0.rawValue == word } ? nil : "not expected: \(text)"
    }
}

extension SoakQuestion {
    /// Returns requests for every resource, including invalid ones.
    ///
    /// The store "spare" is the same as "shop", with lower priority.
    static func all(_ product: String, _ store: String) -> [SoakQuestion] {
        reading(product) + refusedReading(product) + downloads(product) + packs(product) + others(product, store)
    }

    private static func reading(_ product: String) -> [SoakQuestion] {
        let always = [
            "/v1/status", "/metrics", "/v1/snapshot", "/v1/stores", "/v1/stores/shop", "/v1/products",
            "/v1/products?words=shared&sort=newest", "/v1/products?kind=sticker&free=true",
            "/v1/products/shop/\(product)", "/v1/products/\(product)", "/v1/downloads", "/v1/operations?limit=20",
            "/v1/operations?product=\(product)", "/v1/packs", "/v1/packs?updatable=true", "/v1/updates",
            "/v1/purchases", "/v1/stickers", "/v1/config", "/v1/config/log.level",
        ]
        let installed = [
            "/v1/packs/\(product)", "/v1/packs/\(product)/files/VERSION", "/v1/packs/\(product)/files/01.webp",
            "/v1/stickers/\(product)",
        ]
        var questions: [SoakQuestion] = always.map { SoakQuestion("GET", $0) }
        questions += installed.map { SoakQuestion("GET", $0, or: [.packMissing]) }
        questions.append(SoakQuestion("GET", "/v1/stores/spare", or: [.storeUnknown]))
        questions.append(SoakQuestion("GET", "/v1/downloads/\(product)", or: [.downloadMissing]))
        questions.append(SoakQuestion("HEAD", "/v1/packs/\(product)", or: [.packMissing]))
        questions.append(SoakQuestion("HEAD", "/v1/packs/\(product)/files/01.webp", or: [.packMissing]))
        return questions
    }

    private static func refusedReading(_ product: String) -> [SoakQuestion] {
        [
            .refused("GET", "/v1/products/shop/none", with: .productUnknown),
            .refused("GET", "/v1/products/shop/\(product)/previews/0", with: .noPreview),
            .refused("GET", "/v1/operations/none", with: .operationUnknown),
            .refused("GET", "/v1/packs/\(product)/files/none", with: .servedFileMissing, .packMissing),
            .refused("GET", "/v1/config/none", with: .settingsUnknownKey),
            .refused("GET", "/v1/nothing", with: .resourceUnknown),
            .refused("GET", "/v1/packs/%zz", with: .requestMalformed),
            .refused("GET", "/v1/operations?limit=many", with: .requestMalformed),
            .refused("GET", "/v1/events?after=x", with: .requestMalformed),
        ]
    }

    private static func downloads(_ product: String) -> [SoakQuestion] {
        let (one, all) = ("/v1/downloads/\(product)", "/v1/downloads")
        let wanted = #"{"productIdentifier":"\#(product)"}"#
        let missing = [ErrorCode.downloadMissing, .downloadEnded]
        return [
            SoakQuestion("POST", all, wanted, or: [.productBusy]),
            SoakQuestion("POST", all, wanted, or: [.productBusy]),
            SoakQuestion("POST", all, wanted, or: [.productBusy]),
            .refused("POST", all, #"{"productIdentifier":"none"}"#, with: .productUnknown),
            .refused("POST", all, "{", with: .requestMalformed),
            SoakQuestion("PATCH", one, #"{"paused":true}"#, or: missing),
            SoakQuestion("PATCH", one, #"{"paused":false,"priority":3}"#, or: missing),
            .refused("PATCH", one, #"{"colour":1}"#, with: .requestMalformed), .cancel(product),
        ]
    }

    private static func packs(_ product: String) -> [SoakQuestion] {
        let (one, missing) = ("/v1/packs/\(product)", [ErrorCode.packMissing, .productBusy])
        return [
            SoakQuestion("PATCH", one, #"{"held":true}"#, or: missing),
            SoakQuestion("PATCH", one, #"{"held":false}"#, or: missing), SoakQuestion("DELETE", one, or: missing),
            SoakQuestion("DELETE", one, or: missing),
            SoakQuestion("POST", one + "/rollback", or: missing + [.noPrevious]),
            SoakQuestion("POST", one + "/verify", or: missing), SoakQuestion("POST", one + "/repair", or: missing),
        ]
    }

    private static func others(_ product: String, _ store: String) -> [SoakQuestion] {
        [
            SoakQuestion("POST", "/v1/updates", #"{"productIdentifiers":["\#(product)"]}"#),
            SoakQuestion("POST", "/v1/refresh"),
            SoakQuestion(
                "POST", "/v1/stores", #"{"name":"spare","url":"\#(store)","unsigned":true,"priority":-1}"#),
            SoakQuestion("DELETE", "/v1/stores/spare", or: [.storeUnknown]),
            SoakQuestion("PUT", "/v1/purchases/\(product)"),
            SoakQuestion("DELETE", "/v1/purchases/\(product)", or: [.notOnList]),
            SoakQuestion("PUT", "/v1/config/log.level", #"{"value":"error"}"#),
            .refused("PUT", "/v1/config/log.level", #"{"value":"x"}"#, with: .settingsInvalid),
            .refused("PUT", "/v1/status", with: .methodUnknown),
        ]
    }
}
