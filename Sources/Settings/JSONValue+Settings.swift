import StoreModel

extension JSONValue {
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
}
