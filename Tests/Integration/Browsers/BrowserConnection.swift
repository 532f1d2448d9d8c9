import Foundation
import Glibc
import StoreModel
import StoreTestSupport
import Synchronization

/// The connection to a browser's remote control: commands and their answers, both JSON, one command after another.
final class BrowserConnection: Sendable {
    /// How the messages of a browser are written.
    enum Dialect {
        /// Chromium's DevTools protocol through pipes: a NUL byte ends each message.
        case devTools
        /// Firefox's Marionette: the length of each message is before it.
        case marionette
    }

    /// Sends a command, and returns the result that the browser responds with.
    typealias Call = (_ method: String, _ parameters: [String: JSONValue]) throws -> JSONValue

    private let dialect: Dialect
    private let process: ChildProcess
    private let commands: Int32
    private let answers: Int32
    private let queue = DispatchQueue(label: "browser")
    private let state = Mutex<(number: Int, unread: [UInt8])>((0, []))

    /// Creates the connection from open file descriptors, which it closes.
    ///
    /// - Parameter process: the browser; a command fails once it has ended.
    init(_ dialect: Dialect, to process: ChildProcess, commands: Int32, answers: Int32) {
        (self.dialect, self.process, self.commands, self.answers) = (dialect, process, commands, answers)
    }

    deinit {
        close(commands)
        if answers != commands { close(answers) }
    }

    /// Runs commands between which no others are run.
    ///
    /// - Parameter session: the page that the commands concern, for the DevTools protocol.
    func run<Value: Sendable>(
        session: String? = nil, _ body: @escaping @Sendable (Call) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async {
                continuation.resume(with: Result { try body { try self.call($0, $1, session: session) } })
            }
        }
    }

    /// Waits for the message that a browser begins with.
    func greeting() async throws -> JSONValue {
        try await withCheckedThrowingContinuation { continuation in
            queue.async {
                continuation.resume(with: Result { try self.state.withLock { try self.message(&$0.unread) } })
            }
        }
    }

    private func call(_ method: String, _ parameters: [String: JSONValue], session: String?) throws -> JSONValue {
        try state.withLock { state in
            state.number += 1
            try send(dialect.command(state.number, method, parameters, session: session))
            while true {
                // Other messages are events.
                guard let answer = dialect.answer(try message(&state.unread), to: state.number) else { continue }
                guard answer.error == .null else {
                    throw BrowserError(
                        description: "\(method): \(answer.error.asWritten)", code: answer.error["error"].text)
                }
                return answer.result
            }
        }
    }

    /// Returns the next message of the browser.
    private func message(_ unread: inout [UInt8]) throws -> JSONValue {
        while true {
            if let (range, end) = dialect.message(in: unread) {
                defer { unread.removeFirst(end) }
                return try JSONDecoder().decode(JSONValue.self, from: Data(unread[range]))
            }
            try unread.append(contentsOf: receive())
        }
    }

    private func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(commands, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else { throw BrowserError(description: "write: \(errno)") }
            rest = rest.dropFirst(max(0, count))
        }
    }

    /// The test also holds pipes open, so they never end; the process is checked instead.
    private func receive() throws -> [UInt8] {
        var place = pollfd(fd: answers, events: Int16(POLLIN), revents: 0)
        while poll(&place, 1, 200) <= 0 {
            guard process.isRunning else { throw BrowserError(description: "the browser has ended") }
        }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(answers, &bytes, bytes.count)
        guard count > 0 else { throw BrowserError(description: "read: \(errno)") }
        return Array(bytes[..<count])
    }
}

extension BrowserConnection.Dialect {
    /// Returns the bytes of a command.
    fileprivate func command(
        _ number: Int, _ method: String, _ parameters: [String: JSONValue], session: String?
    ) throws -> [UInt8] {
        switch self {
        case .devTools:
            var message: [String: JSONValue] = [
                "id": .integer(number), "method": .string(method), "params": .object(parameters),
            ]
            if let session { message["sessionId"] = .string(session) }
            return try [UInt8](JSONEncoder().encode(JSONValue.object(message))) + [0]
        case .marionette:
            let message = JSONValue.array([0, .integer(number), .string(method), .object(parameters)])
            let bytes = try [UInt8](JSONEncoder().encode(message))
            return Array("\(bytes.count):".utf8) + bytes
        }
    }

    /// Returns where the first message is in the bytes that were received, and where it ends; `nil` if it is not complete.
    fileprivate func message(in bytes: [UInt8]) -> (range: Range<Int>, end: Int)? {
        switch self {
        case .devTools: return bytes.firstIndex(of: 0).map { (0..<$0, $0 + 1) }
        case .marionette:
            guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
                let length = Int(String(decoding: bytes[..<colon], as: UTF8.self)), bytes.count - colon > length
            else { return nil }
            return (colon + 1..<colon + 1 + length, colon + 1 + length)
        }
    }

    /// Returns the result and the error of the answer to a command; `nil` if the message is something else.
    fileprivate func answer(_ message: JSONValue, to number: Int) -> (result: JSONValue, error: JSONValue)? {
        switch self {
        case .devTools: message["id"] == .integer(number) ? (message["result"], message["error"]) : nil
        case .marionette: message[0] == 1 && message[1] == .integer(number) ? (message[3], message[2]) : nil
        }
    }
}
