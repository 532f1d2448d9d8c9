public import StoreSystem

/// An open folder of a skin, with what it says of itself.
public struct SkinFolder: Sendable {
    public let information: SkinInformation
    public let directory: Directory
    public let origin: Origin

    public enum Origin: String, Sendable {
        /// It came with the application or the machine.
        case preinstalled
        /// It is in the library.
        case purchased
    }

    public var identifier: String { information.identifier }

    /// - Throws: `skin.bad-information` where the folder is no skin; `xml.…`; what the disk says.
    public init(_ directory: Directory, origin: Origin) throws {
        self.init(try SkinInformation.read(from: directory), directory, origin: origin)
    }

    init(_ information: SkinInformation, _ directory: Directory, origin: Origin) {
        self.information = information
        self.directory = directory
        self.origin = origin
    }

    // MARK: Inheriting

    /// A skin and what it inherits from, the nearest first.
    ///
    /// - Parameter find: the skin of an identifier.
    /// - Throws: `skin.not-found`; `skin.parent-missing` and `skin.parent-loop`, which name the chain; what `find` throws.
    public static func chain(
        of identifier: String, find: (String) throws -> SkinFolder?
    ) throws -> [SkinFolder] {
        guard let first = try find(identifier) else {
            throw SkinError(
                .skinMissing, "There is no skin '\(identifier)'. 'storectl skin list' tells which there are.")
        }
        return try chain(from: first, find: find)
    }

    /// The same for a skin that need not be among those that are found.
    public static func chain(
        from first: SkinFolder, find: (String) throws -> SkinFolder?
    ) throws -> [SkinFolder] {
        var chain = [first]
        var seen: Set<String> = [first.identifier]
        while let parent = chain[chain.count - 1].information.parent {
            let names = chain.map(\.identifier).joined(separator: " → ") + " → " + parent
            guard seen.insert(parent).inserted else {
                throw SkinError(
                    .skinParentLoop, "The skin '\(first.identifier)' inherits from itself: \(names). Tell its author.",
                    file: SkinInformation.fileName)
            }
            guard let next = try find(parent) else {
                throw SkinError(
                    .skinParentMissing,
                    "The skin '\(first.identifier)' inherits from '\(parent)', which is not here: \(names). Install it.",
                    file: SkinInformation.fileName)
            }
            chain.append(next)
        }
        return chain
    }
}
