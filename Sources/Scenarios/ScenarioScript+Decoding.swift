public import FoundationEssentials
public import StoreModel
import StoreSettings

extension ScenarioScript {
    /// Decodes a scenario's script from JSON.
    ///
    /// - Parameter name: the scenario's or file's name, for messages.
    /// - Throws: `scenario.malformed`, with the location of the flaw in the document.
    public init(_ document: Data, named name: String) throws(StoreError) {
        do {
            self = try JSON.decode(ScenarioScript.self, from: document)
        } catch {
            throw StoreError(.scenarioMalformed, ["name": .untrusted(name), "reason": Self.reason(error)])
        }
    }

    private static func reason(_ error: any Error) -> String {
        guard let error = error as? DecodingError else { return ErrorReport(error).message }
        switch error {
        case .keyNotFound(let key, let context):
            return location(context.codingPath) + "missing member '\(key.stringValue)'"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            return location(context.codingPath) + "wrong type"
        case .dataCorrupted(let context):
            // Only a syntax error has no location.
            guard !context.codingPath.isEmpty else { return "invalid JSON" }
            return location(context.codingPath) + context.debugDescription
        @unknown default: return "\(error)"
        }
    }

    /// Returns the location of a flaw in a scenario's script, such as `at products[0].versions[1].size: `.
    private static func location(_ path: [any CodingKey]) -> String {
        guard !path.isEmpty else { return "" }
        let parts = path.enumerated().map { index, key in
            key.intValue.map { "[\($0)]" } ?? (index == 0 ? "" : ".") + key.stringValue
        }
        return "at \(parts.joined()): "
    }
}

extension ScenarioScript: Decodable {
    public init(from decoder: any Decoder) throws {
        let values = try ScriptMembers(
            decoder, ["scenario", "title", "begins", "store", "clock", "settings", "products", "steps"])
        guard try values.required("scenario", Int.self) == 1 else {
            throw values.flaw("scenario", "unsupported format, expected 1")
        }
        title = try values.required("title")
        begins = try values.optional("begins") ?? Date(timeIntervalSince1970: 1_767_225_600)
        store = try values.optional("store") ?? "shop"
        clock = try values.word("clock") ?? .moved
        var settings: [SettingKey: String] = [:]
        for (name, value) in try values.optional("settings", [String: String].self) ?? [:] {
            do {
                let key = try SettingKey(named: name)
                _ = try key.value(ofText: value)
                settings[key] = value
            } catch {
                throw values.flaw("settings", ErrorReport(error).message)
            }
        }
        self.settings = settings
        products = try values.required("products")
        steps = try values.optional("steps") ?? []
        try validate(values)
    }

    /// Checks rules of the scenario's script that concern several members.
    private func validate(_ values: ScriptMembers) throws {
        let known = Set(products.map(\.productIdentifier))
        guard known.count == products.count else { throw values.flaw("products", "duplicate product") }
        for product in products {
            for needed in product.dependencies where !known.contains(needed) {
                throw values.flaw(
                    "products", "'\(product.productIdentifier)' requires '\(needed)', which does not exist")
            }
        }
        for step in steps {
            if let product = step.product, !known.contains(product) {
                throw values.flaw("steps", "no such product '\(product)'")
            }
        }
        for (step, next) in zip(steps, steps.dropFirst()) where next.at < step.at {
            throw values.flaw("steps", "times must not decrease (\(step.at) to \(next.at))")
        }
    }
}

extension ScenarioScript.Product: Decodable {
    public init(from decoder: any Decoder) throws {
        let values = try ScriptMembers(
            decoder, ["productIdentifier", "kind", "name", "price", "dependencies", "permissions", "versions"])
        productIdentifier = try values.required("productIdentifier")
        guard !productIdentifier.isEmpty else { throw values.flaw("productIdentifier", "must not be empty") }
        kind = try values.optional("kind") ?? .sticker
        name = try values.optional("name") ?? productIdentifier
        price = try values.optional("price", String.self).map { Price($0) } ?? .free
        dependencies = try values.optional("dependencies") ?? []
        permissions = try values.optional("permissions") ?? []
        versions = try values.required("versions")
        guard !versions.isEmpty else { throw values.flaw("versions", "must not be empty") }
        for (version, next) in zip(versions, versions.dropFirst()) {
            guard next.version > version.version, next.appears >= version.appears else {
                throw values.flaw(
                    "versions", "\(next.version) must be newer than \(version.version), and must not appear earlier")
            }
        }
    }
}

extension ScenarioScript.Release: Decodable {
    /// The permitted archive sizes in a scenario, in bytes: a pack without its image has some hundred bytes.
    static let sizes = 1024...(64 << 20)

    public init(from decoder: any Decoder) throws {
        let values = try ScriptMembers(decoder, ["version", "size", "appears", "attempts"])
        version = try values.required("version")
        size = try values.optional("size") ?? 100_000
        guard Self.sizes.contains(size) else {
            throw values.flaw("size", "must be from \(Self.sizes.lowerBound) to \(Self.sizes.upperBound) bytes")
        }
        appears = try values.time("appears") ?? .zero
        attempts = try values.optional("attempts") ?? []
        for (number, attempt) in attempts.enumerated() {
            if let flaw = flaw(of: attempt) { throw values.flaw("attempts", "attempt \(number + 1): \(flaw)") }
        }
    }

    private func flaw(of attempt: [ScenarioScript.TransferEvent]) -> String? {
        var (bytes, time, isOver) = (0, Duration.zero, false)
        for event in attempt {
            guard !isOver else { return "event after the end" }
            guard event.after >= time else { return "times must not decrease (\(time) to \(event.after))" }
            time = event.after
            guard case .bytes(let count) = event.action else {
                isOver = true
                continue
            }
            guard count >= bytes else { return "bytes must not decrease (\(bytes) to \(count))" }
            guard count <= size else { return "\(count) bytes of \(size)" }
            (bytes, isOver) = (count, count == size)
        }
        return isOver ? nil : "no end: expected all bytes, 'stalls', 'status' or 'fails'"
    }
}

extension ScenarioScript.TransferEvent: Decodable {
    public init(from decoder: any Decoder) throws {
        let values = try ScriptMembers(decoder, ["after", "bytes", "stalls", "status", "retryAfter", "fails"])
        after = try values.time("after") ?? .zero
        var actions: [Action] = []
        if let bytes = try values.optional("bytes", Int.self) {
            guard bytes >= 0 else { throw values.flaw("bytes", "must not be negative") }
            actions.append(.bytes(bytes))
        }
        if try values.optional("stalls", Bool.self) == true { actions.append(.stalls) }
        let retryAfter = try values.optional("retryAfter", Int.self)
        if let status = try values.optional("status", Int.self) {
            guard (400...599).contains(status) else { throw values.flaw("status", "must be from 400 to 599") }
            actions.append(.status(status, retryAfter: retryAfter))
        } else if retryAfter != nil {
            throw values.flaw("retryAfter", "only permitted with 'status'")
        }
        if let failure: ScenarioScript.TransferFailure = try values.word("fails") { actions.append(.fails(failure)) }
        guard actions.count == 1 else {
            throw values.flaw("after", "expected exactly one of 'bytes', 'stalls', 'status' or 'fails'")
        }
        action = actions[0]
    }
}

extension ScenarioScript.Step: Decodable {
    public init(from decoder: any Decoder) throws {
        let values = try ScriptMembers(decoder, ["at", "do", "product"])
        at = try values.time("at") ?? .zero
        guard let action: Action = try values.word("do") else { throw values.flaw("do", "missing member") }
        self.action = action
        product = try values.optional("product")
        if product == nil, action.requiresProduct {
            throw values.flaw("product", "'\(action.rawValue)' requires a product")
        }
        if product != nil, !action.acceptsProduct {
            throw values.flaw("product", "'\(action.rawValue)' takes no product")
        }
    }
}
