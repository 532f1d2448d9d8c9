import StoreModel

/// The path and query of a resource of the daemon's HTTP interface, percent-encoded.
struct Resource: Sendable {
    private(set) var path = "/v1"
    /// Whether a segment of the path is empty, so that the path is that of another resource, or of none.
    private(set) var hasEmptySegment = false
    private var hasQuery = false

    init(_ segments: String...) {
        for segment in segments { path += "/" + PathSegment.encode(segment) }
        hasEmptySegment = segments.contains("")
    }

    /// Appends a path of several components, separated by `/`, to the resource's path.
    func below(_ parts: String) -> Resource {
        var resource = self
        for part in parts.split(separator: "/") { resource.path += "/" + PathSegment.encode(String(part)) }
        return resource
    }

    /// Adds a query parameter to the resource, or nothing if the value is `nil`.
    func with(_ name: String, _ value: String?) -> Resource {
        guard let value else { return self }
        var resource = self
        resource.path += (hasQuery ? "&" : "?") + name + "=" + PathSegment.encode(value)
        resource.hasQuery = true
        return resource
    }
}
