/// One typed value of a skin, such as a colour.
public struct SkinValue: Sendable {
    @usableFromInline let typeName: InternedName
    /// The skin value in the form in which it is stored.
    public let content: Content

    /// Creates a skin value from the name of its type and its content (``ObjectType/content(of:)-(Value)``).
    ///
    /// - Parameter type: the name of a type that the program has; the process remembers each name until it ends.
    public init(type: String, content: Content) { self.init(type: InternedName(type), content: content) }

    init(type: InternedName, content: Content) {
        typeName = type
        self.content = content
    }

    /// The name of the skin value's ``ObjectType``, such as `color`.
    public var type: String { typeName.text }

    /// The skin value in the one notation that its type writes, so that equal values have equal text.
    public var text: String { content.text }

    /// Returns the skin value in its own Swift type, as in `value(as: .color)`; `nil` if it has another type.
    @inlinable public func value<T: ObjectType>(as type: T) -> T.Value? {
        typeName.text == type.name ? type.value(of: content) : nil
    }

    /// The content of a skin's value in the form in which it is stored in memory and in a compiled skin.
    ///
    /// Colours, numbers and fonts, which are most of the values, are stored so that reading one parses nothing.
    public enum Content: Sendable, Hashable {
        /// The canonical text of a value of any type.
        case text(String)
        case color(SkinColor)
        case number(Double)
        case integer(Int)
        case font(SkinFont)

        /// The canonical text of the value.
        public var text: String {
            switch self {
            case .text(let text): text
            case .color(let color): ColorType().text(of: color)
            case .number(let number): FloatType().text(of: number)
            case .integer(let number): IntegerType().text(of: number)
            case .font(let font): FontType().text(of: font)
            }
        }

        /// The size of ``text`` in UTF-8, in bytes; for a fraction, a size that its text does not exceed.
        ///
        /// The text is not written for it, because every value of a skin is measured.
        var maximumTextSize: Int {
            switch self {
            case .text(let text): text.utf8.count
            case .color(let color): color.alpha == 255 ? 7 : 9
            case .number(let number): SkinNumber.maximumTextSize(number)
            case .integer(let number): SkinNumber.maximumTextSize(number)
            case .font(let font):
                font.family.utf8.count + SkinNumber.maximumTextSize(font.size)
                    + SkinNumber.maximumTextSize(font.weight) + 4
            }
        }
    }
}

extension SkinValue: Hashable {
    /// Returns whether two skin values have the same type and the same text.
    public static func == (one: SkinValue, other: SkinValue) -> Bool {
        // The items of an array have text as their content, whatever their type.
        one.typeName == other.typeName && (one.content == other.content || one.text == other.text)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(typeName)
        hasher.combine(text)
    }
}
