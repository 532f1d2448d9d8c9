import Hummingbird
import StoreAPI
import StoreDownloads
import StoreModel
import Testing

@testable import StoreServer

@Suite struct HTTPStatusTests {
    @Test(arguments: [
        (ExitCode.usage, 400), (.notFound, 404), (.network, 502), (.refused, 422), (.space, 507), (.conflict, 409),
        (.daemon, 503), (.notEntitled, 402), (.failed, 500),
    ])
    func `the exit code determines the status`(exitCode: ExitCode, status: Int) {
        #expect(HTTPResponse.Status(for: ErrorCode("some.word", exitCode)).code == status)
    }

    @Test(arguments: [
        (ErrorCode("events.gone", .notFound), 410), (.cancelled, 409), (.methodUnknown, 405), (.requestTooLarge, 413),
        (.downloadMissing, 404), (.downloadEnded, 409), (.servedFileMissing, 404), (.resourceUnknown, 404),
        (.requestCrossOrigin, 403), (.requestMediaType, 415), (.requestRange, 416),
        (.requestHeadersTooLarge, 431), (.requestMethodUnknown, 501),
    ])
    func `some codes have a status of their own`(code: ErrorCode, status: Int) {
        #expect(HTTPResponse.Status(for: code).code == status)
    }
}
