import Hummingbird

extension RouteTable {
    /// `/v1/openapi.json`: what all the others take and give. To be added last.
    mutating func addInterface() {
        let path = "/v1/openapi.json"
        let endpoint = Endpoint(
            "openapi", "This document.", .ok(.openAPI, "The interface as OpenAPI 3.1 describes it."))
        let routes = routes + [Route(method: .get, path: path, endpoint: endpoint)]
        get(path, endpoint) { request in
            try request.answer(OpenAPIDocument.make(routes))
        }
    }
}
