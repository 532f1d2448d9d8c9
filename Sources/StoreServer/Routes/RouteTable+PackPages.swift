import Hummingbird
import StoreEngine
import StoreModel
import StoreWebPages

extension RouteTable {
    /// Adds the HTTP routes of the pages, with their forms, that remove, hold and verify several packs, and of the use of the disk.
    mutating func addPackPages(_ manager: StoreManager, _ pages: PageResponder) {
        // Reads the size of every file in the cache, so it is a page of its own.
        page(DiskUsePage.path, pages) { DiskUsePage(try await manager.diskUse(), $0.texts) }
        page(ConfirmationPage.removalPath, pages) { request in
            let listing = try await manager.packs.listing()
            let identifiers =
                request.flag("unneeded")
                ? listing.packs(unneededOnly: true).map(\.productIdentifier)
                : request.queryNames(after: LibraryPage.selectionPrefix)
            let packs = listing.packs(languages: request.languages)
            return ConfirmationPage(
                removing: identifiers, try await manager.packs.plan(removing: identifiers),
                names: packs.names,
                back: request.pageBefore, request.texts)
        }
        page(VerificationPage.path, pages) { request in
            let identifiers = request.queryNames(after: LibraryPage.selectionPrefix)
            let names = try await manager.packs.listing().packs(languages: request.languages).names
            let results = try await request.cancelledOnClose { try await manager.packs.verifications(of: identifiers) }
            return VerificationPage(
                zip(identifiers, results).map { identifier, result in
                    VerificationPage.Pack(
                        identifier, name: names[identifier] ?? identifier, outcome: .init(result), request.texts)
                }, back: request.pageBefore, request.texts)
        }
        form(ConfirmationPage.holdPath, pages) { request, form in
            let (identifiers, isHeld) = (form.names(after: LibraryPage.selectionPrefix), form["hold"] == "true")
            guard isHeld || form["hold"] == "false" else {
                throw StoreError(
                    .requestParameterInvalid, ["parameter": "hold", "reason": "must be 'true' or 'false'"])
            }
            let errors = try await manager.packs.setHeld(isHeld, identifiers)
            if errors.isEmpty, !identifiers.isEmpty {
                return Response(status: .seeOther, headers: [.location: request.pageBefore])
            }
            let names = try await manager.packs.listing().packs(languages: request.languages).names
            let page = ConfirmationPage(
                holding: isHeld, changed: identifiers.filter { errors[$0] == nil }.map { names[$0] ?? $0 },
                failures: identifiers.compactMap { name in errors[name].map { (name: names[name] ?? name, error: $0) }
                },
                back: request.pageBefore, request.texts)
            let status = identifiers.lazy.compactMap { errors[$0] }.first.map { HTTPResponse.Status(for: $0.code) }
            return pages.response(page, in: request.language, status: status ?? .ok)
        }
        form("/actions/removals", pages) { request, form in
            try await manager.packs.remove(form.words("packs") ?? [], agreed: Set(form.words("agreed") ?? []))
            return Response(status: .seeOther, headers: [.location: request.pageBefore])
        }
    }
}

extension [InstalledPack] {
    /// The display names of the packs by their product identifiers.
    var names: [String: String] { Dictionary(map { ($0.productIdentifier, $0.name) }) { $1 } }
}

extension [String: String] {
    /// Returns what follows a prefix in the names of a form's fields, in the order of the names.
    fileprivate func names(after prefix: String) -> [String] {
        keys.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }.sorted()
    }
}

extension VerificationPage.Outcome {
    fileprivate init(_ result: Result<PackVerification, any Error>) {
        switch result {
        case .success(let verification) where verification.damages.isEmpty: self = .intact(files: verification.files)
        case .success(let verification): self = .damaged(verification.damages)
        case .failure(let error): self = .failed(ErrorReport(error))
        }
    }
}

extension PacksManager {
    /// Holds or releases packs one after another; one that can't be changed does not keep the others.
    ///
    /// - Returns: the errors of the packs that were not changed, by product identifier.
    /// - Throws: `CancellationError`.
    fileprivate nonisolated func setHeld(
        _ isHeld: Bool, _ identifiers: [String]
    ) async throws -> [String: ErrorReport] {
        var errors: [String: ErrorReport] = [:]
        for identifier in identifiers {
            do { _ = try await setHeld(identifier, isHeld) } catch {
                try Task.checkCancellation()
                errors[identifier] = ErrorReport(error)
            }
        }
        return errors
    }

    /// Verifies packs one after another; one that can't be verified does not keep the others.
    ///
    /// - Returns: the results, in the order of the identifiers.
    /// - Throws: `CancellationError`.
    fileprivate nonisolated func verifications(
        of identifiers: [String]
    ) async throws -> [Result<PackVerification, any Error>] {
        var results: [Result<PackVerification, any Error>] = []
        for identifier in identifiers {
            do { results.append(.success(try await verification(of: identifier))) } catch {
                try Task.checkCancellation()
                results.append(.failure(error))
            }
        }
        return results
    }

    /// Removes packs together; one that can't be removed does not keep the others.
    ///
    /// - Parameters:
    ///   - identifiers: the product identifiers of the packs, in an order in which none comes before one that needs it.
    ///   - agreed: the identifiers of the steps of the plan that the user agreed to.
    /// - Throws: the error of the first pack that could not be removed.
    fileprivate func remove(_ identifiers: [String], agreed: Set<String>) async throws {
        var failure: (any Error)?
        for identifier in identifiers {
            do { _ = try await uninstall(identifier, using: nil, agreed: agreed) } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
    }
}
