extension ErrorCode {
    /// No importer recognizes the files as sticker packs of another program.
    public static let importNotRecognized = ErrorCode("import.not-recognized", .refused)
    /// There is no importer for the format that was named.
    public static let importFormatUnknown = ErrorCode("import.format-unknown", .usage)
    /// The file that describes a pack in another program's format is missing or malformed.
    public static let importMalformed = ErrorCode("import.malformed", .refused)
    /// The pack is encrypted, and the key is missing or wrong.
    public static let importKey = ErrorCode("import.key", .refused)
    /// The author of the pack does not allow others to use it.
    public static let importRestricted = ErrorCode("import.restricted", .refused)
    /// The directory has more files, or a file more bytes, than an import reads.
    public static let importTooLarge = ErrorCode("import.too-large", .refused)
    /// There is no file or directory to import.
    public static let importMissing = ErrorCode("import.missing", .notFound)
    /// No image of the pack can be a sticker.
    public static let importEmpty = ErrorCode("import.empty", .refused)
    /// There is no exporter for the format that was named.
    public static let exportFormatUnknown = ErrorCode("export.format-unknown", .usage)
    /// The directory of an export is none that may be used, or what describes it is malformed.
    public static let exportDirectory = ErrorCode("export.directory", .refused)
}

extension ErrorTemplate {
    public static let importNotRecognized = ErrorTemplate(
        .importNotRecognized, "'{name}' is not a sticker pack in a format that can be imported",
        hint: "'storectl stickers import --help' lists the formats")
    public static let importOwnPack = ErrorTemplate(
        .importNotRecognized, variant: "own", "'{name}' needs no import: its pack.json is that of a sticker pack",
        hint: "install it as a ZIP file with 'storectl install', or publish it with 'storehouse add'")
    public static let importSourceMissing = ErrorTemplate(
        .importMissing, "there is no file or directory '{path}'")
    public static let importFormatUnknown = ErrorTemplate(
        .importFormatUnknown, "unknown format '{format}'; known are {formats}")
    public static let importDescriptionMissing = ErrorTemplate(
        .importMalformed, variant: "description", "the file '{file}' of the format '{format}' is missing")
    public static let importMalformed = ErrorTemplate(.importMalformed, "could not read '{path}': {reason}")
    public static let importFileMissing = ErrorTemplate(
        .importMalformed, variant: "file", "there is no file '{path}'")
    public static let importKeyNeeded = ErrorTemplate(
        .importKey, "'{path}' is encrypted, and needs the key of the pack",
        hint: "give the pack's link or key with '--key'")
    public static let importKeyUnreadable = ErrorTemplate(
        .importKey, variant: "unreadable", "the key for '{path}' is neither a pack's link nor 64 hexadecimal digits",
        hint: "copy the whole link, with 'pack_key=' at its end")
    public static let importKeyWrong = ErrorTemplate(
        .importKey, variant: "wrong", "'{path}' can't be decrypted with this key, or was damaged")
    public static let importRestricted = ErrorTemplate(
        .importRestricted, "the author of '{name}' does not allow others to use the pack")
    public static let importTooManyFiles = ErrorTemplate(
        .importTooLarge, "the directory has more than {limit} files")
    public static let importFileTooLarge = ErrorTemplate(
        .importTooLarge, variant: "file", "'{path}' has {size}; the limit is {limit}")
    public static let importEmpty = ErrorTemplate(
        .importEmpty, "no image of '{name}' can be a sticker: {reason}")
    public static let exportFormatUnknown = ErrorTemplate(
        .exportFormatUnknown, "unknown format '{format}'; known are {formats}")
    /// An error of the file system in the directory of an export; its error code is that of the cause.
    public static let exportDirectoryUnusable = ErrorTemplate(
        context: "export", "could not export to '{directory}': {cause}",
        hint: "choose another directory, or check its permissions and free space")
    public static let exportManifestMalformed = ErrorTemplate(
        .exportDirectory, variant: "manifest",
        "the file '{path}', which lists what was exported before, is not readable",
        hint: "remove the file to export again; what was exported before then stays")
    public static let exportInsidePacks = ErrorTemplate(
        .exportDirectory, variant: "packs", "'{directory}' is where packs are installed; choose another directory")
    public static let exportPathRelative = ErrorTemplate(
        .exportDirectory, variant: "relative", "'{directory}' is not an absolute path")
    public static let exportTargetsUnreadable = ErrorTemplate(
        .exportDirectory, variant: "list", "could not read the list of directories '{path}': {cause}")
    public static let exportTargetUnknown = ErrorTemplate(
        .exportDirectory, variant: "unknown", "'{directory}' is not a directory that exports are kept in")
}
