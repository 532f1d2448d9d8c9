public import FoundationEssentials
import GRDB
public import StoreModel

/// The record of the uses of one sticker: when it was sent last, how often, and how it ranks among the others.
public struct StickerUse: Sendable, Hashable {
    /// The sticker that was sent.
    public var name: StickerName
    /// When the sticker was sent last.
    public var sentAt: Date
    /// The number of times that the sticker was sent.
    public var count: Int
    /// The rank of the sticker: the higher, the more often and the more recently it was sent.
    ///
    /// It is the sum of the weights of all uses; see ``weight(of:)``. So a rank changes only when its sticker is sent, and
    /// not as time passes.
    public var rank: Double

    /// The time after which a use of a sticker counts half as much as a new one, in seconds.
    public static let halfLife: TimeInterval = 30 * 86_400

    /// Creates the record of the uses of one sticker.
    public init(name: StickerName, sentAt: Date, count: Int, rank: Double) {
        self.name = name
        self.sentAt = sentAt
        self.count = count
        self.rank = rank
    }

    /// Creates the record of the first use of a sticker.
    init(of name: StickerName, at date: Date) {
        self.init(name: name, sentAt: date, count: 1, rank: Self.weight(of: date))
    }

    /// Returns the weight of a use in the rank of a sticker: twice as much as that of a use a half-life before.
    ///
    /// It is a power of two for each whole half-life since the reference date, and linear in between. The dates that
    /// the exponent of a number allows are 80 years before and after 2001; earlier and later ones count as these.
    private static func weight(of date: Date) -> Double {
        let halfLives = min(max(date.timeIntervalSinceReferenceDate / halfLife, -1_000), 1_000)
        let whole = halfLives.rounded(.down)
        return Double(sign: .plus, exponent: Int(whole), significand: 1 + (halfLives - whole))
    }

    /// Adds a use of the sticker to the record.
    mutating func add(useAt date: Date) {
        rank += Self.weight(of: date)
        sentAt = date
        if count < Int(Int32.max) { count += 1 }
    }
}

extension StickerUse {
    /// Reads a row of the table `stickerUses`; `nil` if a column has no value.
    init?(_ row: Row) {
        let columns = UntrustedRow(row: row)
        guard let name = StickerName(row), let sentAt = columns.date("sentAt"), let count = columns.integer("count"),
            count > 0, let rank = columns.real("rank"), rank.isFinite
        else { return nil }
        self.init(name: name, sentAt: sentAt, count: Int(clamping: count), rank: rank)
    }

    func arguments(order: Int64) -> StatementArguments {
        [name.productIdentifier, name.sticker, order, sentAt.millisecondsSince1970, count, rank]
    }
}

extension StickerName {
    /// Reads the columns of a table of stickers that name one; `nil` if a column has no value.
    init?(_ row: Row) {
        let columns = UntrustedRow(row: row)
        guard let productIdentifier = columns.text("productIdentifier"), let sticker = columns.text("sticker") else {
            return nil
        }
        self.init(productIdentifier: productIdentifier, sticker: sticker)
    }
}
