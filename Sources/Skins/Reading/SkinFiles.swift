import StoreSystem

/// A listing of the files in a skin's directory: theme files (XML with definitions), and assets such as images.
struct SkinFiles {
    /// The skin's theme files in byte order of their names, each followed by its variants for device idioms.
    ///
    /// A theme file is an XML file with definitions; an idiom is a type of device, such as `tablet`.
    let themes: [Theme]
    let assets: AssetIndex
    /// The paths of the files and directories that the skin is read from, relative to the skin's directory.
    ///
    /// The contents of assets (images and other files) are not included.
    let sources: [String]

    /// A theme file of a skin: an XML file with definitions, for all devices or for one device idiom.
    struct Theme {
        let file: String
        let idiom: SkinIdiom?
        /// Whether the theme file's name has the form of a variant for a device idiom, but of an unknown one.
        let hasUnknownIdiom: Bool
    }

    init(_ directory: Directory) throws {
        var themes: [(stem: String, theme: Theme)] = []
        for entry in try directory.entries()
        where entry.kind == .file && entry.name.hasSuffix(".xml") && entry.name != SkinInformation.fileName {
            let stem = entry.name.dropLast(4)
            guard let mark = stem.lastIndex(of: "~") else {
                themes.append((String(stem), Theme(file: entry.name, idiom: nil, hasUnknownIdiom: false)))
                continue
            }
            let idiom = SkinIdiom(named: stem[stem.index(after: mark)...])
            themes.append((String(stem[..<mark]), Theme(file: entry.name, idiom: idiom, hasUnknownIdiom: idiom == nil)))
        }
        // The name of the plain file is shorter than those of its variants, and therefore precedes them.
        themes.sort { a, b in
            a.stem == b.stem ? a.theme.file.isBefore(b.theme.file) : a.stem.isBefore(b.stem)
        }
        self.themes = themes.map(\.theme)
        var directories: [String] = []
        assets = try AssetIndex(directory, directories: &directories)
        sources = [".", SkinInformation.fileName] + directories + self.themes.map(\.file)
    }

    /// Returns the skin's theme files that apply to a device idiom: those for all devices, and its variants.
    func themes(for idiom: SkinIdiom) -> [Theme] {
        themes.filter { !$0.hasUnknownIdiom && ($0.idiom == nil || $0.idiom == idiom) }
    }
}

/// An index of a skin's assets (images and other files): their paths by name without device idiom.
struct AssetIndex {
    static let directoryName = "assets"

    private var variants: [String: [SkinIdiom?: String]] = [:]

    /// Creates the index by listing the assets in a skin's directory.
    ///
    /// - Parameter directories: the paths of all directories that were listed are appended to this array.
    init(_ directory: Directory, directories: inout [String]) throws {
        guard try directory.status(of: Self.directoryName)?.kind == .folder else { return }
        try add(directory.openDirectory(Self.directoryName), prefix: "", depth: 0, &directories)
    }

    private mutating func add(
        _ directory: Directory, prefix: String, depth: Int, _ directories: inout [String]
    ) throws {
        directories.append(prefix.isEmpty ? Self.directoryName : Self.directoryName + "/" + prefix.dropLast())
        // Sorted, so that of two files for the same variant always the same one is used.
        for entry in try directory.entries().sorted(by: { $0.name.isBefore($1.name) }) {
            switch entry.kind {
            case .file: add(entry.name, prefix: prefix)
            case .folder where depth < SkinLimits.assetDepth:
                try add(
                    directory.openDirectory(entry.name), prefix: prefix + entry.name + "/", depth: depth + 1,
                    &directories)
            case .folder, .link, .other: break
            }
        }
    }

    private mutating func add(_ file: String, prefix: String) {
        let path = Self.directoryName + "/" + prefix + file
        let dot = file.lastIndex(of: ".") ?? file.endIndex
        if let mark = file[..<dot].lastIndex(of: "~"),
            let idiom = SkinIdiom(named: file[file.index(after: mark)..<dot])
        {
            variants[prefix + file[..<mark] + file[dot...], default: [:]][idiom] = path
        }
        // A skin may also name a variant explicitly.
        variants[prefix + file, default: [:]][nil] = path
    }

    /// Returns the path of a skin's asset in the skin's directory; `nil` if there is none.
    ///
    /// The variant for the device idiom takes precedence over the plain file.
    func path(of name: String, for idiom: SkinIdiom) -> String? {
        guard let found = variants[name] else { return nil }
        return found[idiom] ?? found[nil]
    }
}

extension String {
    /// Returns whether the string precedes another in byte order, which does not depend on the locale.
    func isBefore(_ other: String) -> Bool {
        let isBefore = utf8.withContiguousStorageIfAvailable { bytes in
            other.utf8.withContiguousStorageIfAvailable { UnsafeRawBufferPointer(bytes).isBefore(.init($0)) }
        }
        return (isBefore ?? nil) ?? utf8.lexicographicallyPrecedes(other.utf8)
    }
}
