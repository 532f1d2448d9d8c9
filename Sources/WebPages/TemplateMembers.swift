import Mustache

/// A value that returns its properties by their names, instead of having them read by reflection.
///
/// It is for values that occur many times in a page: reflection took a third of the time of the page with 60 products. A
/// property without a value is `false`; for `nil`, Mustache would look for the name in the values around this one.
protocol TemplateValue: MustacheParent {}

/// The stored properties of a page, or of a value in it, by the names with which templates look them up.
///
/// Each is read once: for a value of another type, Mustache goes through all of its properties for every name.
struct TemplateMembers: MustacheParent {
    private let members: [String: Any]

    /// Reads the properties of a value.
    ///
    /// - Parameter more: members that the template names, and that the value does not have.
    init(_ value: Any, adding more: [String: Any] = [:]) {
        var members = more
        for case (let name?, let property) in Mirror(reflecting: value).children {
            members[name] = Self.template(property)
        }
        self.members = members
    }

    func child(named name: String) -> Any? { members[name] }

    /// Returns a value as templates use it; `nil` for an optional without one.
    private static func template(_ value: Any) -> Any? {
        if value is String || value is any TemplateValue || value is [any TemplateValue] { return value }
        let mirror = Mirror(reflecting: value)
        return switch mirror.displayStyle {
        case .optional: mirror.children.first.flatMap { template($0.value) }
        case .collection: mirror.children.compactMap { template($0.value) }
        // Numbers are structures with a text.
        case .struct: value is any CustomStringConvertible ? value : TemplateMembers(value)
        default: value
        }
    }
}
