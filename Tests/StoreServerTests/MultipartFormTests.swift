import NIOCore
import StoreModel
import Testing

@testable import StoreServer

/// Forms with files, as browsers send them.
@Suite struct MultipartFormTests {
    private static let type = "multipart/form-data; boundary=----WebKitFormBoundaryAb1"

    private func parse(_ body: String, _ type: String = type) throws -> [String: String] {
        try MultipartForm.parse(ByteBuffer(string: body), contentType: type)
    }

    private func code(_ body: ByteBuffer, _ type: String = type) -> ErrorCode? {
        do {
            _ = try MultipartForm.parse(body, contentType: type)
            return nil
        } catch { return error.code }
    }

    /// A part with the delimiter before it.
    private func part(_ name: String, _ value: String, file: String? = nil) -> String {
        let fileName = file.map { #"; filename="\#($0)""# } ?? ""
        let disposition = #"Content-Disposition: form-data; name="\#(name)""# + fileName
        let type = file == nil ? "" : "\r\nContent-Type: application/json"
        return "------WebKitFormBoundaryAb1\r\n\(disposition)\(type)\r\n\r\n\(value)\r\n"
    }

    private let end = "------WebKitFormBoundaryAb1--\r\n"

    @Test func `texts and the bytes of a file are read as they were sent`() throws {
        let content = "{\n \"a\": \"--- ü ----WebKitFormBoundaryAb1\"\r\n}\n"
        let body = part("url", "https://store.example/?a=b&c=+") + part("root", content, file: "root.json") + end
        #expect(try parse(body) == ["url": "https://store.example/?a=b&c=+", "root": content])
        #expect(try parse(part("root", "", file: "") + end) == ["root": ""])
        #expect(try parse(end).isEmpty)
    }

    @Test func `the boundary may be quoted, and stand behind other parameters`() throws {
        let body = "--a b\r\nContent-Disposition: form-data; name=\"x\"\r\n\r\n1\r\n--a b--"
        #expect(try parse(body, #"multipart/form-data; charset=utf-8; Boundary="a b""#) == ["x": "1"])
    }

    @Test func `the name of a field is the parameter of its disposition`() throws {
        func field(_ header: String) -> String { "------WebKitFormBoundaryAb1\r\n\(header)\r\n\r\n1\r\n" + end }
        for header in [
            #"Content-Disposition: form-data; filename="b.json"; name="a""#,
            #"content-disposition: form-data;filename="; name=";Name="a""#,
            "X-Other: x; name=\"b\"\r\nContent-Disposition: form-data; name=\"a\"",
            "Content-Disposition: form-data; name=\"a\"\r\nContent-Type: text/plain; name=\"b\"",
        ] {
            #expect(try parse(field(header)) == ["a": "1"], "\(header)")
        }
        for header in [
            #"Content-Disposition: form-data; filename="a""#,
            "Content-Disposition: form-data\r\nContent-Type: text/plain; name=\"a\"",
        ] {
            #expect(code(ByteBuffer(string: field(header))) == .requestMalformed, "\(header)")
        }
    }

    @Test func `a malformed body is refused`() {
        let whole = part("a", "1") + end
        for body in [
            "", "x", String(whole.dropLast(4)), part("a", "1"), "x\r\n" + whole,
            "------WebKitFormBoundaryAb1\r\n" + end, "------WebKitFormBoundaryAb1\r\n\r\n" + end,
            whole.replacing("name=", with: "nom="), whole.replacing("\r\n\r\n", with: "\r\n"),
        ] {
            #expect(code(ByteBuffer(string: body)) == .requestMalformed, "\(body)")
        }
        #expect(code(ByteBuffer(string: whole), "multipart/form-data") == .requestMalformed)
        #expect(code(ByteBuffer(string: part("a", "1") + whole)) == .requestMalformed)
        var bytes = ByteBuffer(string: String(part("a", "").dropLast(2)))
        bytes.writeBytes([0xFF, 0xFE])
        bytes.writeString("\r\n" + end)
        #expect(code(bytes) == .requestMalformed)
    }
}
