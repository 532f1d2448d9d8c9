extension ErrorCode {
    /// No skin with the requested identifier exists.
    public static let skinMissing = ErrorCode("skin.not-found", .notFound)
    /// The directory of a skin has no valid `skin.xml`, the file that describes the skin.
    public static let skinBadInformation = ErrorCode("skin.bad-information", .refused)
    /// A skin exceeds the limits of XML bytes, elements or instances, or of its size as a style sheet.
    public static let skinTooLarge = ErrorCode("skin.too-large", .refused)
    /// A skin inherits from itself, directly or indirectly.
    public static let skinParentLoop = ErrorCode("skin.parent-loop", .refused)
    /// The skin that a skin inherits from does not exist.
    public static let skinParentMissing = ErrorCode("skin.parent-missing", .notFound)
    /// The skin can't be removed, because another skin inherits from it.
    public static let skinNeeded = ErrorCode("skin.needed", .conflict)
    /// A skin component, skin operation or object type can't be added to the vocabulary that skins may use.
    public static let skinVocabulary = ErrorCode("skin.vocabulary", .usage)
    /// The compiled (binary) file of a skin is damaged or outdated.
    public static let skinCompiledDamaged = ErrorCode("skin.compiled-damaged", .refused)
    /// A skin has more values than the format of compiled (binary) skin files can hold.
    public static let skinCompiledTooLarge = ErrorCode("skin.compiled-too-large", .refused)

    // MARK: Warnings about items of a skin

    public static let skinUnknownElement = ErrorCode("skin.unknown-element", .refused)
    public static let skinUnknownComponent = ErrorCode("skin.unknown-component", .refused)
    public static let skinUnknownOperation = ErrorCode("skin.unknown-operation", .refused)
    public static let skinUnknownParameter = ErrorCode("skin.unknown-parameter", .refused)
    public static let skinUnknownType = ErrorCode("skin.unknown-type", .refused)
    public static let skinUnknownClass = ErrorCode("skin.unknown-class", .refused)
    public static let skinUnknownConstant = ErrorCode("skin.unknown-constant", .refused)
    public static let skinUnknownAsset = ErrorCode("skin.unknown-asset", .refused)
    public static let skinUnknownIdiom = ErrorCode("skin.unknown-idiom", .refused)
    /// A value in a skin's XML does not conform to its type or to the parameter that it is for.
    public static let skinBadValue = ErrorCode("skin.bad-value", .refused)
    /// An element in a skin's XML lacks a required name or identifier.
    public static let skinNameMissing = ErrorCode("skin.name-missing", .refused)
}

/// Returns the hint to remove some of what a skin that is too large contains.
private func remove(_ items: String) -> ErrorHint {
    ErrorHint(
        "remove \(items) from the skin, or report it to the skin's publisher",
        forPublisher: "remove \(items) from the skin")
}

extension ErrorTemplate {
    public static let skinNotFound = ErrorTemplate(
        .skinMissing, "no skin '{skin}' is installed",
        hint: "list installed skins with 'storectl skin list'")
    public static let noSkinsFound = ErrorTemplate(
        .skinMissing, variant: "none-found", "no skins found in {directories}",
        hint: "reinstall the programs, or copy their preinstalled skins to one of these directories")
    public static let noSkinInUse = ErrorTemplate(
        .skinMissing, variant: "none-in-use", "no skin is in use",
        hint: "name a skin from 'storectl skin list'")
    public static let skinAssetOwnerMissing = ErrorTemplate(
        .skinMissing, variant: "asset", "the asset '{asset}' belongs to the skin '{skin}', which is not in use")
    public static let skinPathRelative = ErrorTemplate(
        .skinMissing, variant: "path", "'{path}' is not an absolute path")
    public static let skinDirectoryMissing = ErrorTemplate(
        .skinMissing, variant: "directory", "could not open the skin's directory: {cause}")
    public static let skinValueInvalid = ErrorTemplate(
        .skinBadValue, "{location}: {reason}", hint: "list all mistakes of the skin with 'storectl skin check'")
    /// A pack that a user placed by hand has the extension of skins, and no information file with an identifier.
    public static let skinInformationMissing = ErrorTemplate(
        .skinBadInformation, variant: "missing", "there is no '{file}' with an element 'skin' that has an 'identifier'",
        hint: "add the file, or remove the directory")
    public static let skinInformationInvalid = ErrorTemplate(.skinBadInformation, "{location}: {reason}")
    public static let skinXMLTooLarge = ErrorTemplate(
        .skinTooLarge, "the skin's XML files have more than {limit} together; '{file}' exceeds the limit",
        hint: remove("values"))
    public static let skinTooManyInstances = ErrorTemplate(
        .skinTooLarge, variant: "instances", "'{file}' exceeds the limit of {limit} instances for a skin",
        hint: remove("instances"))
    public static let skinChainTooLarge = ErrorTemplate(
        .skinTooLarge, variant: "chain",
        "the XML files of the skin and its ancestors have more than {limit} together; '{file}' exceeds the limit",
        hint: remove("values"))
    public static let skinTooManyElements = ErrorTemplate(
        .skinTooLarge, variant: "elements",
        "'{file}' exceeds the limit of {limit} definitions, operations and values for a skin and its ancestors",
        hint: remove("values"))
    public static let skinTooManyValues = ErrorTemplate(
        .skinTooLarge, variant: "values", "the values of the skin '{skin}' take more than {limit} as a style sheet",
        hint: ErrorHint(
            "if you trust the skin, raise the limit with 'storectl config set skins.maximumSize SIZE' and restart the daemon",
            forPublisher: "remove values from the skin"))
    /// Context that names the invalid XML file of a skin; argument `file`.
    public static let skinXMLInvalid = ErrorTemplate(
        context: "skin-file", "could not read the skin's file '{file}': {cause}",
        hint: ErrorHint("correct the file, or report it to the skin's publisher", forPublisher: nil))
    /// Context that names the XML file of a skin that could not be read for a reason outside of it; argument `file`.
    public static let skinXMLUnread = ErrorTemplate(
        context: "skin-file-unread", "could not read the skin's file '{file}': {cause}")
    public static let skinParentLoop = ErrorTemplate(
        .skinParentLoop, "the skin '{skin}' inherits from itself: {chain}")
    public static let skinParentNotFound = ErrorTemplate(
        .skinParentMissing, "the skin '{skin}' inherits from '{parent}', which is not installed: {chain}",
        hint: "install '{parent}'")
    public static let skinRequired = ErrorTemplate(
        .skinNeeded, "could not uninstall '{skin}': the skin '{child}' inherits from it",
        hint: "uninstall '{child}' first")
    public static let skinAssetUnknown = ErrorTemplate(
        .skinUnknownAsset, "'{asset}' is not an asset of the skin '{skin}'")
    public static let skinCompiledFileDamaged = ErrorTemplate(
        .skinCompiledDamaged, "the compiled skin can't be used: {reason}")
    public static let skinCompiledFileTooLarge = ErrorTemplate(
        .skinCompiledTooLarge, "the values of the skin exceed the compiled format's limit of 4 GiB")

    // MARK: Vocabulary

    public static let skinComponentExists = ErrorTemplate(
        .skinVocabulary, variant: "component", "the component '{component}' already exists",
        hint: "add operations to it, or use another name")
    public static let skinComponentParentUnknown = ErrorTemplate(
        .skinVocabulary, variant: "parent", "the component '{component}' inherits from unknown component '{parent}'",
        hint: "add '{parent}' first")
    public static let skinComponentUnknown = ErrorTemplate(
        .skinVocabulary, variant: "operation",
        "could not add the operation '{operation}' to unknown component '{component}'")
    public static let skinParameterTypeUnknown = ErrorTemplate(
        .skinVocabulary, variant: "type", "the operation '{operation}' has a parameter of unknown type '{type}'",
        hint: "add the object type '{type}' first")
    public static let skinVocabularyName = ErrorTemplate(
        .skinVocabulary, variant: "name",
        "'{name}' is not a valid {kind} name: expected a letter, followed by letters, digits, '-' and '_'")
}
