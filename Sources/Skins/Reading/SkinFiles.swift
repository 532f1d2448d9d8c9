import StoreSystem

/// What lies in a skin's folder.
struct SkinFiles {
    /// The theme files, those of a name before its variants, and names in the order of their bytes.
    let themes: [Theme]
    let assets: AssetIndex
    /// All that a resolved skin depends on beside the content of assets: files and folders, relative to the skin's.
    let sources: [String]

    struct Theme {
        let file: String
        let idiom: SkinIdiom?
        /// A variant for something that is no idiom.
        let isUnknown: Bool
    }

    init(_ folder: Directory) throws {
        var themes: [(stem: String, theme: Theme)] = []
        for entry in try folder.entries()
        where entry.kind == .file && entry.name.hasSuffix(".xml") && entry.name != SkinInformation.fileName {
            let stem = entry.name.dropLast(4)
            guard let mark = stem.lastIndex(of: "~") else {
                themes.append((String(stem), Theme(file: entry.name, idiom: nil, isUnknown: false)))
                continue
            }
            let idiom = SkinIdiom(named: stem[stem.index(after: mark)...])
            themes.append((String(stem[..<mark]), Theme(file: entry.name, idiom: idiom, isUnknown: idiom == nil)))
        }
        // The plain one of a name is shorter than its variants, and so before them.
        themes.sort { a, b in
            a.stem == b.stem ? a.theme.file.isBefore(b.theme.file) : a.stem.isBefore(b.stem)
        }
        self.themes = themes.map(\.theme)
        var folders: [String] = []
        assets = try AssetIndex(folder, folders: &folders)
        sources = [".", SkinInformation.fileName] + folders + self.themes.map(\.file)
    }

    /// Reads the theme files for every idiom, and looks nothing up.
    ///
    /// - Throws: ``SkinError`` where one is refused; what the disk says.
    func requireReadable(in folder: Directory) throws {
        for idiom in SkinIdiom.all {
            var (xml, instancesLeft) = (SkinXML(folder), SkinLimits.instances)
            for theme in themes(for: idiom) {
                var reader = SkinDocumentReader(instancesLeft: instancesLeft)
                try xml.read(theme.file) { try reader.take($0, in: theme.file) }
                instancesLeft -= reader.document.instances.count
            }
        }
    }

    /// Those that are read for an idiom.
    func themes(for idiom: SkinIdiom) -> [Theme] {
        themes.filter { !$0.isUnknown && ($0.idiom == nil || $0.idiom == idiom) }
    }
}

/// Which assets a skin has, by their plain names.
struct AssetIndex {
    static let folderName = "assets"

    private var variants: [String: [SkinIdiom?: String]] = [:]

    /// - Parameter folders: gets all that were looked at.
    init(_ folder: Directory, folders: inout [String]) throws {
        guard try folder.status(of: Self.folderName)?.kind == .folder else { return }
        try add(folder.openDirectory(Self.folderName), prefix: "", depth: 0, &folders)
    }

    private mutating func add(
        _ folder: Directory, prefix: String, depth: Int, _ folders: inout [String]
    ) throws {
        folders.append(prefix.isEmpty ? Self.folderName : Self.folderName + "/" + prefix.dropLast())
        // In an order, so that of two files for the same variant it is always the same that counts.
        for entry in try folder.entries().sorted(by: { $0.name.isBefore($1.name) }) {
            switch entry.kind {
            case .file: add(entry.name, prefix: prefix)
            case .folder where depth < SkinLimits.assetDepth:
                try add(
                    folder.openDirectory(entry.name), prefix: prefix + entry.name + "/", depth: depth + 1, &folders)
            case .folder, .link, .other: break
            }
        }
    }

    private mutating func add(_ file: String, prefix: String) {
        let path = Self.folderName + "/" + prefix + file
        let dot = file.lastIndex(of: ".") ?? file.endIndex
        if let mark = file[..<dot].lastIndex(of: "~"),
            let idiom = SkinIdiom(named: file[file.index(after: mark)..<dot])
        {
            variants[prefix + file[..<mark] + file[dot...], default: [:]][idiom] = path
        }
        // A variant can also be named as it is.
        variants[prefix + file, default: [:]][nil] = path
    }

    /// The path of an asset, the idiom's variant before the plain one.
    func path(of name: String, for idiom: SkinIdiom) -> String? {
        guard let found = variants[name] else { return nil }
        return found[idiom] ?? found[nil]
    }
}

extension String {
    /// In the order of bytes, which is the same on every machine.
    func isBefore(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}
