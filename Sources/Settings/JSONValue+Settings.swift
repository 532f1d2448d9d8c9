import StoreModel

extension JSONValue {
    /// All values in the JSON document that are not objects, each with the names of the members that lead to it.
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

    /// Returns the JSON document with one member set.
    ///
    /// A value other than an object in the path to the member is replaced by an object.
    func setting(_ path: some Collection<Substring>, to value: JSONValue) -> JSONValue {
        guard let first = path.first else { return value }
        var members: [String: JSONValue] = [:]
        if case .object(let present) = self { members = present }
        let rest = path.dropFirst()
        members[String(first)] = (members[String(first)] ?? .object([:])).setting(rest, to: value)
        return .object(members)
    }

    /// Returns the JSON document without one member, and without the objects that its removal leaves empty.
    func removing(_ path: some Collection<Substring>) -> JSONValue {
        guard case .object(var members) = self, let first = path.first.map(String.init), let inner = members[first]
        else { return self }
        let rest = path.dropFirst()
        let reduced = rest.isEmpty ? nil : inner.removing(rest)
        members[first] = reduced == .object([:]) ? nil : reduced
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

    /// The JSON value as that of a setting; `nil` if no setting has a value of this JSON type.
    var settingValue: SettingValue? {
        switch self {
        case .bool(let flag): .bool(flag)
        case .integer(let number): .integer(number)
        case .string(let text): .text(text)
        default: nil
        }
    }
}
