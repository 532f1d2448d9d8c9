public import StoreModel

/// A point in a skin, with coordinates in pixels.
public struct SkinPoint: Sendable, Hashable {
    public var x: Double
    public var y: Double
    public init(x: Double, y: Double) { (self.x, self.y) = (x, y) }
}

/// A size in a skin, in pixels; width and height are not negative.
public struct SkinSize: Sendable, Hashable {
    public var width: Double
    public var height: Double
    public init(width: Double, height: Double) { (self.width, self.height) = (width, height) }
}

/// A rectangle in a skin, with position and size in pixels.
public struct SkinRect: Sendable, Hashable {
    public var origin: SkinPoint
    public var size: SkinSize
    public init(origin: SkinPoint, size: SkinSize) { (self.origin, self.size) = (origin, size) }
}

/// A type of values in skins that consist of several numbers separated by commas.
public protocol NumbersType: ObjectType {
    /// The number of numbers of which a value of this type consists.
    static var count: Int { get }
    /// The meaning of the value's numbers, such as `x, y`, for error messages.
    static var meaning: String { get }
    /// Creates a value of a skin from ``count`` numbers; `nil` if the numbers are out of range.
    func value(_ numbers: [Double]) -> Value?
    /// Returns the numbers of which a value of a skin consists.
    func numbers(_ value: Value) -> [Double]
}

extension NumbersType {
    public func value(of source: ObjectSource) throws(ObjectError) -> Value {
        guard let value = value(ofText: source.text) else {
            throw .bad("invalid value '\(source.text.prefix(60))', expected \(Self.meaning)")
        }
        return value
    }

    public func text(of value: Value) -> String { SkinNumber.write(numbers(value)) }

    public func value(ofText text: String) -> Value? { SkinNumber.read(text, count: Self.count).flatMap(value) }

    public func css(_ value: Value, in context: StyleContext) -> String? {
        SkinNumber.css(numbers(value), isLength: true)
    }

    public func json(_ value: Value, in vocabulary: SkinVocabulary) -> JSONValue {
        .array(numbers(value).map(JSONValue.number))
    }
}

/// The type `point` of values in skins, which are written `x, y`.
public struct PointType: NumbersType {
    public typealias Value = SkinPoint
    public let name = "point"
    public static let count = 2
    public static let meaning = "x, y"
    public init() {}

    public func value(_ numbers: [Double]) -> SkinPoint? { SkinPoint(x: numbers[0], y: numbers[1]) }
    public func numbers(_ value: SkinPoint) -> [Double] { [value.x, value.y] }
}

/// The type `size` of values in skins, which are written `width, height`.
public struct SizeType: NumbersType {
    public typealias Value = SkinSize
    public let name = "size"
    public static let count = 2
    public static let meaning = "non-negative width, height"
    public init() {}

    public func value(_ numbers: [Double]) -> SkinSize? {
        numbers.allSatisfy { $0 >= 0 } ? SkinSize(width: numbers[0], height: numbers[1]) : nil
    }
    public func numbers(_ value: SkinSize) -> [Double] { [value.width, value.height] }
}

/// The type `rect` of values in skins, which are written `x, y, width, height`.
public struct RectType: NumbersType {
    public typealias Value = SkinRect
    public let name = "rect"
    public static let count = 4
    public static let meaning = "x, y, width, height with non-negative width and height"
    public init() {}

    public func value(_ numbers: [Double]) -> SkinRect? {
        guard numbers[2] >= 0, numbers[3] >= 0 else { return nil }
        return SkinRect(
            origin: SkinPoint(x: numbers[0], y: numbers[1]), size: SkinSize(width: numbers[2], height: numbers[3]))
    }
    public func numbers(_ value: SkinRect) -> [Double] {
        [value.origin.x, value.origin.y, value.size.width, value.size.height]
    }
}

extension ObjectType where Self == PointType { public static var point: PointType { PointType() } }
extension ObjectType where Self == SizeType { public static var size: SizeType { SizeType() } }
extension ObjectType where Self == RectType { public static var rect: RectType { RectType() } }
