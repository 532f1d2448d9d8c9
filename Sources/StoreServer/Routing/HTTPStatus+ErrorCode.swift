import Hummingbird
import StoreDownloads
import StoreModel

extension HTTPResponse.Status {
    /// Creates the HTTP status of the response for an error code.
    ///
    /// It follows from the exit code that belongs to the error code, except for a few codes with a status of their own.
    init(for code: ErrorCode) {
        switch code {
        case .eventsGone: self = .gone
        case .methodUnknown: self = .methodNotAllowed
        case .requestTooLarge: self = .contentTooLarge
        case .requestCrossOrigin: self = .forbidden
        case .requestMethodUnknown: self = .notImplemented
        case .requestHeadersTooLarge: self = .requestHeaderFieldsTooLarge
        case .requestRange: self = .rangeNotSatisfiable
        case .requestMediaType: self = .unsupportedMediaType
        case .cancelled: self = .conflict
        case .webLink, .webLogin, .webToken: self = .unauthorized
        case .webScope, .webSocketOnly, .webSessionOnly: self = .forbidden
        case .webHost: self = .misdirectedRequest
        case .webTooManyAttempts: self = .tooManyRequests
        default:
            switch code.exitCode {
            case .usage: self = .badRequest
            case .notFound: self = .notFound
            case .network: self = .badGateway
            case .refused: self = .unprocessableContent
            case .space: self = HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage")
            case .conflict: self = .conflict
            case .daemon: self = .serviceUnavailable
            case .notEntitled: self = HTTPResponse.Status(code: 402, reasonPhrase: "Payment Required")
            case .done, .failed, .partial, .updatesAvailable, .interrupted: self = .internalServerError
            }
        }
    }
}
