import Foundation
import StoreModel
import StoreSystem
import StoreTestSupport

/// The library of `Tests/CrashRig`, which injects the faults of ``CrashControl`` into the system calls of a program.
final class CrashShim: Sendable {
    /// Whether the library works in the programs.
    ///
    /// The address sanitizer's runtime is part of the programs, so that its interceptors call those of the library. With the
    /// thread sanitizer the place of a preloaded library is taken: see `Tests/ThreadSanitizer`.
    static let canPreload = !Sanitizers.isThread

    let path: String
    private let folder: TemporaryFolder

    /// Compiles the library, which takes a moment.
    init() async throws {
        folder = try TemporaryFolder()
        path = folder.path + "/shim.so"
        let rig = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../CrashRig")
        let sources = ["shim", "names", "contents", "reads"].map {
            rig.standardizedFileURL.appending(path: $0 + ".c").path
        }
        let compiler = try ChildProcess(
            "/usr/bin/cc",
            ["-O1", "-Wall", "-Wextra", "-Wno-unused-parameter", "-Werror", "-shared", "-fPIC", "-pthread"]
                + ["-o", path] + sources + ["-ldl"],
            environment: ["PATH": "/usr/bin:/bin"], errors: folder.path + "/errors")
        guard await compiler.result() == 0 else {
            throw NotBuilt(description: (try? String(contentsOfFile: folder.path + "/errors", encoding: .utf8)) ?? "")
        }
    }

    struct NotBuilt: Error, CustomStringConvertible { let description: String }

    /// Returns the environment variables that preload the library into a program.
    ///
    /// - Parameters:
    ///   - home: the directory whose changes count, as a path without symbolic links.
    ///   - trace: a file for one line about each counted call.
    ///   - record: a file for the effect of each call; see ``RecordedCall``.
    ///   - lacksExchange: whether the file system is to be one that can't exchange two directories.
    func variables(
        home: String, control: CrashControl, trace: String? = nil, record: String? = nil, lacksExchange: Bool = false
    ) -> [String: String] {
        var variables = ["LD_PRELOAD": path, "CRASH_RIG_HOME": home, "CRASH_RIG_CONTROL": control.path]
        variables["CRASH_RIG_TRACE"] = trace
        variables["CRASH_RIG_RECORD"] = record
        if lacksExchange { variables["CRASH_RIG_NO_EXCHANGE"] = "1" }
        return variables
    }

    /// Returns the environment variables that give a program the boot id in a file, instead of the kernel's.
    func variables(boot: String) -> [String: String] { ["LD_PRELOAD": path, "CRASH_RIG_BOOT": boot] }
}

/// The effects of a call, with the numbers of `enum kind` in shim.h.
struct CallKinds: OptionSet, Sendable, Hashable {
    let rawValue: UInt32

    /// Opens a file that is created or truncated.
    static let create = CallKinds(rawValue: 1)
    static let folder = CallKinds(rawValue: 2)
    static let rename = CallKinds(rawValue: 4)
    static let remove = CallKinds(rawValue: 8)
    static let write = CallKinds(rawValue: 16)
    static let size = CallKinds(rawValue: 32)
    static let link = CallKinds(rawValue: 64)
    static let attribute = CallKinds(rawValue: 128)
    static let sync = CallKinds(rawValue: 256)
    /// Opens any file, also for reading.
    static let descriptor = CallKinds(rawValue: 512)
    /// Reads content, entries or status, or opens a file only for that.
    static let read = CallKinds(rawValue: 1024)

    static let changes: CallKinds = [.create, .folder, .rename, .remove, .write, .size, .link, .attribute, .sync]
    /// Calls that need space on the disk.
    ///
    /// Removing does not, and succeeds on a full disk.
    static let growth: CallKinds = [.create, .folder, .rename, .write, .size, .link, .sync]
}

/// A fault at one of a program's calls.
struct CrashFault: Sendable, Hashable {
    enum Action: Int32, Sendable {
        /// No fault: calls are only counted.
        case count
        /// SIGKILL before the call.
        case kill
        /// SIGKILL after half of a write.
        case tear
        /// The call fails.
        case fail
    }
    var action: Action
    /// The calls that count.
    var kinds: CallKinds
    /// The `errno` of a failure.
    var number: Int32 = 0
    /// Whether all later calls fail as well.
    var isLasting = false

    static let none = CrashFault(action: .count, kinds: .changes)
}

/// The memory that the rig shares with the preloaded library: `struct control` in shim.h.
struct CrashControl: Sendable {
    let path: String
    private let file: OpenFile
    private static let size = 648

    /// Creates the shared file.
    ///
    /// - Parameter folder: the directory of the file.
    init(in folder: String) throws {
        let name = "control-" + UUID().uuidString
        path = folder + "/" + name
        file = try Directory.open(folder).createFile(name, mode: 0o600)
        try file.write(Data(count: Self.size))
    }

    /// Sets a fault, and resets the counters as soon as ``arm()`` is called.
    ///
    /// - Parameter place: the number of the call with the fault, counted from 1.
    func order(_ fault: CrashFault, at place: Int = 0) throws {
        var bytes = Data(count: Self.size)
        bytes.put(fault.action.rawValue, at: 4)
        bytes.put(fault.number, at: 8)
        bytes.put(Int32(fault.isLasting ? 1 : 0), at: 12)
        bytes.put(Int64(place), at: 16)
        bytes.put(fault.kinds.rawValue, at: 24)
        try bytes.withUnsafeBytes { try file.write($0, at: 0) }
    }

    func arm() throws { try write(Int32(1), at: 0) }
    func disarm() throws { try write(Int32(0), at: 0) }

    private func write(_ value: Int32, at offset: Int) throws {
        try withUnsafeBytes(of: value) { try file.write($0, at: offset) }
    }

    /// Returns the number of calls of these kinds.
    func count(of kinds: CallKinds) throws -> Int {
        // A call that opens and creates a file has two kinds, so openings have a counter of their own.
        let places = kinds.contains(.descriptor) ? [9] : (0...10).filter { kinds.rawValue & 1 << $0 != 0 }
        return try places.reduce(0) { try $0 + number(at: 560 + 8 * $1) }
    }

    private func number(at offset: Int) throws -> Int {
        Int(try file.read(count: 8, at: offset).withUnsafeBytes { $0.loadUnaligned(as: Int64.self) })
    }

    /// The call at which the fault occurred, with its name and path.
    var call: String? {
        get throws {
            let bytes = try file.read(count: 512, at: 48).prefix { $0 != 0 }
            return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
        }
    }
}

extension Data {
    fileprivate mutating func put(_ value: some FixedWidthInteger, at offset: Int) {
        Swift.withUnsafeBytes(of: value) { replaceSubrange(offset..<(offset + $0.count), with: $0) }
    }
}
