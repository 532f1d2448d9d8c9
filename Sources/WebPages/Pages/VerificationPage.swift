import StoreMessages
public import StoreModel

/// The page with the result of comparing the files of packs with those that were installed.
public struct VerificationPage: Page {
    /// The result for one pack.
    public enum Outcome: Sendable {
        /// All files of the pack are as they were installed.
        ///
        /// - Parameter files: the number of files that were compared.
        case intact(files: Int)
        /// The files that differ from those that were installed.
        case damaged([PackDamage])
        /// The reason why the pack could not be compared.
        case failed(ErrorReport)
    }

    /// A pack on the page, with its result.
    public struct Pack: Sendable {
        let outcome: Outcome
        let name: String
        let isBad: Bool
        let result: String
        let hasFiles: Bool
        /// The damaged files, each with what is wrong with it.
        let files: [PageField]
        /// The text that says how many further files are damaged; `nil` if all are shown.
        let omission: String?
        /// The path to which the form is sent that repairs the pack; `nil` if nothing is to be repaired.
        let repair: String?

        /// The maximum number of files that are shown of a pack.
        private static let maximumFileCount = 20

        /// Creates the description of a pack with its result.
        public init(_ productIdentifier: String, name: String, outcome: Outcome, _ texts: PageText) {
            let messages = texts.messages
            self.outcome = outcome
            self.name = name.displayableName
            var damages: [PackDamage] = []
            switch outcome {
            case .intact(let files):
                result = messages.text(
                    files, one: "Intact: {count} file was compared with what was installed.",
                    other: "Intact: {count} files were compared with what was installed.")
            case .damaged(let found) where found == [.missingDirectory]:
                result = messages.text("The directory of the pack is missing.")
            case .damaged(let found):
                damages = found
                result = messages.text(
                    found.count, one: "{count} file is not as it was installed:",
                    other: "{count} files are not as they were installed:")
            case .failed(let error): result = texts.sentences(error)
            }
            if case .intact = outcome { isBad = false } else { isBad = true }
            files = damages.prefix(Self.maximumFileCount).map {
                PageField(name: $0.path.displayable, value: messages.word(for: $0.damage))
            }
            hasFiles = !files.isEmpty
            let omitted = damages.count - files.count
            omission =
                omitted > 0 ? messages.text(omitted, one: "{count} more file", other: "{count} more files") : nil
            if case .damaged = outcome {
                repair = "/actions/packs/\(PathSegment.encode(productIdentifier))/repair"
            } else {
                repair = nil
            }
        }
    }

    /// The path of the page.
    public static let path = "/verification"

    public var template: String { "verification" }
    let title: String
    let navigation: [NavigationLink]
    let warnings: [String] = []
    /// The number of packs with each result, which the script of the pages announces.
    let summary: String
    let packs: [Pack]
    let back: String

    /// Creates the page.
    ///
    /// - Parameter back: the path of the page from which the user comes.
    public init(_ packs: [Pack], back: String, _ texts: PageText) {
        let messages = texts.messages
        title = messages.text("Verification")
        navigation = NavigationLink.all(on: .library, texts)
        self.packs = packs
        self.back = back
        var (intact, damaged, failed) = (0, 0, 0)
        for pack in packs {
            switch pack.outcome {
            case .intact: intact += 1
            case .damaged: damaged += 1
            case .failed: failed += 1
            }
        }
        let parts = [
            damaged > 0
                ? messages.text(damaged, one: "{count} pack is damaged.", other: "{count} packs are damaged.") : nil,
            failed > 0
                ? messages.text(
                    failed, one: "{count} pack could not be verified.", other: "{count} packs could not be verified.")
                : nil,
            intact > 0
                ? messages.text(intact, one: "{count} pack is intact.", other: "{count} packs are intact.") : nil,
        ].compactMap(\.self)
        summary = parts.isEmpty ? messages.text("No pack is selected.") : parts.joined(separator: " ")
    }
}
