import FoundationEssentials
import StoreModel

/// A JSON document of any shape: for members that are kept though nobody here knows them.
enum JSONValue: Sendable, Hashable, Codable {
    case null
    case bool(Bool)
    case integer(Int)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let flag = try? container.decode(Bool.self) {
            self = .bool(flag)
        } else if let number = try? container.decode(Int.self) {
            self = .integer(number)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .string(text)
        } else if let values = try? container.decode([JSONValue].self) {
            self = .array(values)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let flag): try container.encode(flag)
        case .integer(let number): try container.encode(number)
        case .number(let number): try container.encode(number)
        case .string(let text): try container.encode(text)
        case .array(let values): try container.encode(values)
        case .object(let members): try container.encode(members)
        }
    }

    /// The members that hold no further members, each with the names of those it lies in before its own.
    var leaves: [(path: [String], value: JSONValue)] {
        guard case .object(let members) = self else { return [] }
        return members.sorted { $0.key < $1.key }.flatMap { name, value in
            if case .object(let inner) = value, !inner.isEmpty {
                value.leaves.map { ([name] + $0.path, $0.value) }
            } else {
                [([name], value)]
            }
        }
    }

    /// The same document with one member set; what stands in the way of it is replaced.
    func setting(_ path: some Collection<Substring>, to value: JSONValue) -> JSONValue {
        guard let first = path.first else { return value }
        var members: [String: JSONValue] = [:]
        if case .object(let present) = self { members = present }
        let rest = path.dropFirst()
        members[String(first)] = (members[String(first)] ?? .object([:])).setting(rest, to: value)
        return .object(members)
    }
}

extension JSONValue {
    init(_ value: SettingValue) {
        switch value {
        case .integer(let number): self = .integer(number)
        case .bool(let flag): self = .bool(flag)
        case .text(let text): self = .string(text)
        }
    }

    /// As the setting's value, if it is of a type that settings have.
    var settingValue: SettingValue? {
        switch self {
        case .bool(let flag): .bool(flag)
        case .integer(let number): .integer(number)
        case .string(let text): .text(text)
        default: nil
        }
    }

    /// For messages.
    var asWritten: String {
        (try? JSON.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "\(self)"
    }
}
