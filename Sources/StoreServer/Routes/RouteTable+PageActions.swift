import Hummingbird
import StoreEngine
import StoreModel
import StoreSettings

extension RouteTable {
    /// Adds the HTTP routes of the forms on the browser front-end's pages.
    ///
    /// Each does what a request of the interface does, and leads back to the page from which it was sent.
    ///
    /// - Parameter operations: receives the operations that are begun.
    mutating func addPageActions(_ manager: StoreManager, _ pages: PageResponder, operations: BegunOperations) {
        addPackActions(manager, pages)
        consentForm(
            "/actions/downloads", pages,
            plan: { form in
                try await manager.installs.plan([.init(form["productIdentifier"] ?? "", store: form["store"])])
            },
            { form in
                let installation = try await manager.installs.install(
                    form["productIdentifier"] ?? "", store: form["store"], consent: Consent(form: form),
                    agreed: form.words("agreed").map(Set.init))
                operations.insert(installation.operation)
            })
        action("/actions/downloads/:id/:action", pages) { request, _ in
            let identifier = try request.identifier()
            switch try request.identifier("action") {
            case "pause": _ = try await manager.downloads.change(identifier, paused: true)
            case "resume": _ = try await manager.downloads.change(identifier, paused: false)
            case "cancel": _ = try await manager.downloads.cancel(identifier)
            default: throw request.unknownAction
            }
        }
        consentForm(
            "/actions/updates", pages, plan: { form in try await manager.updates.plan(form.words("packs")) },
            { form in
                let outcomes = try await manager.updates.update(
                    form.words("packs"), consent: Consent(form: form), agreed: form.words("agreed").map(Set.init))
                for outcome in outcomes { operations.insert(outcome.operation) }
                if let error = outcomes.lazy.compactMap(\.error).first { throw error }
            })
        action("/actions/purchases/:id", pages) { request, _ in
            _ = try await manager.purchases.grant(request.identifier())
        }
        addStickerActions(manager, pages)
        action("/actions/skin", pages) { _, form in try await manager.useSkin(form["identifier"]) }
        action("/actions/emoji", pages) { _, form in _ = try await manager.useEmojiSet(form["identifier"]) }
        action("/actions/stores/:name/:action", pages) { request, _ in
            let name = try request.identifier("name")
            switch try request.identifier("action") {
            case "refresh": _ = try await manager.stores.refresh([name])
            case "remove": try await manager.stores.remove(name)
            default: throw request.unknownAction
            }
        }
        action("/actions/config/:key", pages) { request, form in
            let key = try SettingKey(named: request.identifier("key"))
            _ =
                form["unset"] == nil
                ? try await manager.set(key, to: form["value"] ?? "") : try await manager.unset(key)
        }
    }

    private mutating func addPackActions(_ manager: StoreManager, _ pages: PageResponder) {
        form("/actions/packs/:id/:action", pages) { request, form in
            let identifier = try request.identifier()
            var next = request.pageBefore
            switch try request.identifier("action") {
            case "remove":
                _ = try await manager.packs.uninstall(identifier, using: nil, agreed: nil)
                // The page of a product that no store offers existed only because of its pack.
                if let (product, store) = request.productBefore,
                    (try? await manager.products.product(product, store: store, languages: [])) == nil
                {
                    next = "/library"
                }
            case "hold": _ = try await manager.packs.setHeld(identifier, true)
            case "release": _ = try await manager.packs.setHeld(identifier, false)
            case "rollback": _ = try await manager.packs.rollBack(identifier)
            case "repair": _ = try await manager.packs.repair(identifier, consent: Consent(form: form))
            default: throw request.unknownAction
            }
            return Response(status: .seeOther, headers: [.location: next])
        }
    }

    /// Adds a route of a form; after its handler, the browser shows the page again from which the form was sent.
    mutating func action(
        _ path: String, _ pages: PageResponder,
        _ handler: @escaping @Sendable (APIRequest, [String: String]) async throws -> Void
    ) {
        form(path, pages) { request, form in
            try await handler(request, form)
            return Response(status: .seeOther, headers: [.location: request.pageBefore])
        }
    }

    /// Adds a route of a form, as ``action(_:_:_:)`` does, whose handler may need the user's consent.
    ///
    /// - Parameter plan: returns what the handler will do once the user consents; the page that asks for consent shows it.
    private mutating func consentForm(
        _ path: String, _ pages: PageResponder,
        plan: @escaping @Sendable ([String: String]) async throws -> ChangePlan,
        _ handler: @escaping @Sendable ([String: String]) async throws -> Void
    ) {
        on(.post, path) { request in
            var form: [String: String] = [:]
            do {
                form = try await request.form()
                try await handler(form)
                return Response(status: .seeOther, headers: [.location: request.pageBefore])
            } catch {
                let lacksConsent = ErrorReport(error).code == .consentNeeded
                return pages.response(
                    error, to: request, form: form, plan: lacksConsent ? try? await plan(form) : nil)
            }
        }
    }

    /// Adds a route of a form whose handler returns the response; its error is shown as a page.
    mutating func form(
        _ path: String, _ pages: PageResponder,
        _ handler: @escaping @Sendable (APIRequest, [String: String]) async throws -> Response
    ) {
        on(.post, path) { request in
            var form: [String: String] = [:]
            do {
                form = try await request.form()
                return try await handler(request, form)
            } catch {
                return pages.response(error, to: request, form: form)
            }
        }
    }
}

extension APIRequest {
    fileprivate var unknownAction: StoreError {
        StoreError(.resourceNotFound, ["path": .untrusted(httpRequest.uri.path)])
    }

    /// The product whose page the user comes from, with the store in the page's path; `nil` for any other page.
    fileprivate var productBefore: (product: String, store: String?)? {
        let segments = pageBefore.prefix { $0 != "?" }.split(separator: "/").map { PathSegment.decode($0) ?? "" }
        guard segments.first == "store" else { return nil }
        switch segments.count {
        case 2: return (segments[1], nil)
        case 3: return (segments[2], segments[1])
        default: return nil
        }
    }
}

extension [String: String] {
    /// Returns the words of a form's field (``PageField/words(_:)``); `nil` if the form does not have the field.
    func words(_ field: String) -> [String]? {
        self[field]?.split(separator: " ").map { PathSegment.decode($0) ?? String($0) }
    }
}

extension Consent {
    /// Reads the consent of a form: `PRODUCT=PERMISSION`, separated by spaces; a product is encoded as in a path.
    fileprivate init(form: [String: String]) {
        var products: [String: Set<Permission>] = [:]
        for pair in (form["consent"] ?? "").split(separator: " ") {
            guard let mark = pair.lastIndex(of: "="), let product = PathSegment.decode(pair[..<mark]) else { continue }
            products[product, default: []].insert(
                Permission(rawValue: String(pair[pair.index(after: mark)...])))
        }
        self.init([], toProducts: products)
    }
}
