import StoreTestSupport
import Testing

@testable import StoreSystem

/// The programs for the kernel's filter are executed here by a small interpreter of their six operations.
@Suite struct SystemCallFilterTests {
    private static let architecture: UInt32 = 0xc000_003e
    private static let killed: UInt32 = 0x8000_0000
    private static let allowed: UInt32 = 0x7fff_0000

    /// Returns what the program of some rules answers for a system call.
    private func answer(
        _ rules: [SystemCallFilter.Rule], number: UInt32, architecture: UInt32 = SystemCallFilterTests.architecture,
        arguments: [UInt64] = []
    ) throws -> UInt32 {
        let program = SystemCallFilter(rules: rules, architecture: SystemCallFilterTests.architecture).program
        return try run(program, number: number, architecture: architecture, arguments: arguments).verdict
    }

    /// Runs a program for a system call, and returns its verdict and the number of its steps.
    private func run(
        _ program: [SystemCallFilter.Instruction], number: UInt32,
        architecture: UInt32 = SystemCallFilterTests.architecture,
        arguments: [UInt64] = []
    ) throws -> (verdict: UInt32, steps: Int) {
        // struct seccomp_data, in words of 32 bits.
        var data: [UInt32] = [number, architecture, 0, 0]
        for argument in arguments + [UInt64](repeating: 0, count: 6 - arguments.count) {
            data += [UInt32(truncatingIfNeeded: argument), UInt32(argument >> 32)]
        }
        var accumulator: UInt32 = 0
        var (next, steps) = (0, 0)
        while true {
            steps += 1
            // Jumps only go forward, so that the program ends.
            let instruction = try #require(next < program.count ? program[next] : nil)
            next += 1
            switch instruction.code {
            case 0x20: accumulator = try #require(instruction.k % 4 == 0 ? data[Int(instruction.k / 4)] : nil)
            case 0x05: next += Int(instruction.k)
            case 0x54: accumulator &= instruction.k
            case 0x15: next += Int(accumulator == instruction.k ? instruction.jt : instruction.jf)
            case 0x35: next += Int(accumulator >= instruction.k ? instruction.jt : instruction.jf)
            default:
                try #require(instruction.code == 0x06)
                return (instruction.k, steps)
            }
        }
    }

    @Test func `a call is only allowed on its architecture`() throws {
        let rules = [SystemCallFilter.Rule(39)]
        #expect(try answer(rules, number: 39) == SystemCallFilterTests.allowed)
        #expect(try answer(rules, number: 38) == SystemCallFilterTests.killed)
        // i386 and aarch64.
        for other: UInt32 in [0x4000_0003, 0xc000_00b7, 0] {
            #expect(try answer(rules, number: 39, architecture: other) == SystemCallFilterTests.killed)
        }
        // x32, and a number that is negative.
        #expect(try answer(rules, number: 0x4000_0000 | 39) == SystemCallFilterTests.killed)
        #expect(try answer(rules, number: .max) == SystemCallFilterTests.killed)
    }

    @Test func `the first rule that matches decides`() throws {
        let rules = [
            SystemCallFilter.Rule(1, .flags(0, 5)), SystemCallFilter.Rule(1, verdict: .fail(.permissionDenied)),
            SystemCallFilter.Rule(1), SystemCallFilter.Rule(2, verdict: .kill), SystemCallFilter.Rule(2),
        ]
        #expect(try answer(rules, number: 1, arguments: [5]) == SystemCallFilterTests.allowed)
        #expect(try answer(rules, number: 1, arguments: [4]) == 0x0005_0000 | 13)
        #expect(try answer(rules, number: 2) == SystemCallFilterTests.killed)
    }

    @Test func `any rules decide in their order, whatever the order of their numbers`() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            let rules = (0..<Int.random(in: 0...120, using: &random)).map { _ in
                let number = Int32.random(in: 0...400, using: &random)
                let value = Int32.random(in: 0...2, using: &random)
                let verdict: SystemCallFilter.Verdict =
                    [.allow, .kill, .fail(.permissionDenied)].randomElement(using: &random)!
                return Bool.random(using: &random)
                    ? SystemCallFilter.Rule(number, verdict: verdict)
                    : SystemCallFilter.Rule(number, .flags(0, value), verdict: verdict)
            }
            let program = SystemCallFilter(rules: rules, architecture: SystemCallFilterTests.architecture).program
            for number in 0...401 {
                let argument = UInt64.random(in: 0...2, using: &random)
                let rule = rules.first { $0.number == number && $0.conditions.allSatisfy { $0.value == argument } }
                let verdict = try run(program, number: UInt32(number), arguments: [argument]).verdict
                #expect(verdict == rule?.verdict.value ?? SystemCallFilterTests.killed, "\(number) (seed \(seed))")
            }
        }
    }

    @Test func `a call is found in a number of steps that grows little with the rules`() throws {
        let rules = Confinement.allowedCalls(process: 1)
        let program = SystemCallFilter(rules: rules, architecture: SystemCallFilterTests.architecture).program
        for number: UInt32 in 0...500 {
            // A test of each rule in turn would take more than two steps for each of over 70 rules.
            #expect(try run(program, number: number).steps <= 50)
        }
    }

    @Test func `conditions look at the bits that they name`() throws {
        func isAllowed(_ condition: SystemCallFilter.Condition, _ value: UInt64) throws -> Bool {
            try answer([SystemCallFilter.Rule(1, condition)], number: 1, arguments: [0, 0, value])
                == SystemCallFilterTests.allowed
        }
        // All 64 bits.
        #expect(try isAllowed(.equals(2, 0), 0))
        #expect(try !isAllowed(.equals(2, 0), 1 << 32))
        #expect(try isAllowed(.equals(2, 1 << 40 | 7), 1 << 40 | 7))
        #expect(try !isAllowed(.equals(2, 1 << 40 | 7), 7))
        // An argument of 32 bits, whose upper half the kernel ignores.
        #expect(try isAllowed(.flags(2, 0b100, optional: 0b011), 0b101))
        #expect(try isAllowed(.flags(2, 0b100, optional: 0b011), 1 << 40 | 0b100))
        #expect(try !isAllowed(.flags(2, 0b100, optional: 0b011), 0b001))
        #expect(try !isAllowed(.flags(2, 0b100, optional: 0b011), 0b1100))
        // The highest bit, of which the sign must not become further bits.
        #expect(try isAllowed(.flags(2, .min), 1 << 31))
        #expect(try isAllowed(.without(2, 0o7000), 0o777))
        #expect(try !isAllowed(.without(2, 0o7000), 0o4755))
    }

    @Test func `all conditions of a rule have to be met`() throws {
        let rules = [SystemCallFilter.Rule(1, .flags(0, 1), .equals(5, 2))]
        #expect(try answer(rules, number: 1, arguments: [1, 0, 0, 0, 0, 2]) == SystemCallFilterTests.allowed)
        #expect(try answer(rules, number: 1, arguments: [1, 0, 0, 0, 0, 3]) == SystemCallFilterTests.killed)
        #expect(try answer(rules, number: 1, arguments: [0, 0, 0, 0, 0, 2]) == SystemCallFilterTests.killed)
    }

    @Test(arguments: [Confinement.Access.creating, .reading])
    func `the rules of a confinement fit into a program`(access: Confinement.Access) {
        let rules = Confinement.allowedCalls(process: 1, access: access)
        // BPF_MAXINSNS of <linux/bpf_common.h>.
        #expect(SystemCallFilter(rules: rules, architecture: 1).program.count <= 4096)
        // A rule after one without conditions would never be reached.
        var decided: Set<Int> = []
        for rule in rules {
            #expect(!decided.contains(rule.number), "\(rule.number)")
            if rule.conditions.isEmpty { decided.insert(rule.number) }
        }
    }

    // MARK: Landlock

    @Test(arguments: [
        (1 as Int32, 0x1fff as UInt64), (2, 0x3fff), (3, 0x7fff), (4, 0x7fff), (5, 0xffff), (8, 0xffff), (9, 0x1_ffff),
        (100, 0x1_ffff),
    ])
    func `all rights are denied that a version of Landlock has`(version: Int32, bits: UInt64) {
        #expect(Confinement.bits(of: Confinement.FileRight.allCases, version: version) == bits)
    }

    @Test func `beneath the directory, files and directories are created and written`() {
        // WRITE_FILE, READ_FILE, READ_DIR, MAKE_DIR and MAKE_REG.
        #expect(Confinement.bits(of: Confinement.rightsBeneath(.creating), version: 1) == 0b1_1000_1110)
        // And TRUNCATE. A right that is not denied can't be granted.
        #expect(Confinement.bits(of: Confinement.rightsBeneath(.creating), version: 3) == 0b1_1000_1110 | 1 << 14)
    }

    @Test func `beneath the directory of a process that reads, nothing is created or changed`() {
        // READ_FILE and READ_DIR.
        #expect(Confinement.bits(of: Confinement.rightsBeneath(.reading), version: 100) == 0b1100)
    }
}
