/// The price of a product: amount and currency as the publisher wrote them, or free.
///
/// The amount is displayed and never computed with, so it is stored as text.
public struct Price: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The price's amount and currency as the publisher wrote them, such as `2.99 EUR`; `nil` if the product is free.
    public let amount: String?

    public static let free = Price("")

    /// Creates a price from the text that the publisher wrote.
    ///
    /// `nil`, an empty text, `0` (also `0.00`, with or without a currency) and `free` are free.
    public init(_ text: String?) {
        let text = (text ?? "").trimmingSpaces()
        amount = Price.isFree(text) ? nil : text
    }

    public var isFree: Bool { amount == nil }
    public var description: String { amount ?? "free" }

    private static func isFree(_ text: String) -> Bool {
        if text.isEmpty || text.lowercased() == "free" { return true }
        let digits = text.filter(\.isNumber)
        return !digits.isEmpty && digits.allSatisfy { $0 == "0" }
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .free
        } else if let number = try? container.decode(Double.self) {
            self.init(Int(exactly: number).map(String.init) ?? "\(number)")
        } else {
            self.init(try container.decode(String.self))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension String {
    func trimmingSpaces() -> String {
        var rest = self[...]
        while rest.first?.isWhitespace == true { rest.removeFirst() }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }
}
