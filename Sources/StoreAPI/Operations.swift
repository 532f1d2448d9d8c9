public import StoreModel
public import StoreOpenAPI

/// The daemon's JSON response to `GET /v1/operations`: a page of the history of operations, newest first.
///
/// An operation is an install, update, uninstall, rollback or repair.
public struct OperationList: Sendable, Codable {
    /// The records of the operations on this page of the history.
    public var operations: [OperationRecord]
    /// The text to send as `after` in the request for the next page of the history; `nil` on the last page.
    public var next: String?

    /// Creates one page of the history of operations.
    public init(operations: [OperationRecord], next: String? = nil) {
        self.operations = operations
        self.next = next
    }
}

extension OperationList: SchemaProviding {
    public static let schemaName = "OperationList"
    public static let schema = Schema.document(
        "The history of operations, newest first.",
        [.required("operations", .array(of: OperationRecord.self)), .nextPage])
}

extension OperationRecord: SchemaProviding {
    public static let schemaName = "Operation"
    public static let schema = Schema.document("One operation in the history.", schemaProperties)

    fileprivate static let schemaProperties: [Schema.Property] = [
        .required("operation", .nonEmptyText),
        .required("action", .enumeration(of: OperationAction.self)),
        .required("productIdentifier", .nonEmptyText),
        .required("store", .nonEmptyText.nullable),
        .required("version", .version),
        .required("startedAt", .dateTime),
        .required("endedAt", .dateTime.nullable),
        .required("end", .enumeration(of: OperationEnd.self).nullable, "`null` while the operation runs."),
        .required("error", .reference(to: ErrorReport.self).nullable),
    ]
}

/// The daemon's JSON response to `DELETE /v1/packs/{id}`: the operation that removed the pack.
public struct Uninstallation: Sendable, Codable {
    /// The record of the operation that removed the pack.
    public var record: OperationRecord
    /// The product identifiers of the removed pack's dependencies that nothing needs any more.
    ///
    /// Packs that the user installed by name are not listed.
    public var unneeded: [String]

    /// Creates the response for a pack that was removed.
    public init(_ record: OperationRecord, unneeded: [String]) {
        self.record = record
        self.unneeded = unneeded
    }

    private enum Key: String, CodingKey { case unneeded }

    /// Decodes the record of the operation that removed a pack, and `unneeded` from the same JSON object.
    ///
    /// The member `unneeded` lists the product identifiers of the pack's dependencies that nothing needs any more.
    public init(from decoder: any Decoder) throws {
        record = try OperationRecord(from: decoder)
        unneeded = try decoder.container(keyedBy: Key.self).decodeIfPresent([String].self, forKey: .unneeded) ?? []
    }

    /// Encodes the record of the operation that removed a pack, and `unneeded` into the same JSON object.
    ///
    /// The member `unneeded` lists the product identifiers of the pack's dependencies that nothing needs any more.
    public func encode(to encoder: any Encoder) throws {
        try record.encode(to: encoder)
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(unneeded, forKey: .unneeded)
    }
}

extension Uninstallation: SchemaProviding {
    public static let schemaName = "Uninstallation"
    public static let schema = Schema.document(
        "The operation that removed a pack.",
        OperationRecord.schemaProperties + [
            .required(
                "unneeded", .array(of: .nonEmptyText),
                "The pack's dependencies, and theirs, that were installed only for other products and that nothing needs "
                    + "any more.")
        ])
}

/// The result of a request, such as an update, for one of the products that the request names.
///
/// It is also an element of `results` in the command line's JSON output.
public struct OperationResult: Sendable, Codable {
    /// The identifier of the product that the request names.
    public var productIdentifier: String
    /// The identifier of the operation on the product; `nil` if none was started.
    @OrNull public var operation: OperationID?
    /// How the operation on the product ended; `nil` while it runs, and if none was started.
    @OrNull public var end: OperationEnd?
    /// Why the operation on the product failed or was not started; `nil` if it did not fail.
    @OrNull public var error: ErrorReport?

    /// Creates the result of a request for one product.
    public init(
        productIdentifier: String, operation: OperationID? = nil, end: OperationEnd? = nil, error: ErrorReport? = nil
    ) {
        self.productIdentifier = productIdentifier
        self.operation = operation
        self.end = end
        self.error = error
    }
}

extension OperationResult: SchemaProviding {
    public static let schemaName = "Result"
    public static let schema = Schema.document(
        "The result for one of several products.",
        [
            .required("productIdentifier", .nonEmptyText),
            .required("operation", .nonEmptyText.nullable, "`null` if no operation was started."),
            .required(
                "end", .enumeration(of: OperationEnd.self).nullable,
                "`null` while the operation runs, and if none was started."),
            .required("error", .reference(to: ErrorReport.self).nullable),
        ])
}

/// The daemon's JSON response to `POST /v1/updates`: one result for each updated product.
public struct OperationResultList: Sendable, Codable {
    /// The results of the update, one for each product.
    public var results: [OperationResult]
    /// Creates the list of the results of an update.
    public init(results: [OperationResult]) { self.results = results }
}

extension OperationResultList: SchemaProviding {
    public static let schemaName = "ResultList"
    public static let schema = Schema.document(
        "One result for each product.", [.required("results", .array(of: OperationResult.self))])
}
