import Hummingbird
import StoreDownloads
import StoreModel
import StoreOpenAPI

extension Route {
    /// The error codes that a request to this HTTP route can return: its own, and those of every request.
    var errors: [ErrorCode] {
        var errors: [ErrorCode] = [.requestMalformed, .requestHeadersTooLarge, .shuttingDown, .unexpected]
        // The web listener checks these before it passes a request on.
        errors += [.webHost, .requestCrossOrigin, .webLogin, .webToken, .webTooManyAttempts]
        errors.append(webScope == nil ? .webSocketOnly : .webScope)
        if endpoint?.body != nil || rejectsBody { errors += [.requestMediaType, .requestTooLarge] }
        return errors + (endpoint?.errors ?? [])
    }

    /// The scope that a client of the web listener needs for a request to this HTTP route; `nil` if none may send it.
    var webScope: WebScope? { WebRequestCheck.scope(path: template, changes: changesState) }
}

extension HTTPRequest.Method {
    init(_ method: Route.Method) {
        self =
            switch method {
            case .get: .get
            case .head: .head
            case .post: .post
            case .put: .put
            case .patch: .patch
            case .delete: .delete
            }
    }
}
