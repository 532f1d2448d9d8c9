import StoreAPI

/// The path of something that the daemon has, made of parts that may hold anything.
struct Resource: Sendable {
    private(set) var path = "/v1"
    private var hasQuery = false

    init(_ segments: String...) {
        for segment in segments { path += "/" + PathSegment.encode(segment) }
    }

    /// Adds a path of several parts, which stay apart.
    func below(_ parts: String) -> Resource {
        var resource = self
        for part in parts.split(separator: "/") { resource.path += "/" + PathSegment.encode(String(part)) }
        return resource
    }

    /// Adds one parameter, unless there is no value for it.
    func with(_ name: String, _ value: String?) -> Resource {
        guard let value else { return self }
        var resource = self
        resource.path += (hasQuery ? "&" : "?") + name + "=" + PathSegment.encode(value)
        resource.hasQuery = true
        return resource
    }
}
