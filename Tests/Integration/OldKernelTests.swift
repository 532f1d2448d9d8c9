import Foundation
import StoreTestSupport
import Testing

/// Tests of programs on a kernel without openat2(2): Linux before 5.6, and sandboxes that do not have all system calls.
@Suite(.hangGuard, .needs("/usr/bin/python3", debian: "python3")) struct OldKernelTests {
    /// A program that has openat2(2) fail with `ENOSYS` (seccomp(2)) and then runs the program that its arguments name.
    private static let withoutOpenat2 = """
        import ctypes, os, struct, sys

        def step(code, if_true, if_false, value):
            return struct.pack("HBBI", code, if_true, if_false, value)

        # Loads the number of the call, and compares it with that of openat2 on all architectures.
        steps = step(0x20, 0, 0, 0) + step(0x15, 0, 1, 437) + step(0x06, 0, 0, 0x50026) + step(0x06, 0, 0, 0x7fff0000)
        buffer = ctypes.create_string_buffer(steps)

        class Program(ctypes.Structure):
            _fields_ = [("length", ctypes.c_ushort), ("steps", ctypes.c_void_p)]

        program = Program(4, ctypes.addressof(buffer))
        library = ctypes.CDLL(None)
        # PR_SET_NO_NEW_PRIVS, and PR_SET_SECCOMP with SECCOMP_MODE_FILTER.
        if library.prctl(38, 1, 0, 0, 0) != 0 or library.prctl(22, 2, ctypes.byref(program), 0, 0) != 0:
            sys.exit("could not filter system calls")
        os.execv(sys.argv[1], sys.argv[1:])
        """

    private let home: TestHome

    init() throws { home = try TestHome() }

    private func storectl(_ arguments: String...) async throws {
        let result = try await Programs.run(
            "/usr/bin/python3", ["-c", Self.withoutOpenat2, Programs.path("storectl")] + arguments,
            environment: home.environment)
        try #require(result.exit == 0, "\(result)")
    }

    @Test func `a pack is installed without openat2, and nothing of it remains after it was removed`() async throws {
        let archive = ZipForge().file("pack.json", Array(#"{"kind": "sticker", "productIdentifier": "cups"}"#.utf8))
            .file("sub/a.txt")
        try Data(archive.build()).write(to: URL(filePath: home.folder.path + "/pack.zip"))
        try await storectl("install", home.folder.path + "/pack.zip", "--unsigned")
        #expect(try await home.packs().keys.contains("cups"))
        try await storectl("uninstall", "cups")
        try await eventually { home.entries("data/trash").isEmpty && home.entries("data/staging").isEmpty }
    }
}
