import FoundationEssentials
import Hummingbird
import StoreMessages
import StoreModel
import StoreWebPages

/// What the handlers of the browser front-end's pages need: the renderer, and the headers of every page.
struct PageResponder: Sendable {
    private let renderer = PageRenderer()

    /// Returns the number of the last event.
    private let lastEvent: @Sendable () -> Int

    init(lastEvent: @escaping @Sendable () -> Int = { 0 }) { self.lastEvent = lastEvent }

    /// Returns the response with a page that a function makes, or with the page that says why it failed.
    func response(
        to request: APIRequest, _ make: (APIRequest) async throws -> any Page
    ) async -> Response {
        let sequence = lastEvent()
        do { return response(try await make(request), in: request.language, sequence: sequence) } catch {
            return response(error, to: request)
        }
    }

    /// Returns the redirection to a path that a function finds, or the page that says why it failed.
    func redirection(of request: APIRequest, to path: (APIRequest) async throws -> String) async -> Response {
        do {
            return Response(
                status: .seeOther, headers: [.location: try await path(request), .cacheControl: "private, no-cache"])
        } catch {
            return response(error, to: request)
        }
    }

    /// The policy of every page: no script, style or picture of another origin is loaded, and no inline one runs.
    static let contentSecurityPolicy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        + "manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

    /// The header fields of every page.
    private static let headers: HTTPFields = [
        .contentSecurityPolicy: contentSecurityPolicy, .xContentTypeOptions: "nosniff",
        .cacheControl: "private, no-cache", .vary: "Accept-Language",
    ]

    /// Returns the response with a page.
    private func response(
        _ page: some Page, in language: Language, sequence: Int, status: HTTPResponse.Status = .ok
    ) -> Response {
        var headers = Self.headers
        headers[.contentType] = "text/html; charset=utf-8"
        let html = renderer.html(page, in: language, sequence: sequence)
        return Response(
            status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: html)))
    }

    /// Returns the response with a page that shows nothing that events change.
    func response(_ page: some Page, in language: Language, status: HTTPResponse.Status) -> Response {
        response(page, in: language, sequence: lastEvent(), status: status)
    }

    /// Returns the page that says why a request of a browser failed, or that asks for the consent that it lacks.
    ///
    /// - Parameters:
    ///   - form: the fields of the form that the browser sent.
    ///   - plan: what the request will do once the user consents; `nil` if it is not known.
    func response(
        _ error: any Error, to request: APIRequest, form: [String: String] = [:], plan: ChangePlan? = nil
    ) -> Response {
        let texts = PageText(request.language)
        let report = texts.report(error)
        let status = HTTPResponse.Status(for: report.code)
        let back = request.pageBefore
        if report.code == .consentNeeded, report.requestingProduct != nil, !report.permissions.isEmpty {
            return response(
                ConsentPage(
                    report, plan: plan, action: request.httpRequest.uri.path, form: form, back: back,
                    languages: request.languages, texts),
                in: request.language, status: status)
        }
        return response(ErrorPage(report, back: back, texts), in: request.language, status: status)
    }
}

extension APIRequest {
    /// The fields of the HTML form that is the body of the HTTP request.
    ///
    /// - Throws: `request.media-type`, `request.too-large`, or `request.malformed`.
    func form() async throws -> [String: String] {
        let header = httpRequest.headers[.contentType] ?? ""
        let type = header.lowercased().split(separator: ";").first.map(String.init) ?? ""
        let buffer = try await bodyBytes()
        if type == MultipartForm.mediaType { return try MultipartForm.parse(buffer, contentType: header) }
        guard buffer.readableBytes == 0 || type == "application/x-www-form-urlencoded" else {
            throw StoreError(.requestBodyNotForm, ["type": .untrusted(type)])
        }
        return try QueryParameters.parse(String(buffer: buffer))
    }

    /// The path of the page from which the user comes, from the header `Referer`; the first page if it is missing.
    var pageBefore: String {
        guard let referer = httpRequest.headers[.referer], let url = URL(string: referer),
            url.path().hasPrefix("/"), !url.path().hasPrefix("//"), !url.path().hasPrefix("/actions")
        else { return "/store" }
        // A plan, or the result of a verification, is for one decision; afterwards its page has nothing to show.
        if [UpdatePlanPage.path, ConfirmationPage.removalPath, VerificationPage.path].contains(url.path()) {
            return "/library"
        }
        return url.path() + (url.query().map { "?" + $0 } ?? "")
    }
}
