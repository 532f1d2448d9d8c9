import FoundationEssentials
import Hummingbird
import StoreEngine
import StoreModel
import StoreWebPages

extension RouteTable {
    /// Adds the HTTP routes of the pages for stores and access tokens, with their forms.
    mutating func addSettingsPages(_ manager: StoreManager, _ web: WebListener, _ pages: PageResponder) {
        page(StoreForm.path, pages) { AddStorePage(StoreForm(), $0.texts) }
        page("/settings/stores/:name", pages) { request in
            let name = try request.identifier("name")
            return StoreTrustPage(
                try await manager.stores.store(name), try await manager.stores.trust(in: name), request.texts)
        }
        form("/actions/stores", pages) { request, fields in
            let form = StoreForm(fields)
            do {
                let store = try await manager.stores.add(form)
                return Response(status: .seeOther, headers: [.location: StoreTrustPage.path(of: store.name)])
            } catch {
                let report = request.texts.report(error)
                return pages.response(
                    form.page(after: report, request.texts), in: request.language,
                    status: HTTPResponse.Status(for: report.code)
                ).notStored
            }
        }
        addTokenPages(web, pages)
    }

    private mutating func addTokenPages(_ web: WebListener, _ pages: PageResponder) {
        page(TokensPage.path, pages) { TokensPage(web.access.tokens, $0.texts) }
        page(TokensPage.path + "/:id", pages) { request in
            let identifier = try request.identifier()
            guard let token = web.access.tokens.first(where: { $0.id == identifier }) else {
                throw StoreError(.webTokenUnknown, ["token": .untrusted(identifier)])
            }
            return ConfirmationPage(revoking: token, request.texts)
        }
        form("/actions/tokens", pages) { request, form in
            do {
                let created = try web.access.createToken(
                    form["name"] ?? "", scopes: TokensPage.scopes(in: form), at: Date())
                return pages.response(
                    TokensPage(web.access.tokens, created: created, request.texts), in: request.language, status: .ok
                ).notStored
            } catch {
                let report = request.texts.report(error)
                return pages.response(
                    TokensPage(web.access.tokens, error: report, form: form, request.texts), in: request.language,
                    status: HTTPResponse.Status(for: report.code))
            }
        }
        form("/actions/tokens/:id/revoke", pages) { request, _ in
            try web.access.revokeToken(request.identifier())
            return Response(status: .seeOther, headers: [.location: TokensPage.path])
        }
    }
}

extension StoreRegistry {
    /// Adds the store of a form.
    fileprivate func add(_ form: StoreForm) async throws -> StoreSummary {
        try await add(
            name: form.storeName, url: Self.url(form.address), unsigned: form.isUnsigned,
            root: form.root.map { .data(Data($0.utf8)) } ?? form.rootAddress.map { .url(try Self.url($0)) },
            fingerprint: form.fingerprint,
            priority: form.priority.map { text in
                guard let number = Int(text) else {
                    throw StoreError(
                        .requestParameterInvalid, ["parameter": "priority", "reason": "must be a whole number"])
                }
                return number
            }, token: form.token, netrc: form.usesNetrc ? true : nil)
    }

    private static func url(_ text: String) throws -> URL {
        guard let url = URL(string: text), url.scheme != nil else {
            throw StoreError(.invalidStoreAddress, ["url": .untrusted(text)])
        }
        return url
    }
}

extension StoreForm {
    /// Returns the page after an error: a question that the user can answer, or the form with the reason.
    fileprivate func page(after error: ErrorReport, _ texts: PageText) -> any Page {
        if let fingerprint = error.rootFingerprint { return ConfirmationPage(trusting: fingerprint, of: self, texts) }
        if error.code == .storeUnsigned { return ConfirmationPage(addingUnsigned: self, texts) }
        return AddStorePage(self, error: error, texts)
    }
}

extension Response {
    /// The response as one that no browser stores, because its page contains a secret.
    fileprivate var notStored: Response {
        var response = self
        response.headers[.cacheControl] = "no-store"
        return response
    }
}
