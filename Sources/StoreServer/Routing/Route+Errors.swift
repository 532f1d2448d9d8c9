import Hummingbird
import StoreDownloads
import StoreModel
import StoreOpenAPI

extension Route {
    /// The error codes that a request to this HTTP route can return: its own, and those of every request.
    var errors: [ErrorCode] {
        var errors: [ErrorCode] = [.requestMalformed, .shuttingDown, .unexpected]
        if !hasSafeMethod { errors.append(.requestCrossOrigin) }
        if endpoint?.body != nil || rejectsBody { errors += [.requestMediaType, .requestTooLarge] }
        return errors + (endpoint?.errors ?? [])
    }
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
