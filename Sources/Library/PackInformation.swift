public import FoundationEssentials
public import StoreModel
public import StoreSystem

/// What a pack says of itself in its information file, `pack.json`, whatever its kind; each kind reads more.
public struct PackInformation: Sendable, Hashable, Codable {
    public static let fileName = "pack.json"
    /// In bytes; enough for hundreds of stickers described in dozens of languages.
    public static let sizeLimit = 4 << 20

    public var productIdentifier: String?
    /// The kind, for a pack that comes without a catalogue.
    public var kind: ProductKind?
    public var name: LocalizedText?
    public var version: Version?
    public var publisher: String?
    public var license: String?
    /// The picture that stands for the pack, relative to its folder.
    public var cover: String?
    /// The productIdentifiers that must be installed for this one to work.
    public var dependencies: [String]?
    /// What it asks to be allowed, where its kind needs consent for that.
    public var permissions: [Permission]?

    /// A pack that says nothing of itself.
    public init() {}

    /// The information of a pack's folder, all empty where it has no information file.
    ///
    /// - Throws: `content.bad-information` where there is one that can't be read.
    public static func read(from pack: Directory) throws -> PackInformation {
        try read(PackInformation.self, from: pack) ?? PackInformation()
    }

    /// The information file as another type, which knows more of its members; `nil` where there is none.
    public static func read<Value: Decodable>(_ type: Value.Type, from pack: Directory) throws -> Value? {
        guard try pack.status(of: fileName) != nil else { return nil }
        return try decode(type, from: try pack.read(fileName, limit: sizeLimit))
    }

    /// An information file's content.
    ///
    /// - Throws: `content.bad-information`.
    public static func decode<Value: Decodable>(_ type: Value.Type = Value.self, from data: Data) throws -> Value {
        do {
            return try JSON.decode(type, from: data)
        } catch {
            throw LibraryError(
                .badInformation,
                "The information file \(fileName) is not as it must be: \(describe(error)). Tell the publisher.")
        }
    }

    private static func describe(_ error: any Error) -> String {
        guard let error = error as? DecodingError else { return "\(error)" }
        switch error {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            let path = context.codingPath.map(\.stringValue).joined(separator: ".")
            return (path.isEmpty ? "" : "at '\(path)': ") + context.debugDescription
        @unknown default: return "\(error)"
        }
    }
}
