public import StoreModel
public import StoreSystem
import StoreXML

/// What a skin says of itself in its information file, `skin.xml`.
public struct SkinInformation: Sendable, Hashable {
    public static let fileName = "skin.xml"

    /// Also the productIdentifier of a skin from the store. No white space, at most 200 bytes.
    public let identifier: String
    /// For people; the identifier where it says none.
    public let name: String
    public let version: Version?
    /// The identifier of the skin that it inherits from.
    public let parent: String?

    /// Reads the information file of a skin's folder.
    ///
    /// - Throws: `skin.bad-information` where there is none, or it is not as it must be; `xml.…`; what the disk says.
    public static func read(from folder: Directory) throws -> SkinInformation {
        guard let information = try find(in: folder) else {
            throw bad("does not exist, or names no 'identifier' in an element 'skin'", line: nil)
        }
        return information
    }

    /// - Returns: `nil` where the folder is no skin of this form: it has no such file, or that of another application, some
    ///   of which have the same root and name no identifier.
    static func find(in folder: Directory) throws -> SkinInformation? {
        guard try folder.status(of: fileName)?.kind == .file else { return nil }
        return try find { visit in
            var xml = SkinXML(folder)
            try xml.read(fileName, visit)
        }
    }

    /// - Parameter bytes: of an information file.
    /// - Returns: `nil` where it is that of another application's skin.
    static func find(in bytes: [UInt8]) throws -> SkinInformation? {
        try find { visit in try SkinXML.read(bytes, called: fileName, visit) }
    }

    private static func find(read: ((XMLEvent) throws -> Void) throws -> Void) throws -> SkinInformation? {
        var root: XMLElement?
        do {
            try read { event in
                guard case .start(let element) = event, root == nil else { return }
                guard element.name == "skin", element["identifier"] != nil else { throw NotOurs() }
                root = element
            }
        } catch is NotOurs {
            return nil
        }
        return try root.map(SkinInformation.init)
    }

    private struct NotOurs: Error {}

    private init(_ element: XMLElement) throws {
        guard let identifier = element["identifier"], isSkinIdentifier(identifier) else {
            throw Self.bad("has no 'identifier' without white space, of up to 200 bytes", line: element.line)
        }
        self.identifier = identifier
        name = element["name"].map { $0[...].trimmed }.flatMap { $0.isEmpty ? nil : $0 } ?? identifier
        version = element["version"].flatMap { $0.isEmpty ? nil : Version($0) }
        switch element["parent"] {
        case nil, "": parent = nil
        case let named?:
            guard isSkinIdentifier(named) else {
                throw Self.bad("has a 'parent' that is no identifier of a skin", line: element.line)
            }
            parent = named
        }
    }

    private static func bad(_ reason: String, line: Int?) -> SkinError {
        SkinError(
            .skinBadInformation,
            "\(fileName)\(line.map { ":\($0)" } ?? "") \(reason). Tell the skin's author.", file: fileName, line: line)
    }
}
