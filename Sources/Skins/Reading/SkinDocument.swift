import StoreModel
import StoreXML

/// What one theme file says, before anything of it is looked up.
struct SkinDocument {
    var constants: [Value] = []
    var classes: [Definition] = []
    var instances: [Definition] = []
    var remarks: [Remark] = []

    /// A class, or what is said of an identifier.
    struct Definition {
        /// Empty for a class.
        let component: String
        let identifier: String
        /// Of an instance; `nil` where it names none.
        let classes: String?
        let line: Int
        var operations: [Operation] = []
    }

    struct Operation {
        let name: String
        let line: Int
        var parameters: [Value] = []
    }

    /// A parameter, a constant or an item.
    struct Value {
        /// Empty for an item.
        let name: String
        let type: String?
        /// The constant that it takes.
        let reference: String?
        /// All others.
        let attributes: [XMLAttribute]
        let line: Int
        var text = ""
        var items: [Value] = []
    }

    /// A warning that the file alone is reason for.
    struct Remark {
        let code: ErrorCode
        let line: Int?
        let message: String
    }
}
