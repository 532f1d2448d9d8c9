/// The permissions that the user grants with a request to install or update: to all of its products, and to single ones.
///
/// A request may install the dependencies of a product, too, which ask for permissions of their own.
///
/// ```swift
/// let toAll: Consent = [.code]
/// let toOne = Consent(toProducts: ["org.example.weather": [.code]])
/// ```
public struct Consent: Sendable, Hashable, ExpressibleByArrayLiteral {
    /// The permissions that the user grants to every product of the request.
    public var toAll: Set<Permission>
    /// The permissions that the user grants to single products of the request, by product identifier.
    public var toProducts: [String: Set<Permission>]

    /// Creates the permissions that the user grants with a request.
    ///
    /// - Parameters:
    ///   - toAll: the permissions that are granted to every product of the request.
    ///   - toProducts: the permissions that are granted to single products, by product identifier.
    public init(_ toAll: Set<Permission> = [], toProducts: [String: Set<Permission>] = [:]) {
        self.toAll = toAll
        self.toProducts = toProducts
    }

    /// Creates the permissions that the user grants to every product of a request.
    public init(arrayLiteral elements: Permission...) { self.init(Set(elements)) }

    /// Returns all permissions that the user grants to one product.
    public func permissions(of productIdentifier: String) -> Set<Permission> {
        toAll.union(toProducts[productIdentifier] ?? [])
    }
}
