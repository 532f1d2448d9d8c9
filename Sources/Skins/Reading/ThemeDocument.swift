import StoreModel

/// The content of one theme file (an XML file with definitions of a skin), before the names in it are resolved.
///
/// The operations and parameters of all definitions are in one array each: an array for each definition would have to be
/// allocated.
struct ThemeDocument {
    var constants: [Value] = []
    var classes: [Definition] = []
    var instances: [Definition] = []
    var operations: [Operation] = []
    var parameters: [Value] = []
    var problems: [Problem] = []

    /// A class (shared set of operations) or an instance (definition for an identifier) in a skin's theme file.
    struct Definition {
        /// The component type of an instance, such as `uilabel`; empty for a class.
        let component: SkinName
        let identifier: String
        /// The value of an instance's attribute `class`, names of classes; `nil` if it has none.
        let classes: SkinName?
        let line: Int
        /// The indices of the definition's operations in ``ThemeDocument/operations``.
        var operations: Range<Int>
    }

    /// A skin operation (such as `backgroundColor`) with its parameters, as a theme file contains it.
    struct Operation {
        let name: SkinName
        let line: Int
        /// The indices of the operation's parameters in ``ThemeDocument/parameters``.
        var parameters: Range<Int>
    }

    /// A value in a theme file of a skin: a parameter, a constant, or an item of an array.
    struct Value {
        /// The name of the skin's parameter or constant; empty for an item of an array.
        let name: SkinName
        let type: SkinName?
        /// The name of the constant that provides the value; `nil` if the theme file contains the value itself.
        let reference: SkinName?
        /// The attributes of the value's XML element other than `name`, `type` and `ref`, in document order.
        let attributes: [(name: String, value: String)]
        let line: Int
        var text = ""
        var items: [Value] = []
    }

    /// A flaw in the structure of a skin's theme file, which becomes a warning.
    struct Problem {
        let code: ErrorCode
        let line: Int?
        let message: String
    }
}
