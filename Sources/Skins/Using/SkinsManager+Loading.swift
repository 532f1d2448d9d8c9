public import StoreModel
public import StoreSystem

extension SkinsManager {
    /// Finds the skins, and loads the skin that the user chose, or the default skin.
    ///
    /// If that fails, the nearest ancestor that can be loaded is used, else the default skin, else any preinstalled
    /// skin, else an empty one; ``SkinStatus/problem`` contains the reason.
    @discardableResult
    public func start() async -> SkinStatus {
        withState { $0.choice = .read(settings.choiceFile) }
        return await refresh()
    }

    /// Searches for skins again, and reloads the skin in use if it changed.
    ///
    /// Call this method after a pack was installed, updated or removed. Falls back as ``start()`` does.
    @discardableResult
    public func refresh() async -> SkinStatus {
        // The closure does not throw.
        try? await work.run { [self] in
            let found = settings.finder.find()
            let choice = withState { state in
                state.found = found
                return state.choice
            }
            let (skin, problem) = loadable(choice, found)
            setCurrent(skin, choice: choice, problem: problem)
            // Files left by a failure only occupy space.
            try? compiled.removeAll(except: Array(found.skins.keys))
        }
        await objects.applyToAll()
        return status
    }

    /// Loads a skin, saves it as the user's choice, and returns after it was applied to all objects.
    ///
    /// - Parameter identifier: the skin to use; `nil` for the default skin, with the fallbacks of ``start()``.
    /// - Throws: `skin.not-found`, `skin.parent-missing`, `skin.parent-loop`, or another error of reading the skin; an error
    ///   of the file system. The skin in use does not change then.
    @discardableResult
    public func use(_ identifier: String?) async throws -> SkinStatus {
        try await work.run { [self] in
            // The skin may just have been installed.
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
            setCurrent(skin, choice: choice, problem: problem)
        }
        await objects.applyToAll()
        return status
    }

    // MARK: Other skins

    /// Loads a skin with all its values, without applying it.
    ///
    /// - Parameter idiom: the device idiom; `nil` for that of the settings.
    /// - Throws: `skin.not-found`, or another error of reading the skin.
    public func resolved(_ identifier: String, for idiom: SkinIdiom? = nil) async throws -> ResolvedSkin {
        try await work.run { [self] in
            let idiom = idiom ?? settings.idiom
            return try load(identifier, settings.finder.find(), for: idiom)
        }
    }

    /// Returns the picture of a chat in a skin, without applying the skin.
    ///
    /// - Parameter idiom: the device idiom; `nil` for that of the settings.
    /// - Throws: `skin.not-found`, or another error of reading the skin.
    public func picture(of identifier: String, for idiom: SkinIdiom? = nil) async throws -> ChatPicture {
        try await picture(of: resolved(identifier, for: idiom))
    }

    /// Returns the picture of a chat in a skin that ``resolved(_:for:)`` returned.
    public func picture(of skin: ResolvedSkin) async throws -> ChatPicture {
        try await work.run { [settings] in ChatPicture(skin, vocabulary: settings.vocabulary) }
    }

    /// The available skins at one moment, and why some of them, or their directories, can't be used.
    public struct Listing: Sendable {
        /// The available skins, in byte order of their identifiers.
        public let skins: [Skin]
        /// The errors of skins that can't be loaded, because of one of their files or of a skin that they inherit from, by
        /// the skin's identifier.
        public let defects: [String: ErrorReport]
        /// The errors of directories with a skin's extension that are no skins, by the directory's path.
        public let unreadable: [String: ErrorReport]
    }

    /// Searches the directories of skins again, loads each skin to find its errors, and returns the skins with the errors.
    ///
    /// A skin that a user places by hand is found in this way without a restart. The skin in use does not change.
    public func listing() async -> Listing {
        let result = try? await work.run { [self] () -> Listing in
            let found = settings.finder.find()
            withState { $0.found = found }
            var defects: [String: ErrorReport] = [:]
            for identifier in found.skins.keys {
                do { _ = try load(identifier, found, for: settings.idiom) } catch {
                    defects[identifier] = ErrorReport(error)
                }
            }
            return Listing(skins: Skin.sorted(found), defects: defects, unreadable: found.unreadable)
        }
        return result ?? Listing(skins: skins, defects: [:], unreadable: unreadable)
    }

    /// Compiles a skin from XML for every device idiom, even if its compiled files are up to date.
    ///
    /// - Returns: a warning for each item that was skipped.
    /// - Throws: `skin.not-found`, or another error of reading the skin; an error of the file system.
    @discardableResult
    public func compile(_ identifier: String) async throws -> [SkinWarning] {
        try await work.run { [self] in
            let chain = try chain(of: identifier, settings.finder.find())
            var warnings = WarningList()
            for idiom in SkinIdiom.all {
                let loaded = try compiled.compile(chain, for: idiom)
                if let error = loaded.saveError { throw error }
                for warning in loaded.warnings { warnings.add(warning) }
            }
            return warnings.all
        }
    }

    /// Checks the skin in the directory at a path, as ``check(_:)`` does.
    ///
    /// - Parameter path: the absolute path of the directory.
    /// - Throws: the errors of ``check(_:)``, and `skin.not-found` if the directory can't be opened.
    public func check(directoryAt path: String) async throws -> [SkinWarning] {
        guard path.hasPrefix("/") else {
            throw StoreError(.skinPathRelative, ["path": .path(path)])
        }
        let directory = try await work.run {
            do throws(StoreError) {
                return try Directory.open(path)
            } catch {
                if error.isPassing { throw error }
                throw StoreError(.skinDirectoryMissing, cause: error)
            }
        }
        return try await check(directory)
    }

    /// Checks the skin in a directory, which need not be installed; the skin's ancestors must be.
    ///
    /// - Returns: a warning for each unknown or invalid item in the skin's files and in those of its ancestors.
    /// - Throws: the error of a file that is rejected, with file and line; an error of the file system.
    public func check(_ directory: Directory) async throws -> [SkinWarning] {
        try await work.run { [self] in
            let found = settings.finder.find()
            let chain = try SkinDirectory.chain(from: SkinDirectory(directory, origin: .preinstalled)) {
                found.skins[$0]
            }
            return try compiled.reader.check(chain)
        }
    }

    // MARK: Loading

    private func chain(of identifier: String, _ found: SkinFinder.Found) throws -> [SkinDirectory] {
        try SkinDirectory.chain(of: identifier) { found.skins[$0] }
    }

    private func load(
        _ identifier: String, _ found: SkinFinder.Found, for idiom: SkinIdiom
    ) throws -> ResolvedSkin {
        try compiled.load(chain(of: identifier, found), for: idiom).skin
    }

    /// Loads the chosen skin or the first fallback that can be loaded, and returns the reason for the fallback.
    private func loadable(_ choice: SkinChoice, _ found: SkinFinder.Found) -> (ResolvedSkin, ErrorReport?) {
        if found.skins.isEmpty {
            let directories = settings.finder.roots.filter { $0.origin == .preinstalled }.map(\.path)
            if !directories.isEmpty {
                let error = StoreError(.noSkinsFound, ["directories": .list(directories)])
                return (.empty(for: settings.idiom), ErrorReport(error))
            }
            // An application without directories of preinstalled skins needs none.
            if choice.skin == nil { return (.empty(for: settings.idiom), nil) }
        }
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
        return (.empty(for: settings.idiom), problem)
    }

    /// Replaces the skin in use; ``SkinnedObjects/applyToAll()`` then applies it to the objects.
    private func setCurrent(_ skin: ResolvedSkin, choice: SkinChoice, problem: ErrorReport?) {
        let vocabulary = settings.vocabulary
        let applied = AppliedSkin(skin, vocabulary)
        let previous = withState { $0.applied }
        let changed =
            previous?.identifiers(changedIn: applied, vocabulary) ?? skin.identifiers
        withState { $0.applied = applied }
        let chain = skin.chain.map(\.identifier)
        let status = SkinStatus(chosen: choice.skin, chain: chain == [""] ? [] : chain, problem: problem)
        if previous == nil || !changed.isEmpty || status != current.status { objects.set(skin) }
        current.set(skin, status, changed: changed)
    }
}
