import Foundation
import Glibc
public import Testing

/// A desktop on a session bus of its own, which notes what it is asked to show and to open.
public final class NotificationDesktop: Sendable {
    /// A call that the desktop received; the members that a method lacks are `nil`.
    public struct Call: Decodable, Sendable {
        public let method: String
        public let number: Int?
        public let replaced: Int?
        public let title: String?
        public let body: String?
        public let actions: [String]?
        public let address: String?
    }

    /// The desktop ended before it was ready.
    private struct Ended: Error, CustomStringConvertible { let description: String }

    /// The services of the desktop beside the notifications.
    public enum Service: String, Sendable { case portal, systemd }

    private let folder: TemporaryFolder
    private let server: ChildProcess
    private let bus: ChildProcess
    /// The address of the session's bus.
    public let address: String

    /// Starts the bus and the desktop.
    public init(
        capabilities: [String] = ["actions", "body", "body-markup"], services: [Service] = [.portal]
    ) async throws {
        let folder = try TemporaryFolder()
        let environment = ["PATH": "/usr/bin:/bin", "HOME": folder.path]
        let bus = try ChildProcess(
            "/usr/bin/dbus-daemon", ["--session", "--nofork", "--print-address=1"], environment: environment,
            output: folder.path + "/address")
        // A failure of the rest of this initializer.
        var isStarted = false
        defer { if !isStarted { bus.signal(SIGTERM) } }
        try await eventually { try folder.directory.has("address") && folder.directory.text("address").contains("\n") }
        address = try folder.directory.text("address").trimmingCharacters(in: .newlines)
        guard mkfifo(folder.path + "/orders", 0o600) == 0 else { throw POSIXError(.EEXIST) }
        let script = DocumentedErrorCodes.sources.deletingLastPathComponent()
            .appending(path: "Tests/Desktop/notification_server.py").path
        server = try ChildProcess(
            "/usr/bin/python3",
            [script, folder.path + "/orders", capabilities.joined(separator: ",")] + services.map(\.rawValue),
            environment: environment.merging(["DBUS_SESSION_BUS_ADDRESS": address]) { $1 },
            output: folder.path + "/calls", errors: folder.path + "/errors")
        (self.folder, self.bus) = (folder, bus)
        isStarted = true
        try await eventually { try self.all().contains { $0.method == "started" } }
    }

    deinit { for process in [server, bus] { process.signal(SIGTERM) } }

    private func all() throws -> [Call] {
        // A server that can't start would otherwise be waited for until the time limit.
        guard try server.isRunning || !folder.directory.text("calls").isEmpty else {
            throw Ended(description: "the desktop has ended: \(errors)")
        }
        return try folder.directory.text("calls").split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            .map { try JSONDecoder().decode(Call.self, from: Data($0.utf8)) }
    }

    private var errors: String { (try? folder.directory.text("errors")) ?? "" }

    /// The calls that the desktop received, in order.
    public var calls: [Call] { get throws { try all().filter { $0.method != "started" } } }

    /// The newest state of each notification that was shown and not closed by the program, by its number.
    public var notifications: [Int: Call] {
        get throws {
            try calls.reduce(into: [:]) { shown, call in
                guard let number = call.number else { return }
                shown[number] = call.method == "Notify" ? call : nil
            }
        }
    }

    /// Presses a button of a notification, as the user does, or pretends to, as another program of the session.
    public func press(_ key: String, of number: Int, foreign: Bool = false) throws {
        try order(#"{"order":"press","number":\#(number),"key":"\#(key)","foreign":\#(foreign)}"#)
    }

    /// Closes a notification, as the user does.
    public func close(_ number: Int) throws { try order(#"{"order":"close","number":\#(number)}"#) }

    /// Replaces the server by one with other capabilities, as another desktop may.
    public func replaceServer(capabilities: [String]) throws {
        try order(#"{"order":"replace","capabilities":["\#(capabilities.joined(separator: #"",""#))"]}"#)
    }

    /// Lets the desktop respond to nothing until it is resumed.
    public func suspend() { server.signal(SIGSTOP) }

    /// Lets the desktop respond again.
    public func resume() { server.signal(SIGCONT) }

    /// Ends the bus, and with it the session.
    public func endSession() { bus.signal(SIGTERM) }

    private func order(_ line: String) throws {
        let pipe = Glibc.open(folder.path + "/orders", O_WRONLY | O_NONBLOCK | O_CLOEXEC)
        defer { Glibc.close(pipe) }
        let bytes = Array((line + "\n").utf8)
        guard pipe >= 0, write(pipe, bytes, bytes.count) == bytes.count else { throw POSIXError(.EPIPE) }
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips a test on a machine that lacks what ``NotificationDesktop`` needs.
    public static var needsDesktop: Self {
        .needs("/usr/lib/python3/dist-packages/gi/__init__.py", debian: "python3-gi")
    }
}
