public import FoundationEssentials
import StoreModel
import StoreSettings

extension Story {
    /// Reads a story.
    ///
    /// - Parameter name: of the file, for messages.
    /// - Throws: `scenario.malformed`, with the place of what is wrong.
    public init(_ document: Data, named name: String) throws(ScenarioError) {
        do {
            self = try JSON.decode(Story.self, from: document)
        } catch {
            throw ScenarioError(.scenarioMalformed, "The story '\(name)' can't be played: \(Self.reason(error))")
        }
    }

    private static func reason(_ error: any Error) -> String {
        guard let error = error as? DecodingError else { return ErrorReport(error).message }
        switch error {
        case .keyNotFound(let key, let context):
            return place(context.codingPath) + "the member '\(key.stringValue)' is missing."
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            return place(context.codingPath) + "it is of another type."
        case .dataCorrupted(let context):
            // The flaws that are found here all have a place.
            guard !context.codingPath.isEmpty else { return "it is not JSON." }
            return place(context.codingPath) + context.debugDescription
        @unknown default: return "\(error)"
        }
    }

    /// As in `products[0].versions[1].size: `.
    private static func place(_ path: [any CodingKey]) -> String {
        guard !path.isEmpty else { return "" }
        let parts = path.enumerated().map { index, key in
            key.intValue.map { "[\($0)]" } ?? (index == 0 ? "" : ".") + key.stringValue
        }
        return "at \(parts.joined()): "
    }
}

extension Story: Decodable {
    public init(from decoder: any Decoder) throws {
        let values = try StoryMembers(
            decoder, ["story", "title", "begins", "store", "clock", "settings", "products", "steps"])
        guard try values.required("story", Int.self) == 1 else {
            throw values.flaw("story", "this program plays stories of format 1 only.")
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
        try check(values)
    }

    /// What only the whole shows.
    private func check(_ values: StoryMembers) throws {
        let known = Set(products.map(\.productIdentifier))
        guard known.count == products.count else { throw values.flaw("products", "a product is there twice.") }
        for product in products {
            for needed in product.dependencies where !known.contains(needed) {
                throw values.flaw("products", "'\(product.productIdentifier)' needs '\(needed)', which is not there.")
            }
        }
        for step in steps {
            if let product = step.product, !known.contains(product) {
                throw values.flaw("steps", "there is no product '\(product)'.")
            }
        }
        for (step, next) in zip(steps, steps.dropFirst()) where next.at < step.at {
            throw values.flaw("steps", "the times go backwards, from \(step.at) to \(next.at).")
        }
    }
}

extension Story.Product: Decodable {
    public init(from decoder: any Decoder) throws {
        let values = try StoryMembers(
            decoder, ["productIdentifier", "kind", "name", "price", "dependencies", "permissions", "versions"])
        productIdentifier = try values.required("productIdentifier")
        guard !productIdentifier.isEmpty else { throw values.flaw("productIdentifier", "it is empty.") }
        kind = try values.optional("kind") ?? .sticker
        name = try values.optional("name") ?? productIdentifier
        price = try values.optional("price", String.self).map { Price($0) } ?? .free
        dependencies = try values.optional("dependencies") ?? []
        permissions = try values.optional("permissions") ?? []
        versions = try values.required("versions")
        guard !versions.isEmpty else { throw values.flaw("versions", "there is none.") }
        for (version, next) in zip(versions, versions.dropFirst()) {
            guard next.version > version.version, next.appears >= version.appears else {
                throw values.flaw("versions", "\(next.version) is no newer than \(version.version), or appears sooner.")
            }
        }
    }
}

extension Story.Release: Decodable {
    /// What is in a pack beside the picture has some hundred bytes; more than this, nobody tests a front-end with.
    static let sizes = 1024...(64 << 20)

    public init(from decoder: any Decoder) throws {
        let values = try StoryMembers(decoder, ["version", "size", "appears", "attempts"])
        version = try values.required("version")
        size = try values.optional("size") ?? 100_000
        guard Self.sizes.contains(size) else {
            throw values.flaw("size", "it must be from \(Self.sizes.lowerBound) to \(Self.sizes.upperBound) bytes.")
        }
        appears = try values.time("appears") ?? .zero
        attempts = try values.optional("attempts") ?? []
        for (number, attempt) in attempts.enumerated() {
            if let flaw = flaw(of: attempt) { throw values.flaw("attempts", "of attempt \(number + 1), \(flaw)") }
        }
    }

    private func flaw(of attempt: [Story.Moment]) -> String? {
        var (bytes, time, isOver) = (0, Duration.zero, false)
        for moment in attempt {
            guard !isOver else { return "something happens after its end." }
            guard moment.after >= time else { return "the times go backwards, from \(time) to \(moment.after)." }
            time = moment.after
            guard case .bytes(let count) = moment.happening else {
                isOver = true
                continue
            }
            guard count >= bytes else { return "the bytes become fewer, from \(bytes) to \(count)." }
            guard count <= size else { return "there are \(count) bytes of \(size)." }
            (bytes, isOver) = (count, count == size)
        }
        return isOver ? nil : "the end is missing: all bytes, 'stalls', 'status' or 'fails'."
    }
}

extension Story.Moment: Decodable {
    public init(from decoder: any Decoder) throws {
        let values = try StoryMembers(decoder, ["after", "bytes", "stalls", "status", "retryAfter", "fails"])
        after = try values.time("after") ?? .zero
        var happenings: [Happening] = []
        if let bytes = try values.optional("bytes", Int.self) {
            guard bytes >= 0 else { throw values.flaw("bytes", "it is negative.") }
            happenings.append(.bytes(bytes))
        }
        if try values.optional("stalls", Bool.self) == true { happenings.append(.stalls) }
        let retryAfter = try values.optional("retryAfter", Int.self)
        if let status = try values.optional("status", Int.self) {
            guard (400...599).contains(status) else { throw values.flaw("status", "it must be from 400 to 599.") }
            happenings.append(.status(status, retryAfter: retryAfter))
        } else if retryAfter != nil {
            throw values.flaw("retryAfter", "only a 'status' has it.")
        }
        if let failure: Story.Failure = try values.word("fails") { happenings.append(.fails(failure)) }
        guard happenings.count == 1 else {
            throw values.flaw("after", "one thing must happen: 'bytes', 'stalls', 'status' or 'fails'.")
        }
        happening = happenings[0]
    }
}

extension Story.Step: Decodable {
    public init(from decoder: any Decoder) throws {
        let values = try StoryMembers(decoder, ["at", "do", "product"])
        at = try values.time("at") ?? .zero
        guard let action: Action = try values.word("do") else { throw values.flaw("do", "it is missing.") }
        self.action = action
        product = try values.optional("product")
        if product == nil, action.needsProduct {
            throw values.flaw("product", "it is missing: '\(action.rawValue)' is done to one.")
        }
        if product != nil, !action.takesProduct {
            throw values.flaw("product", "'\(action.rawValue)' is not done to one.")
        }
    }
}
