public import FoundationEssentials
public import StoreModel
public import StoreSystem

/// The content of a pack's information file, `pack.json`, as far as it is common to all product kinds.
public struct PackInformation: Sendable, Hashable, Codable {
    public static let fileName = "pack.json"
    /// The maximum size of a pack's information file in bytes.
    ///
    /// It is enough for hundreds of stickers described in dozens of languages.
    public static let sizeLimit = 4 << 20

    public var productIdentifier: String?
    /// The product kind in a pack's information file; `nil` if the file has none.
    ///
    /// It is used for an archive that is installed without a catalogue.
    public var kind: ProductKind?
    public var name: LocalizedText?
    public var version: Version?
    public var publisher: String?
    public var license: String?
    /// The web page of the pack or of its author, as the information file states it; `nil` if the file has none.
    public var website: String?
    /// The path of the pack's cover image, relative to the pack's directory; `nil` if it has none.
    public var cover: String?
    /// The identifiers of products that the pack's product needs; `nil` if its information file has none.
    public var dependencies: [String]?
    /// The permissions that a pack's information file asks for; `nil` if it has none.
    ///
    /// They are ignored unless packs of its kind need consent.
    public var permissions: [Permission]?

    /// Creates the content of a pack's information file, in which every value is `nil`.
    public init() {}

    /// Reads the information file of a pack; the result is empty if the pack has none.
    ///
    /// - Throws: `content.bad-information` if the file is malformed; another `StoreError` if it can't be read or
    ///   exceeds ``sizeLimit``.
    public static func read(from pack: Directory) throws -> PackInformation { try read(from: PackContents(pack)) }

    /// Reads the information file of a pack whose files may be in memory, as the function for a directory does.
    public static func read(from pack: PackContents) throws -> PackInformation {
        try read(PackInformation.self, from: pack) ?? PackInformation()
    }

    /// The form of each member that is common to all product kinds, for messages about mistakes in the file.
    public static let members: [InformationMember] = [
        .string("productIdentifier", example: #""org.example.cups""#),
        .string("kind", example: #""sticker""#),
        .localizedText("name", example: #"{"en": "Cups", "de": "Tassen"}"#),
        .string("version", example: #""1.0.0""#),
        .string("publisher", example: #""Example""#),
        .string("license", example: #""CC-BY-4.0""#),
        .string("website", example: #""https://example.org/cups""#),
        .string("cover", example: #""cover.png""#),
        .strings("dependencies", example: #"["org.example.base"]"#),
        .strings("permissions", example: #"["network"]"#),
    ]

    /// Reads a pack's information file as a type with the members of its kind; `nil` if the pack has no such file.
    ///
    /// - Parameter members: the form of each member that is decoded, for messages.
    /// - Throws: as ``read(from:)``.
    public static func read<Value: Decodable>(
        _ type: Value.Type, from pack: PackContents, members: [InformationMember] = members
    ) throws -> Value? {
        try pack.read(fileName, limit: sizeLimit).map { try decode(type, from: $0, members: members) }
    }

    /// Decodes the content of a pack's information file.
    ///
    /// - Parameter members: the form of each member that is decoded, for messages.
    /// - Throws: `content.bad-information` if `data` is malformed; the message says where, and what is expected.
    public static func decode<Value: Decodable>(
        _ type: Value.Type = Value.self, from data: Data, members: [InformationMember] = members
    ) throws -> Value {
        do {
            return try JSON.decode(type, from: data)
        } catch {
            let mistake = InformationMistake(error, in: data, members: members)
            throw StoreError(.informationMalformed, ["location": mistake.location, "reason": mistake.reason])
        }
    }
}
