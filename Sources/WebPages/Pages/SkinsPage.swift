import StoreMessages
public import StoreModel

/// The page with the installed skins, of which one is in use.
public struct SkinsPage: Page {
    /// A skin on the page.
    public struct Skin: Sendable {
        let id: String
        let name: String
        let version: String?
        let parent: String?
        let isInUse: Bool
        /// The address of the picture of a chat in the skin, and that of the page on which the user tries it.
        let picture: String
        let page: String
        /// Why the skin can't be used; `nil` if nothing is known against it.
        let defect: String?

        /// Creates the description of a skin.
        ///
        /// - Parameter defect: why the skin can't be used; `nil` if nothing is known against it.
        public init(
            id: String, name: String, version: String?, parent: String?, isInUse: Bool, defect: ErrorReport? = nil,
            _ texts: PageText
        ) {
            self.id = id
            self.name = name.displayableName
            self.version = version?.displayableName
            self.parent = parent?.displayableName
            self.isInUse = isInUse
            let path = PathSegment.encode(id)
            // Another version has another address, so that its picture appears in a page that is open.
            picture = "/v1/skins/\(path)/picture" + (version.map { "?version=" + PathSegment.encode($0) } ?? "")
            page = "/skins/" + path
            self.defect = defect.map(texts.sentences)
        }
    }

    public var template: String { "skins" }
    let title: String
    let navigation: [NavigationLink]
    let warnings: [String] = []
    let problem: String?
    let unreadable: [String]
    let isChosen: Bool
    let isEmpty: Bool
    let skins: [Skin]

    /// Creates the page.
    ///
    /// - Parameters:
    ///   - isChosen: whether the user has chosen a skin, instead of the default one.
    ///   - problem: why the chosen skin can't be used; `nil` if it is in use.
    ///   - unreadable: the errors of directories of skins that can't be read, by their paths.
    public init(
        _ skins: [Skin], isChosen: Bool, problem: String?, unreadable: [String: ErrorReport] = [:], _ texts: PageText
    ) {
        title = NavigationLink.Target.skins.name(texts)
        navigation = NavigationLink.all(on: .skins, texts)
        self.skins = skins
        isEmpty = skins.isEmpty
        self.isChosen = isChosen
        self.problem = problem.map(texts.sentence(ofEnglish:))
        self.unreadable = unreadable.sorted { $0.key < $1.key }.map { path, error in
            let name = path.split(separator: "/").last.map { String($0).displayable } ?? path
            return texts.messages.text(
                "The skin '{name}' can't be read: {reason}", ["name": name, "reason": texts.sentences(error)])
        }
    }
}

/// The page on which a user sees a skin before it is used.
public struct SkinTrialPage: Page {
    public var template: String { "skin" }
    let title: String
    let navigation: [NavigationLink]
    let warnings: [String] = []
    let id: String
    let name: String
    let version: String?
    let isInUse: Bool
    /// The address of the skin's style sheet, that of the chat in the skin, and that of the page with all parts.
    let styleSheet: String
    let chat: String
    let allParts: String

    /// Creates the page of a skin.
    public init(id: String, name: String, version: String?, isInUse: Bool, _ texts: PageText) {
        title = texts.messages.text("Skin {name}", ["name": name.displayableName])
        navigation = NavigationLink.all(on: .skins, texts)
        self.id = id
        self.name = name.displayableName
        self.version = version?.displayableName
        self.isInUse = isInUse
        let path = PathSegment.encode(id)
        styleSheet = "/v1/skins/\(path)/css"
        chat = "/chat?skin=" + path
        allParts = "/v1/skins/\(path)/page"
    }
}
