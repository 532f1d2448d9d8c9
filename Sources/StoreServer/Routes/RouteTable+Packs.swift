import Hummingbird
import StoreAPI
import StoreDownloads
import StoreEngine
import StoreLibrary
import StoreModel
import StoreOpenAPI
import StoreSkins

extension RouteTable {
    /// Adds the HTTP routes below `/v1/packs`: the installed packs and their files.
    mutating func addPacks(_ manager: StoreManager) {
        let cache = ResponseCache<PackListing.Version>()
        get(
            "/v1/packs",
            Endpoint(
                "packs", "The installed packs, in the order of their names.",
                [
                    .query("kind", .nonEmptyText, "Only packs of this kind."),
                    .query("updatable", .boolean, "Only packs whose store offers a newer version."),
                    .query(
                        "unneeded", .boolean,
                        "Only packs that were installed for other products, and that nothing needs any more."),
                ] + .languages + .pages("The maximum number of packs; all by default."),
                .ok(PackList.self, "The packs."))
        ) { request in
            let listing = try await manager.packs.listing()
            return try request.response(from: cache, version: listing.version) {
                let packs = listing.packs(
                    kind: request.query("kind").map(ProductKind.init), updatableOnly: request.flag("updatable"),
                    unneededOnly: request.flag("unneeded"),
                    languages: request.languages)
                let page = try request.page(of: packs) { [$0.name, $0.productIdentifier] }
                let isWhole = ["kind", "updatable", "unneeded", "limit", "after"].allSatisfy {
                    request.query($0) == nil
                }
                // A ``PackList``.
                var document = LargeDocument()
                try document.add("missing", isWhole ? listing.missing : [])
                if let next = page.next { try document.add("next", next) }
                try document.addArray("packs", page.elements)
                return try document.data()
            }
        }
        get(
            "/v1/packs/:id",
            Endpoint(
                "pack", "One pack.", .languages, .ok(InstalledPack.self, "The pack."), errors: [.packMissing])
        ) { request in
            try request.response(await manager.packs.pack(request.identifier(), languages: request.languages))
        }
        on(
            .patch, "/v1/packs/:id",
            Endpoint(
                "changePack", "Holds a pack, or releases it.", body: PackChangeRequest.self,
                .ok(InstalledPack.self, "The pack after the change."),
                errors: [.packMissing, .packByHand, .productBusy])
        ) { request in
            let change = try await request.body(PackChangeRequest.self)
            return try .json(await manager.packs.setHeld(request.identifier(), change.held))
        }
        on(
            .delete, "/v1/packs/:id",
            Endpoint(
                "uninstall", "Uninstalls a pack, its previous version included.",
                [
                    .query("use", .nonEmptyText, "If the pack is the skin in use: the skin to use instead."),
                    .query(
                        "agreed", .nonEmptyText,
                        "The `id` of the pack's step in a plan that the user agreed to. If another version of the pack "
                            + "is installed by now, it is not removed: the error is `conflict.plan-changed`. If absent, "
                            + "any version is removed."),
                ],
                .ok(Uninstallation.self, "The pack is removed."),
                errors: [
                    .packMissing, .productBusy, .packNeeded, .packInUse, .packByHand, .skinNeeded, .planChanged,
                ] + ErrorCode.ofSkins)
        ) { request in
            let identifier = try request.identifier()
            let dependencies = try await manager.packs.dependencies(of: identifier)
            let record = try await manager.packs.uninstall(
                identifier, using: request.query("use"), agreed: request.query("agreed").map { [$0] })
            return try .json(Uninstallation(record, unneeded: await manager.packs.unneeded(of: dependencies)))
        }
        addPackActions(manager)
        addThumbnails(manager)
        get(
            "/v1/packs/:id/files/**",
            Endpoint(
                "packFile", "A file of a pack; all its bytes are of one version.",
                [
                    .query(
                        "operation", .nonEmptyText,
                        "The `operation` of a pack: only files of the version that it installed, which are available "
                            + "while that is the installed or the previous version.")
                ] + .ofFiles, .ok(.file, "The file."), .partialContent(.file),
                errors: [.packMissing, .packReplaced, .servedFileMissing, .requestRange])
        ) { request in
            let operation = request.query("operation").map(OperationID.init(rawValue:))
            return try await request.fileResponse {
                try await manager.packs.directory(of: request.identifier(), operation: operation)
            }
        }
    }

    /// Adds the HTTP routes for the actions on a pack, except its removal: rollback, verify and repair.
    private mutating func addPackActions(_ manager: StoreManager) {
        on(
            .post, "/v1/packs/:id/rollback",
            Endpoint(
                "rollback", "Restores the previous version, and holds it.",
                .ok(OperationRecord.self, "The previous version is installed."),
                errors: [.packMissing, .noPrevious, .productBusy, .packByHand, .packInUse, .consentNeeded])
        ) { request in
            try .json(await manager.packs.rollBack(request.identifier()))
        }
        on(
            .post, "/v1/packs/:id/verify",
            Endpoint(
                "verify", "Compares a pack's files with what was installed.",
                .ok(VerificationDocument.self, "The files that differ."),
                errors: [.packMissing, .packByHand, .receiptDamaged, .productBusy])
        ) { request in
            let identifier = try request.identifier()
            let damages = try await request.cancelledOnClose { try await manager.packs.verify(identifier) }
            return try .json(VerificationDocument(productIdentifier: identifier, damages: damages))
        }
        on(
            .post, "/v1/packs/:id/repair",
            Endpoint(
                "repair", "Replaces the damaged files of a pack.",
                .ok(example: Installation.exampleOfInstalled, "The pack is intact."),
                .accepted(Installation.self, "The download that repairs the pack."),
                errors: [.packMissing] + ErrorCode.ofProducts + ErrorCode.ofInstalling)
        ) { request in
            try .install(await manager.packs.repair(request.identifier()))
        }
    }
}
