/// The operations of a class or an entity, each name once.
///
/// They are few, as no component has more than a few dozen, so that a search from one end to the other is the fastest.
struct OperationList {
    /// The operations in byte order of their names.
    private(set) var all: [SkinEntity.Operation] = []
    /// An estimate of the size of the operations in a style sheet, in bytes, without the identifiers of entities.
    private(set) var styleSheetSize = 0

    mutating func reserveCapacity(_ count: Int) { all.reserveCapacity(count) }

    /// Adds an operation, or replaces the one with the same name.
    mutating func set(_ operation: SkinEntity.Operation) {
        styleSheetSize += operation.styleSheetSize
        var index = all.endIndex
        // Names of operations are ASCII, whose order as texts is that of the bytes.
        while index > 0, operation.name <= all[index - 1].name { index -= 1 }
        if index == all.endIndex {
            all.append(operation)
        } else if all[index].internedName == operation.internedName {
            styleSheetSize -= all[index].styleSheetSize
            all[index] = operation
        } else {
            all.insert(operation, at: index)
        }
    }

    /// Returns an estimate of the size of an entity with these operations in a style sheet, in bytes.
    ///
    /// A value is written once, or in each of the up to three rules for its operation; with it come the escaped
    /// identifier and the name of the operation, in the selector and in the name of the custom property.
    func styleSheetSize(identifier: String) -> Int {
        styleSheetSize + 4 * StyleText.identifierPartSize(identifier) * all.count
    }
}

extension SkinEntity.Operation {
    /// An estimate of the size of the operation in a style sheet, in bytes, without the identifier of its entity.
    fileprivate var styleSheetSize: Int {
        2 * name.utf8.count + 3 * parameters.valueSize + 160
    }
}
