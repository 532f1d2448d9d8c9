public import FoundationEssentials
public import StoreLibrary
import StoreModel

/// A member of a pack's information file that no kind of content reads, such as one whose name is mistyped.
///
/// It is no error, because applications may have members of their own, and later releases may read more.
public struct UnknownMember: Sendable, Hashable {
    /// The name of the unknown member in the information file.
    public var name: String
    /// The line of the unknown member in the information file, counted from 1; `nil` if it can't be determined.
    public var line: Int?
    /// The names of the members that are read in the unknown member's place.
    public var known: [String]

    /// The maximum number of members that are reported; a file with more of them is not meant for this program.
    private static let maximumCount = 20

    /// Finds the unknown members of an information file, in the order of their lines; none in a malformed file.
    ///
    /// A name that several elements of a list have is reported once.
    ///
    /// - Parameters:
    ///   - document: the content of the information file.
    ///   - members: the members that are read of the file.
    public static func all(in document: Data, knowing members: [InformationMember]) -> [UnknownMember] {
        guard let content: JSONValue = try? JSON.decode(from: document), case .object(var object) = content else {
            return []
        }
        // Editors find the schema of the file by this member.
        object["$schema"] = nil
        var found: [(path: [any CodingKey], known: [String])] = []
        search(object, at: [], members, &found)
        return found.map { path, known in
            let line = JSON.position(of: path, in: document)?.line
            return UnknownMember(name: path.last?.stringValue ?? "", line: line, known: known)
        }
        .sorted { ($0.line ?? 0, $0.name) < ($1.line ?? 0, $1.name) }
    }

    /// Appends the paths of the unknown members of an object, and of the objects in its lists, up to `maximumCount`.
    ///
    /// The search ends there, because each further member would be compared with all that were found.
    private static func search(
        _ object: [String: JSONValue], at path: [any CodingKey], _ members: [InformationMember],
        _ found: inout [(path: [any CodingKey], known: [String])]
    ) {
        for (name, value) in object.sorted(by: { $0.key < $1.key }) {
            guard found.count < maximumCount else { return }
            let path = path + [Key(stringValue: name)]
            guard let member = members.first(where: { $0.name == name }) else {
                let known = members.map(\.name)
                if !found.contains(where: { $0.path.last?.stringValue == name && $0.known == known }) {
                    found.append((path, known))
                }
                continue
            }
            guard !member.elementMembers.isEmpty, case .array(let elements) = value else { continue }
            for (index, element) in elements.enumerated() {
                guard case .object(let object) = element else { continue }
                search(object, at: path + [Key(intValue: index)], member.elementMembers, &found)
            }
        }
    }

    /// The name of a member, or the index of an element, on the way to a value of the information file.
    private struct Key: CodingKey {
        let stringValue: String
        let intValue: Int?

        init(stringValue: String) {
            self.stringValue = stringValue
            intValue = nil
        }

        init(intValue: Int) {
            stringValue = "\(intValue)"
            self.intValue = intValue
        }
    }
}
