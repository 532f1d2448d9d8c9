import StoreModel
public import StoreSystem

extension SkinsManager {
    /// Finds the skins and loads the one that was chosen before, or the default.
    ///
    /// Where that can't be loaded, the nearest skin that it inherits from is used, then the default, then any that came with
    /// the application; ``SkinStatus/problem`` says so. This does not fail: at the worst, a skin is in use that says nothing.
    @discardableResult
    public func start() async -> SkinStatus {
        withState { $0.choice = .read(settings.choiceFile) }
        return await refresh()
    }

    /// Looks for skins again, and loads the one in use again where it changed: after a pack was installed, updated or
    /// removed. What can't be loaded any more is dealt with as in ``start()``.
    @discardableResult
    public func refresh() async -> SkinStatus {
        // Nothing in it throws.
        try? await work.run { [self] in
            let found = settings.finder.find()
            let choice = withState { state in
                state.found = found
                return state.choice
            }
            let (skin, problem) = loadable(choice, found)
            show(skin, choice: choice, problem: problem)
            // What is left over costs space only.
            try? compiled.removeAll(but: Array(found.skins.keys))
        }
        await objects.applyToAll()
        return status
    }

    /// Uses a skin from now on: loads it, keeps that it was chosen, tells those who watch, and returns when it was applied
    /// to all objects.
    ///
    /// - Parameter identifier: `nil` is the default, or what can stand in for it where it can't be loaded, as in
    ///   ``start()``.
    /// - Throws: `skin.not-found`, `skin.parent-missing`, `skin.parent-loop`, and all that reading it can fail with; what
    ///   the disk says. The skin in use stays in use then.
    @discardableResult
    public func use(_ identifier: String?) async throws -> SkinStatus {
        try await work.run { [self] in
            // It may have been installed a moment ago.
            let found = settings.finder.find()
            withState { $0.found = found }
            let (skin, problem): (ResolvedSkin, ErrorReport?) =
                if let identifier {
                    (try load(identifier, found, for: settings.idiom), nil)
                } else {
                    loadable(.none, found)
                }
            let choice = SkinChoice(skin: identifier, chain: skin.chain.map(\.identifier))
            try choice.write(settings.choiceFile)
            withState { $0.choice = choice }
            show(skin, choice: choice, problem: problem)
        }
        await objects.applyToAll()
        return status
    }

    // MARK: One skin

    /// A skin that need not be in use.
    ///
    /// - Parameter idiom: that of the settings where it is `nil`.
    /// - Throws: `skin.not-found`, and all that reading it can fail with.
    public func resolved(_ identifier: String, for idiom: SkinIdiom? = nil) async throws -> ResolvedSkin {
        try await work.run { [self] in
            let idiom = idiom ?? settings.idiom
            return try load(identifier, settings.finder.find(), for: idiom)
        }
    }

    /// Makes the compiled form of a skin for every idiom, whether or not there is one: after it was installed.
    ///
    /// - Returns: what was not understood and left out.
    /// - Throws: `skin.not-found`, and all that reading it can fail with; what the disk says.
    @discardableResult
    public func compile(_ identifier: String) async throws -> [SkinWarning] {
        try await work.run { [self] in
            let chain = try chain(of: identifier, settings.finder.find())
            var warnings = WarningList()
            for idiom in SkinIdiom.all {
                let made = try compiled.compile(chain, for: idiom)
                if let error = made.notKept { throw error }
                for warning in made.warnings { warnings.add(warning) }
            }
            return warnings.all
        }
    }

    /// As ``check(_:)``, for a folder that somebody names.
    ///
    /// - Parameter path: absolute.
    /// - Throws: also `skin.not-found` where there is no folder, or none that can be opened.
    public func check(folderAt path: String) async throws -> [SkinWarning] {
        guard path.hasPrefix("/") else {
            throw SkinError(.skinMissing, "'\(path)' is no absolute path. Name the skin's folder from / on.")
        }
        let folder = try await work.run {
            do throws(FileError) {
                return try Directory.open(path)
            } catch {
                if error.isPassing { throw error }
                throw SkinError(.skinMissing, "There is no skin's folder. \(error.message)")
            }
        }
        return try await check(folder)
    }

    /// Checks a folder that need not be among those that are found; what it inherits from must be.
    ///
    /// - Returns: what is not understood in its files and in those that it inherits from.
    /// - Throws: ``SkinError`` with file and line where a file is refused; what the disk says.
    public func check(_ folder: Directory) async throws -> [SkinWarning] {
        try await work.run { [self] in
            let found = settings.finder.find()
            let chain = try SkinFolder.chain(from: SkinFolder(folder, origin: .preinstalled)) { found.skins[$0] }
            return try compiled.reader.check(chain)
        }
    }

    // MARK: Loading

    private func chain(of identifier: String, _ found: SkinFinder.Found) throws -> [SkinFolder] {
        try SkinFolder.chain(of: identifier) { found.skins[$0] }
    }

    private func load(
        _ identifier: String, _ found: SkinFinder.Found, for idiom: SkinIdiom
    ) throws -> ResolvedSkin {
        try compiled.load(chain(of: identifier, found), for: idiom).skin
    }

    /// The first skin that can be loaded of those that may stand in for what was chosen, and why it is not that.
    private func loadable(_ choice: SkinChoice, _ found: SkinFinder.Found) -> (ResolvedSkin, ErrorReport?) {
        // An application without skins lacks nothing.
        if choice.skin == nil, found.skins.isEmpty { return (.nothing(for: settings.idiom), nil) }
        let chosen = choice.skin ?? settings.defaultSkin
        var parents: [String] = []
        var next = found.skins[chosen]?.information.parent
        while let parent = next, !parents.contains(parent) {
            parents.append(parent)
            next = found.skins[parent]?.information.parent
        }
        let others = found.skins.values.filter { $0.origin == .preinstalled }.map(\.identifier)
        let candidates =
            [chosen] + parents + choice.chain + [settings.defaultSkin] + others.sorted { $0.isBefore($1) }
        var (tried, problem): (Set<String>, ErrorReport?) = ([], nil)
        for candidate in candidates where tried.insert(candidate).inserted {
            do {
                return (try load(candidate, found, for: settings.idiom), problem)
            } catch {
                problem = problem ?? ErrorReport(error)
            }
        }
        return (.nothing(for: settings.idiom), problem)
    }

    /// Puts a skin in the place of the one in use. Objects have it when ``SkinnedObjects/applyToAll()`` has run.
    private func show(_ skin: ResolvedSkin, choice: SkinChoice, problem: ErrorReport?) {
        let vocabulary = settings.vocabulary
        let applied = AppliedSkin(skin, vocabulary)
        let before = withState { $0.applied }
        let changed =
            before?.identifiers(changedIn: applied, vocabulary) ?? skin.identifiers
        withState { $0.applied = applied }
        let chain = skin.chain.map(\.identifier)
        let status = SkinStatus(chosen: choice.skin, chain: chain == [""] ? [] : chain, problem: problem)
        if before == nil || !changed.isEmpty || status != board.status { objects.set(skin) }
        board.set(skin, status, changed: changed)
    }
}
