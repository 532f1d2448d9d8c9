import Foundation
import StoreModel
import Testing

/// Tests that a soak run finds responses that it should not get.
@Suite struct SoakQuestionTests {
    private func answer(_ status: Int, _ body: String = "", isProblem: Bool = false) -> SoakConnection.Answer {
        SoakConnection.Answer(status: status, body: Data(body.utf8), isProblem: isProblem)
    }

    private func problem(_ code: ErrorCode, _ status: Int) -> SoakConnection.Answer {
        answer(
            status, #"{"code":"\#(code.rawValue)","status":\#(status),"exitCode":\#(code.exitCode.rawValue)}"#,
            isProblem: true)
    }

    private let plain = SoakQuestion("GET", "/v1/packs")
    private let tolerant = SoakQuestion("GET", "/v1/packs/a", or: [.packMissing])
    private let refused = SoakQuestion.refused("GET", "/v1/operations/none", with: .operationUnknown)

    @Test func `a success is expected unless the request is invalid`() {
        #expect(plain.fault(of: answer(200)) == nil && tolerant.fault(of: answer(202)) == nil)
        #expect(refused.fault(of: answer(200)) != nil)
        #expect(plain.fault(of: answer(304)) != nil && plain.fault(of: answer(0)) != nil)
    }

    @Test func `a refusal is a fault unless the question names its code`() {
        #expect(plain.fault(of: problem(.packMissing, 404)) != nil)
        #expect(tolerant.fault(of: problem(.packMissing, 404)) == nil)
        #expect(tolerant.fault(of: problem(.productBusy, 409)) != nil)
        #expect(refused.fault(of: problem(.operationUnknown, 404)) == nil)
        #expect(refused.fault(of: problem(.requestMalformed, 400)) != nil)
    }

    @Test func `a refusal must be a problem with a documented code, and its status and exit code`() {
        #expect(tolerant.fault(of: answer(404, "not here")) != nil)
        let text = #"{"code":"pack.not-installed","status":404,"exitCode":3}"#
        #expect(tolerant.fault(of: answer(404, text, isProblem: true)) == nil)
        #expect(tolerant.fault(of: answer(404, text)) != nil)
        #expect(tolerant.fault(of: answer(409, text, isProblem: true)) != nil)
        #expect(tolerant.fault(of: answer(404, text.replacing("3}", with: "4}"), isProblem: true)) != nil)
        #expect(tolerant.fault(of: answer(404, text.replacing("pack.", with: "peck."), isProblem: true)) != nil)
    }

    @Test func `an error of the daemon is a fault`() {
        #expect(plain.fault(of: problem(.unexpected, 500)) != nil)
        #expect(tolerant.fault(of: problem(.unexpected, 500)) != nil)
    }

    @Test func `the refusal of HEAD has only a status`() {
        #expect(SoakQuestion("HEAD", "/v1/packs/a", or: [.packMissing]).fault(of: answer(404)) == nil)
        #expect(SoakQuestion("HEAD", "/v1/packs/a", or: [.packMissing]).fault(of: answer(400)) != nil)
        #expect(SoakQuestion("HEAD", "/v1/packs").fault(of: answer(404)) != nil)
    }
}
